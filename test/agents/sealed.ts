import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { cliDriver, findProgram, type ProgramDriver, programOf } from "../../src/agent/index.ts";
import { AgentRunner } from "../../src/flow/agent/agent-runner.ts";
import type { AgentOutcome, AgentRequest } from "../../src/flow/agent/run-agent.ts";
import { Place } from "../../src/flow/place.ts";
import { verifyTarget } from "../../src/flow/trace/verify-target.ts";
import { AgentConfig, AgentLimits } from "../../src/schema/agent.ts";
import { ScriptedModel, type Step } from "./scripted-model.ts";
import type { RealAgent } from "./start-agent.ts";

export const KEY = "SWORN_AGENT_KEY";
export const SECRET = "sk-scripted-5f1c9a7e";
const MARK = "SWORN_TEST_MARK";
const GONE_WITHIN_MS = 5_000;

/** What was seen of one sealed run, from outside. */
export interface Sealed {
  readonly outcome: AgentOutcome;
  readonly model: ScriptedModel;
  readonly project: SealedProject;
  /** Whether its record verifies offline. */
  readonly verified: string;
  /** What of it still runs, by command line. */
  readonly survivors: readonly string[];
}

/** A repository with a test that fails, and what runs agents on it. */
export class SealedProject {
  readonly folder: string;
  readonly place: Place;

  constructor() {
    const cache = process.env["SWORN_AGENTS_CACHE"] ?? "";
    const base = mkdtempSync(join(cache, "sealed-"));
    onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
    this.folder = base;
    this.git("init", "--quiet");
    execFileSync("sh", ["-c", "printf 'one\\n' > a.txt"], { cwd: base });
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", "first");
    this.place = new Place({ store: join(base, ".sworn"), state: join(base, ".state") });
  }

  git(...args: string[]): string {
    return execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], {
      cwd: this.folder,
      encoding: "utf8",
    });
  }

  /** A file as a run left it. */
  leftBy({ info }: AgentOutcome, path: string): string {
    return this.git("show", `${info?.ref}:${path}`);
  }
}

/** How a run may differ from the others. */
interface SealedOptions {
  readonly modelName?: string;
  /** Arguments of the user's own. */
  readonly args?: readonly string[];
  /** Whether it can speak to the runtime, and how MCP is spoken there. */
  readonly tooling?: Parameters<typeof AgentRunner.open>[0]["tooling"];
}

/** Runs a real agent as the product does: in its sandbox, with its model behind the proxy. */
export async function runSealed(
  preset: RealAgent,
  steps: readonly Step[],
  more: Partial<AgentRequest> & SealedOptions = {},
): Promise<Sealed> {
  const { modelName = "scripted", args = [], tooling, ...rest } = more;
  const project = new SealedProject();
  const model = await ScriptedModel.start(steps);
  onTestFinished(() => model.stop());
  const env = { PATH: process.env["PATH"], [KEY]: SECRET };
  const home = join(project.folder, ".state");
  const runner = await AgentRunner.open({
    folder: project.folder,
    env,
    home,
    placeFor: () => project.place,
    tooling,
  });
  onTestFinished(() => runner.close());
  const config = AgentConfig.parse({
    driver: "cli",
    preset,
    program: process.env[`SWORN_AGENT_${preset.toUpperCase()}`],
    model: modelName,
    args,
  });
  if (config.driver !== "cli") throw new Error("expected a command-line agent");
  const found = await findProgram(programOf(config), {
    path: env.PATH ?? "",
    home,
    untrusted: [project.folder],
  });
  if ("missing" in found) throw new Error(found.missing);
  const mark = basename(project.folder);
  const outcome = await runner.run({
    agent: preset,
    driver: marked(cliDriver(config, found), mark),
    service: { endpoint: model.endpoint, keyEnv: KEY },
    limits: AgentLimits.parse({}),
    prompt: "Do what the task says.",
    task: "sealed",
    signal: new AbortController().signal,
    onEvent: () => {},
    onStep: () => {},
    ...rest,
  });
  const verified = await verify(project.place, outcome.trace);
  return { outcome, model, project, verified, survivors: await survivorsOf(mark) };
}

/** Whatever it starts has this in its environment, wherever it goes. */
function marked(driver: ProgramDriver, mark: string): ProgramDriver {
  return {
    ...driver,
    command: (prompt, places) => {
      const command = driver.command(prompt, places);
      return { ...command, env: { ...command.env, [MARK]: mark } };
    },
  };
}

/** Who is left, after the kernel had its time to end what it was told to end. */
async function survivorsOf(mark: string): Promise<string[]> {
  const deadline = Date.now() + GONE_WITHIN_MS;
  let left = processesWith(mark);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = processesWith(mark);
  }
  return left;
}

function processesWith(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        if (!environment.includes(`${MARK}=${mark}\0`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

/** What the offline verifier says of a record. */
export async function verify(place: Place, trace: string): Promise<string> {
  const options = { profile: "default", mode: "full", threads: 1 } as const;
  const verified = await verifyTarget(async () => place, trace, options);
  return verified.kind === "trace" ? verified.report.status : verified.kind;
}
