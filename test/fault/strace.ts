import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, run } from "../fake/child.ts";
import { APPEND_CHILD, type Project } from "./project.ts";

/** What a child under strace did: how it ended, and the calls that were watched. */
export interface Traced extends Ended {
  readonly calls: readonly string[];
}

/** Appends one entry with an artifact, under strace. */
export async function appendUnderStrace(
  project: Project,
  watched: string,
  fault?: string,
): Promise<Traced> {
  const { store, state, trace } = project;
  const node = [process.execPath, APPEND_CHILD, store, state, trace, "traced", "1", "1", "yes"];
  return underStrace(project, watched, fault, node);
}

/**
 * Runs a program under strace; a fault is what strace calls an injection (`error=EIO:when=3`).
 *
 * Where possible all threads are followed, because only then the other calls do not stop the
 * process. Of some calls only the main thread's are watched: strace counts for each thread by itself,
 * and the others write to wake each other up and open files to load code. And a signal is only sent
 * when every call stops.
 */
export async function underStrace(
  { folder, project, state }: Project,
  watched: string,
  fault: string | undefined,
  command: readonly string[],
): Promise<Traced> {
  const log = join(folder, "strace.log");
  const isMainOnly = ["write", "openat"].includes(watched) || fault?.startsWith("signal");
  const ended = await run(
    "strace",
    [
      ...(isMainOnly ? [] : ["-f", "--seccomp-bpf"]),
      ...["-qq", "-y", "-o", log, "-e", `trace=${watched}`],
      ...(fault === undefined ? [] : ["-e", `inject=${watched}:${fault}`]),
      ...command,
    ],
    { cwd: project, env: { SWORN_STATE_DIR: state } },
  );
  const calls = readFileSync(log, "utf8")
    .split("\n")
    .map((line) => line.replace(/^\d+ +/, ""))
    .filter((line) => /^[a-z0-9]+\(/.test(line));
  return { ...ended, calls };
}
