import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import {
  ensureFolder,
  SwornError,
  writeAll,
  writeFileDurably,
  writeFileWhole,
} from "../../base/index.ts";
import { RunId, RunInfo } from "../../schema/run-info.ts";
import { readRunInfo } from "./read-run-info.ts";
import { runId } from "./run-id.ts";

const TRIES_MAX = 1_000;
const NAMES = {
  info: "run-info.yaml",
  prompt: "prompt.md",
  output: "output.md",
  stdout: "agent-stdout.txt",
  stderr: "agent-stderr.txt",
} as const;

/** What is known when a run begins. */
export type RunStart = Pick<
  RunInfo,
  "project_id" | "task_id" | "parent_run_id" | "previous_run_id" | "depth" | "agent" | "cwd"
> &
  Partial<RunInfo>;

/** What is known when it is over. */
export interface RunEnd {
  readonly exitCode: number | undefined;
  readonly status: Exclude<RunInfo["status"], "running">;
  readonly wallMs: number;
  /** What the agent itself left as its output. */
  readonly output: string | undefined;
  /** What stands in for it: the last words of its stream, else what it printed. */
  readonly fallback: string;
  /** Whether the agent may have left an output of which nobody knows, because its runtime was ended. */
  readonly isOutputGone?: boolean;
  readonly more?: Partial<RunInfo>;
}

/**
 * The folder of one run: its prompt, what it printed, what it left. Written so that whoever reads it
 * at any moment, also after a crash, finds each file whole.
 */
export class RunFiles {
  readonly folder: string;
  #info: RunInfo;
  readonly #streams: { readonly stdout: number; readonly stderr: number };
  #isOpen = true;

  private constructor(folder: string, info: RunInfo, how: "ax" | "a") {
    this.folder = folder;
    this.#info = info;
    this.#streams = {
      stdout: openSync(info.stdout_path, how),
      stderr: openSync(info.stderr_path, how),
    };
  }

  /** Makes the folder under a name that nobody has, also not in another process. */
  static create(runs: string, start: RunStart, prompt: string, wallMs: number): RunFiles {
    ensureFolder(runs);
    const { id, folder } = takeFolder(runs, wallMs);
    const path = (name: keyof typeof NAMES) => join(folder, NAMES[name]);
    const info = RunInfo.parse({
      version: 1,
      pid: 0,
      pgid: 0,
      ...start,
      run_id: id,
      start_time: new Date(wallMs).toISOString(),
      end_time: null,
      exit_code: -1,
      status: "running",
      prompt_path: path("prompt"),
      output_path: path("output"),
      output_origin: null,
      stdout_path: path("stdout"),
      stderr_path: path("stderr"),
      process_ownership: "managed",
    } satisfies RunInfo);
    // Its name is on disk with that of what follows.
    writeFileWhole(path("prompt"), prompt);
    const files = new RunFiles(folder, info, "ax");
    files.#write();
    return files;
  }

  /** Opens the folder of a run whose runtime is gone, to finish it. */
  static reopen(runs: string, id: string): RunFiles {
    const folder = join(runs, RunId.parse(id));
    const path = (name: keyof typeof NAMES) => join(folder, NAMES[name]);
    // Where things are is ours to say, and not the file's.
    const info = {
      ...readRunInfo(path("info")),
      prompt_path: path("prompt"),
      output_path: path("output"),
      stdout_path: path("stdout"),
      stderr_path: path("stderr"),
    };
    return new RunFiles(folder, info, "a");
  }

  get info(): RunInfo {
    return this.#info;
  }

  /** What becomes known while it runs, and means nothing once the machine has stopped. */
  update(more: Partial<RunInfo>): void {
    this.#info = RunInfo.parse({ ...this.#info, ...more });
    writeFileWhole(join(this.folder, NAMES.info), toYaml(this.#info));
  }

  print(stream: "stdout" | "stderr", chunk: Buffer): void {
    writeAll(this.#streams[stream], chunk);
  }

  /** Everything is there after this, an `output.md` too, whoever wrote it. */
  finish(end: RunEnd): RunInfo {
    const { exitCode, status, wallMs, output, more } = end;
    this.close();
    const origin = output === undefined ? "runner" : "agent";
    // As the prompt's name is.
    writeFileWhole(this.#info.output_path, output ?? standIn(this.#info, end));
    this.#info = RunInfo.parse({
      ...this.#info,
      ...more,
      exit_code: exitCode ?? -1,
      status,
      end_time: new Date(wallMs).toISOString(),
      output_origin: origin,
    });
    this.#write();
    return this.#info;
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const fd of Object.values(this.#streams)) {
      // Of an empty one there is nothing but the name.
      if (fstatSync(fd).size > 0) fsyncSync(fd);
      closeSync(fd);
    }
  }

  #write(): void {
    writeFileDurably(join(this.folder, NAMES.info), toYaml(this.#info));
  }
}

function takeFolder(runs: string, wallMs: number): { id: string; folder: string } {
  for (let sequence = 0; sequence < TRIES_MAX; sequence += 1) {
    const id = runId(wallMs, process.pid, sequence);
    const folder = join(runs, id);
    try {
      mkdirSync(folder, { mode: 0o700 });
      return { id, folder };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  throw new SwornError("LIMIT_EXCEEDED", `${runs} has a run of every name for this moment`);
}

/** Says on its first lines that no agent wrote it; what follows is data, and may say anything. */
function standIn({ agent, run_id }: RunInfo, { fallback: text, isOutputGone }: RunEnd): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const head = [
    "---",
    "origin: runner",
    `run_id: ${run_id}`,
    "---",
    "",
    isOutputGone
      ? `The runtime was ended before the run was, and an output.md that ${agent} may have written is gone with its sandbox. This is the end of what it printed, and no delivery of its own:`
      : `${agent} left no output.md. This is what it said or printed, and no delivery of its own:`,
    "",
  ];
  return [...head, `${fence}text`, text.trimEnd(), fence, ""].join("\n");
}

/** Each value as JSON, which is YAML too: nothing in a text can become another field. */
function toYaml(info: RunInfo): string {
  const lines = Object.entries(info).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return `${lines.join("\n")}\n`;
}
