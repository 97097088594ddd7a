import { spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { SWORN } from "../../fake/child.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const EXAMPLE = resolve(import.meta.dirname, "../../../examples/run");
export const PLAN = join(EXAMPLE, "plan.json");

/** How a child process ended, and what it said. */
interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** What somebody does to a running session when it says this. */
interface When {
  readonly says: string;
  readonly act: (child: { kill(signal: NodeJS.Signals): boolean }, said: string) => void;
}

/** The example's project as a repository, on which the built command line works. */
export class SessionWorld {
  readonly project = new GitFolder();
  /** More variables, as its user would set them. */
  readonly env: Record<string, string> = {};

  constructor(settings?: (own: string) => string) {
    cpSync(join(EXAMPLE, "project"), this.project.path, { recursive: true });
    const path = join(this.project.path, "sworn.yaml");
    if (settings !== undefined) writeFileSync(path, settings(readFileSync(path, "utf8")));
    this.project.commit();
  }

  run(args: readonly string[], when?: When): Promise<Ended> {
    const { env: own, home, path: cwd } = this.project;
    const env = { ...own, ...this.env, SWORN_STATE_DIR: join(home, "state") };
    const child = spawn(process.execPath, [SWORN, ...args, "--json"], { cwd, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let [out, said, isDone] = ["", "", false];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (isDone || when === undefined || !said.includes(when.says)) return;
      isDone = true;
      when.act(child, said);
    });
    return new Promise((done) => child.once("close", (code) => done({ code, out, said })));
  }

  killed(args: readonly string[], says: string): Promise<Ended> {
    return this.run(args, { says, act: (child) => void child.kill("SIGKILL") });
  }

  /** A session about one page, which costs little. */
  quick(): string[] {
    return ["run", "--plan", join(EXAMPLE, "page.json"), "--agent", "pager"];
  }

  /** Writes a file beside the project, and says where it is. */
  write(name: string, text: string): string {
    const path = join(this.project.home, name);
    writeFileSync(path, text);
    return path;
  }

  file(path: string): string {
    const full = join(this.project.path, path);
    return existsSync(full) ? readFileSync(full, "utf8") : "";
  }
}

export function reportIn({ out }: Ended): SessionReport {
  return JSON.parse(out) as SessionReport;
}

/** A program as an agent: prints these lines, the last of which is its answer. */
export function saying(answer: unknown): string {
  const text = JSON.stringify(JSON.stringify(answer));
  return `{ driver: command, argv: [node, -e, ${JSON.stringify(`console.log(${text})`)}] }`;
}
