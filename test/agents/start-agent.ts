import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import {
  acpDriver,
  cliDriver,
  findProgram,
  type ProgramDriver,
  type ProgramFound,
  programOf,
  type StreamReader,
} from "../../src/agent/index.ts";
import { AgentConfig, type AgentEvent } from "../../src/schema/agent.ts";
import { ScriptedModel, type Step } from "./scripted-model.ts";

/** The agents that are driven here. */
export type RealAgent = "goose" | "codex" | "pi" | "gemini" | "qwen" | "opencode";

/** What was seen of one run, from outside. */
export interface Seen {
  readonly events: readonly AgentEvent[];
  readonly code: number | null;
  readonly files: Readonly<Record<string, string>>;
  readonly stdoutBytes: number;
  readonly asked: ScriptedModel["asked"];
  /** Packets that had nowhere to go: something was spoken to that is not the model. */
  readonly strays: number;
  /** What still ran when its group had been killed, by command line. */
  readonly survivors: readonly string[];
}

interface Options {
  readonly model?: string;
  /** Stopped when it has printed more. */
  readonly outputBytesMax?: number;
  /** Stopped when the model stalls and then nothing is printed for so long. */
  readonly silentMs?: number;
  /** It sees the system, its own folders, its home and its work tree, and nothing else. */
  readonly isNarrow?: boolean;
  /** Keeps what it printed, as a fixture of the ordinary tests. */
  readonly record?: string;
  /** More words for its command line. */
  readonly args?: readonly string[];
  /** Puts something into its home and its tree before it starts, and on its PATH what it gives back. */
  readonly prepare?: (home: string, tree: string) => Promise<string>;
}

/**
 * All of an agent's processes end with the first: pi gives each command a session of its own, which
 * killing pi's group does not reach.
 */
const OWN_PROCESSES = ["--pid", "--fork", "--kill-child", "--mount-proc", "--"];
const GONE_WITHIN_MS = 5_000;
const HANG_GUARD_MS = 90_000;
const STREAMS = join(import.meta.dirname, "../agent/streams");

function narrow(folders: readonly string[], home: string, tree: string): string[] {
  const links = ["bin", "sbin", "lib", "lib64"].flatMap((name) => [
    "--symlink",
    `usr/${name}`,
    `/${name}`,
  ]);
  return [
    "bwrap",
    ...["--ro-bind", "/usr", "/usr", ...links, "--ro-bind", "/etc", "/etc"],
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...folders.flatMap((folder) => ["--ro-bind", folder, folder]),
    ...["--bind", home, home, "--bind", tree, tree, "--chdir", tree],
    ...["--unshare-pid", "--die-with-parent"],
  ];
}

/** A file drives one agent, so it is looked for once. */
let found: Awaited<ReturnType<typeof findProgram>> | undefined;

async function foundIn(program: string, home: string, tree: string): Promise<ProgramFound> {
  const path = process.env["PATH"] ?? "";
  found ??= await findProgram(program, { path, home, untrusted: [tree] });
  if ("missing" in found) throw new Error(found.missing);
  return found;
}

/** Runs a command-line agent against a scripted model, in a fresh home and a fresh work tree. */
export function runAgent(
  preset: RealAgent,
  steps: readonly Step[],
  options: Options = {},
): Promise<Seen> {
  return runDriver(preset, steps, options, async (home, tree) => {
    const config = AgentConfig.parse({
      driver: "cli",
      preset,
      program: process.env[`SWORN_AGENT_${preset.toUpperCase()}`],
      model: options.model ?? "scripted",
      args: options.args ?? [],
    });
    if (config.driver !== "cli") throw new Error("expected a command-line agent");
    return cliDriver(config, await foundIn(programOf(config), home, tree));
  });
}

/** The same for an agent that speaks the Agent Client Protocol. */
export function runAcpAgent(
  agent: RealAgent,
  settings: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> },
  steps: readonly Step[],
  options: Options = {},
): Promise<Seen> {
  return runDriver(agent, steps, options, async (home, tree) => {
    const program = process.env[`SWORN_AGENT_${agent.toUpperCase()}`] ?? agent;
    const argv = [program, ...settings.args];
    const config = AgentConfig.parse({ driver: "acp", argv, env: settings.env });
    if (config.driver !== "acp") throw new Error("expected an agent that speaks the protocol");
    return acpDriver(config, await foundIn(program, home, tree));
  });
}

async function runDriver(
  name: string,
  steps: readonly Step[],
  options: Options,
  driverFor: (home: string, tree: string) => Promise<ProgramDriver>,
): Promise<Seen> {
  const cache = process.env["SWORN_AGENTS_CACHE"] ?? "";
  // Not below the folder for temporary files: there codex puts none of its own tools on the PATH.
  mkdirSync(join(cache, "runs"), { recursive: true });
  const base = mkdtempSync(join(cache, "runs", `${name}-`));
  const [home, tree, promptFile] = [
    join(base, "home"),
    join(base, "tree"),
    join(base, "prompt.md"),
  ];
  const model = await ScriptedModel.start(steps);
  const before = unrouted();
  try {
    const driver = await driverFor(home, tree);
    const prompt = "Do what the task says.";
    const command = driver.command(prompt, { tree, home, promptFile, endpoint: model.endpoint });
    for (const [file, text] of Object.entries(command.home)) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      writeFileSync(join(home, file), text);
    }
    mkdirSync(home, { recursive: true });
    mkdirSync(tree);
    writeFileSync(promptFile, prompt);
    const more = await options.prepare?.(home, tree);
    const path = [...(more === undefined ? [] : [more]), process.env["PATH"] ?? ""].join(delimiter);
    const around = options.isNarrow
      ? narrow([...driver.programFolders, promptFile], home, tree)
      : ["unshare", ...OWN_PROCESSES];
    const [program = "", ...args] = [...around, ...command.argv];
    const child = spawn(program, args, {
      cwd: tree,
      env: { PATH: path, HOME: home, ...command.env },
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(command.stdin ?? "");
    const printed = await watch(child, driver.reader(), model, options);
    const survivors = await survivorsOf(home);
    for (const { pid } of survivors) process.kill(pid, "SIGKILL");
    if (options.record !== undefined && process.env["SWORN_RECORD"] === "1") {
      const text = Buffer.concat(printed.kept).toString().replaceAll(base, "/run");
      writeFileSync(join(STREAMS, `${name}-${options.record}.jsonl`), text);
    }
    return {
      events: printed.events,
      code: child.exitCode,
      files: filesOf(tree),
      stdoutBytes: printed.bytes,
      asked: model.asked,
      strays: unrouted() - before,
      survivors: survivors.map(({ command: line }) => line),
    };
  } finally {
    await model.stop();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Everything it prints, until it ends or has to be stopped; its group is gone afterwards. */
function watch(
  child: ChildProcess,
  reader: StreamReader,
  model: ScriptedModel,
  options: Options,
): Promise<{ events: AgentEvent[]; bytes: number; kept: Buffer[] }> {
  return new Promise((resolve, reject) => {
    const events: AgentEvent[] = [];
    const kept: Buffer[] = [];
    let bytes = 0;
    let isStalled = false;
    let silence: NodeJS.Timeout | undefined;
    const guard = setTimeout(() => {
      killGroup(child);
      reject(new Error("the agent did not end, and nobody stopped it"));
    }, HANG_GUARD_MS);
    const listen = (): void => {
      clearTimeout(silence);
      if (isStalled)
        silence = setTimeout(() => killGroup(child), options.silentMs ?? HANG_GUARD_MS);
    };
    void model.stalled.then(() => {
      isStalled = true;
      listen();
    });
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > (options.outputBytesMax ?? Number.POSITIVE_INFINITY)) return killGroup(child);
      if (options.record !== undefined) kept.push(chunk);
      events.push(...reader.take(chunk));
      listen();
    });
    child.once("error", reject);
    child.once("close", () => {
      clearTimeout(guard);
      clearTimeout(silence);
      killGroup(child);
      resolve({ events: [...events, ...reader.end()], bytes, kept });
    });
  });
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

/** Who is left, after the kernel had its time to end what it was told to end. */
async function survivorsOf(home: string): Promise<{ pid: number; command: string }[]> {
  const deadline = Date.now() + GONE_WITHIN_MS;
  let left = processesOf(home);
  while (left.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    left = processesOf(home);
  }
  return left;
}

/** Whoever was given this home, in whatever group or session it is now. */
function processesOf(home: string): { pid: number; command: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(`HOME=${home}\0`)) return [];
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return command === "" ? [] : [{ pid: Number(pid), command }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}

function filesOf(tree: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(tree, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(tree, name), "utf8")]),
  );
}

/** How many packets found no route in this network namespace, which has no way out. */
export function unrouted(): number {
  const [names = "", values = ""] = readFileSync("/proc/net/snmp", "utf8").split("\n");
  const at = names.split(" ").indexOf("OutNoRoutes");
  const six = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(readFileSync("/proc/net/snmp6", "utf8"));
  return Number(values.split(" ")[at]) + Number(six?.[1] ?? 0);
}
