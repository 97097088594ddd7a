import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EventRequest } from "../../src/schema/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

export const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");
export const EXAMPLE = resolve(import.meta.dirname, "../../examples/session.jsonl");

/** How a process ended and what it wrote. */
export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A project folder in which the built command is run as a process of its own. */
export class Built {
  readonly folder = temporaryFolder();
  readonly cwd = join(this.folder, "project");
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: this.folder,
    SWORN_STATE_DIR: join(this.folder, "state"),
  };

  constructor() {
    mkdirSync(this.cwd);
  }

  /** A script in the project, one request a line. */
  script(name: string, ...requests: EventRequest[]): string {
    const text = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
    writeFileSync(join(this.cwd, name), text);
    return name;
  }

  start(...argv: string[]): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [BIN, ...argv], { cwd: this.cwd, env: this.env });
  }

  async run(...argv: string[]): Promise<Ended> {
    const child = this.start(...argv);
    child.stdin.end();
    return ended(child);
  }

  /** Runs a command that must work, and gives its JSON document. */
  async json<T = Record<string, unknown>>(...argv: string[]): Promise<T> {
    const { exit, out, err } = await this.run(...argv, "--json");
    if (exit !== 0) throw new Error(`sworn ${argv.join(" ")} ended with ${exit}: ${out}${err}`);
    return JSON.parse(out) as T;
  }
}

/** Waits for the end of a process and collects what it writes. */
export function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  // A process that ends before it has read everything closes the pipe; that is its business.
  child.stdin.on("error", () => {});
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (exit, signal) => done({ exit, signal, out, err }));
  });
}
