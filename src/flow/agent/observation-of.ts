import type { SavedTree } from "../../repo/index.ts";
import type { RunWatch } from "../../run/index.ts";
import { newestChange, type Observed, type ObservedProcess } from "../../run/observe/index.ts";
import type { Observation, SeenProcess } from "../../schema/observation.ts";

/** The kernel notes changes by a clock that is a few milliseconds behind the one for processes. */
const CLOCK_SLACK_MS = 20;
const WORDS_MAX = 1_000;

/** What was seen from time to time. */
type Watched = Pick<RunWatch, "cpuMs" | "peakBytes" | "processes">;

/** What is known of a run when it has ended. */
export interface SeenRun {
  readonly saved: SavedTree;
  /** The files as the run left them; what it is called on the host. */
  readonly folder: string;
  readonly watch: Watched;
  /** Undefined when the run could only be looked at from time to time. */
  readonly observed: Observed | undefined;
}

/** Puts together what was seen of a run. What was not seen is null, never guessed. */
export function observationOf({ saved, folder, watch, observed }: SeenRun): Observation {
  const gaps = observed?.gaps ?? ["between two looks a process can come and go"];
  return {
    tree: saved.commit,
    changed: [...saved.changed],
    ignored: [...saved.ignored],
    processes: observed
      ? seenProcesses(observed.processes, watch, treeSince(saved, folder))
      : glimpsed(watch),
    is_complete: gaps.length === 0,
    gaps: [...gaps],
  };
}

/** The name of the tree for a process that began at a given time; null when it was another, or nobody knows. */
function treeSince(saved: SavedTree, folder: string): (beganMs: number) => string | null {
  if (saved.isUntouched) return () => saved.commit;
  // Saving a repository within the tree renames what is in it, which is a change.
  const newestMs = saved.nested.length > 0 ? undefined : newestChange(folder, saved.ignored);
  return (beganMs) =>
    newestMs !== undefined && newestMs + CLOCK_SLACK_MS < beganMs ? saved.commit : null;
}

function seenProcesses(
  processes: readonly ObservedProcess[],
  watch: Watched,
  treeOf: (beganMs: number) => string | null,
): SeenProcess[] {
  return processes.map(({ argv, cwd, exit, signal, beganMs, endedMs }, at) => ({
    by: "run",
    argv: argv.slice(0, WORDS_MAX),
    cwd: cwd ?? "",
    exit: exit ?? null,
    signal: signal ?? null,
    wall_ms: Math.max(0, endedMs - beganMs),
    cpu_ms: at === 0 ? watch.cpuMs : null,
    peak_bytes: at === 0 ? (watch.peakBytes ?? null) : null,
    tree_before: treeOf(beganMs),
    tree_after: treeOf(beganMs),
    tests: null,
  }));
}

function glimpsed(watch: Watched): SeenProcess[] {
  return watch.processes.map(({ argv, firstMs, lastMs }) => ({
    by: "run",
    argv: argv.slice(0, WORDS_MAX),
    cwd: "",
    exit: null,
    signal: null,
    wall_ms: lastMs - firstMs,
    cpu_ms: null,
    peak_bytes: null,
    tree_before: null,
    tree_after: null,
    tests: null,
  }));
}
