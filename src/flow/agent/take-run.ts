import picomatch from "picomatch";
import { SwornError } from "../../base/index.ts";
import type { RawChange, Repository } from "../../repo/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { whyContentLocked } from "../work/content-lock.ts";
import { damagedWords, isCutShort, type RunsHere, readRuns, runNamed } from "./known-runs.ts";
import { runRef } from "./run-ref.ts";

const GONE = "000000";
const LINK = "120000";
const SHOWN_MAX = 10;

/** Which run is to be taken over, and what of the project it may have touched. */
export interface TakeRequest {
  readonly run: string;
  /** Globs of the files that belong to its task; all when there are none. */
  readonly only: readonly string[];
}

/** What was taken over: staged, and not committed. */
export interface TakenRun {
  readonly info: RunInfo;
  readonly files: readonly { readonly path: string; readonly how: string }[];
}

/**
 * Puts what a run left into the user's work tree, staged: the files that it changed, and no others.
 * Refused as long as the content of its task is locked.
 *
 * @throws SwornError `NOT_FOUND` for no such run; `INPUT_INVALID` when it goes on, or touched what
 * its task is not about, or leaves a link; `ALREADY_EXISTS` when a file has changed since, or the
 * user has changes of his own in it. Nothing is changed then.
 */
export async function takeRun(
  place: Place,
  repository: Repository,
  { run, only }: TakeRequest,
): Promise<TakenRun | Refusal> {
  const here = readRuns(place);
  const info = endedRun(here, run);
  // Who judges the work of others has no part in it, and its vote counts only for that.
  if (info.role !== undefined) {
    throw new SwornError(
      "INPUT_INVALID",
      `run ${info.run_id} of ${info.agent} was a ${info.role}'s, who changes nothing; have somebody else do it`,
    );
  }
  const locked = await whyContentLocked(place, info.task_id);
  if (locked !== undefined) return locked;
  const [commit, head] = await Promise.all([
    repository.resolveCommit(runRef(info.run_id)),
    repository.resolveCommit("HEAD"),
  ]);
  // A run that goes on from another one brings what that one did, too.
  const base = firstOf(info, here).base ?? head;
  const changes = await repository.rawChanges(base, commit);
  assertRelated(changes, only);
  assertNoLinks(changes);
  await assertUnmoved(repository, changes, base, head);
  if (changes.length > 0) await repository.takeChanges(changes);
  return { info, files: changes.map((one) => ({ path: one.path, how: howOf(one) })) };
}

function endedRun(here: RunsHere, name: string): RunInfo {
  const info = runNamed(here, name);
  if (info.status !== "running") return info;
  const next = isCutShort(info)
    ? 'was cut short; "sworn resume" saves its work and goes on with it'
    : 'goes on; "sworn cancel" ends it';
  throw new SwornError("INPUT_INVALID", `run ${info.run_id} ${next}`);
}

/** The run that a chain of runs began with. */
function firstOf(info: RunInfo, { runs: all, damaged }: RunsHere): RunInfo {
  const runs = new Map(all.map((run) => [run.info.run_id, run.info]));
  let first = info;
  // Bounded by their number: a chain that somebody bent into a ring has no beginning.
  for (let left = runs.size; left > 0; left -= 1) {
    const { previous_run_id: id } = first;
    const lost = damaged.find(({ run_id }) => run_id === id);
    // What it did belongs to the chain, and would be left out without a word.
    if (lost !== undefined) throw new SwornError("STORE_UNREADABLE", damagedWords(lost));
    const before = runs.get(id ?? "");
    if (before === undefined) break;
    first = before;
  }
  return first;
}

/** An agent that tidied up elsewhere along the way did more than it was asked for. */
function assertRelated(changes: readonly RawChange[], only: readonly string[]): void {
  if (only.length === 0) return;
  const isMeant = picomatch([...only], { dot: true });
  refuse(
    changes.filter(({ path }) => !isMeant(path)),
    "INPUT_INVALID",
    `is outside of ${only.join(", ")}`,
    "nothing was taken over; leave out --only to take all of it",
  );
}

/** What is written through a link later lies wherever it points. */
function assertNoLinks(changes: readonly RawChange[]): void {
  refuse(
    changes.filter(({ after }) => after.mode === LINK),
    "INPUT_INVALID",
    "is a link that the run made",
    "nothing was taken over; look at it with git and make it yourself if it should be there",
  );
}

async function assertUnmoved(
  repository: Repository,
  changes: readonly RawChange[],
  base: string,
  head: string,
): Promise<void> {
  if (base === head) return;
  const moved = new Set((await repository.rawChanges(base, head)).map(({ raw }) => raw));
  refuse(
    changes.filter(({ raw }) => moved.has(raw)),
    "ALREADY_EXISTS",
    "has changed since the run began",
    "nothing was taken over; git merge its reference (sworn agents runs shows it)",
  );
}

function refuse(
  wrong: readonly RawChange[],
  code: "INPUT_INVALID" | "ALREADY_EXISTS",
  what: string,
  next: string,
): void {
  const [first, ...more] = wrong.slice(0, SHOWN_MAX).map(({ path }) => plain(path));
  if (first === undefined) return;
  const rest = more.length === 0 ? "" : ` (so are ${more.join(", ")})`;
  throw new SwornError(code, `${first} ${what}${rest}; ${next}`);
}

function howOf({ before, after }: RawChange): string {
  if (before.mode === GONE) return "added";
  return after.mode === GONE ? "deleted" : "modified";
}

function plain(path: string): string {
  return path.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ");
}
