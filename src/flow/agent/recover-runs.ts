import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import type { SavedTree } from "../../repo/index.ts";
import { removeTree } from "../../run/collect/index.ts";
import { printedIn, RunFiles } from "../../run/files/index.ts";
import { type KeptFolder, keptFolders, OUTPUT_NAME, takeKept } from "../../run/index.ts";
import { isOwnerGone, ownerOf } from "../../sandbox/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { ExecRecord } from "../exec/exec-record.ts";
import type { Place } from "../place.ts";
import type { RunnerScene } from "./agent-runner.ts";
import { concludeKept } from "./conclude-kept.ts";
import { keptEnding } from "./kept-ending.ts";
import { damagedWords, isCutShort, readRuns } from "./known-runs.ts";
import type { AgentOutcome } from "./run-agent.ts";
import { runRef } from "./run-ref.ts";

const KILLED = "the runtime was ended before the run was";
/** So much of what an agent printed stands in for the output that nobody has any more. */
const PRINTED_BYTES_MAX = 256 << 10;

/** A run that was brought to its end after its runtime was gone. */
export interface RecoveredRun {
  readonly info: RunInfo;
  /** What it left; undefined when that had been saved before. */
  readonly saved: SavedTree | undefined;
  /** The commit that its chain began with, where it was not the first of one. */
  readonly since?: string | undefined;
  /** Whether its agent had ended by itself: then there is nothing to go on with. */
  readonly hasEnded: boolean;
  /** What came of it, where the agent had ended and its run could be concluded now. */
  readonly outcome: AgentOutcome | undefined;
}

type RecoverScene = Pick<
  RunnerScene,
  "place" | "repository" | "env" | "buses" | "engine" | "environment"
>;

/**
 * Ends every run of this project whose runtime is gone: its tree goes on its reference, its folder
 * and its record are closed. One whose agent had ended by itself is concluded. Nothing that was finished is done again, and it can be repeated and
 * killed at any moment like what it tidies up after.
 *
 * @param stuck gets why a run could not be ended; its tree stays where it is, and all others have been ended
 */
export async function recoverRuns(
  scene: RecoverScene,
  stuck: string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<RecoveredRun[]> {
  const self = ownerOf();
  const left = keptFolders().filter(
    (kept) =>
      kept.run.store === scene.place.store &&
      isOwnerGone(kept.run.owner) &&
      takeKept(kept, self, isOwnerGone),
  );
  const recovered: RecoveredRun[] = [];
  // One that cannot be saved, which a hostile run may have seen to, keeps no other from being saved.
  for (const kept of left) {
    await recover(kept, scene, signal).then(
      (run) => recovered.push(run),
      (error: unknown) => stuck.push(messageOf(error)),
    );
  }
  const unbegun = endUnbegun(scene.place, stuck);
  for (const { info } of unbegun) await scene.buses.settled(info, KILLED);
  return [...recovered, ...unbegun];
}

/** Runs that were killed before there was anything to save: they only have to be told to be over. */
function endUnbegun(place: Place, stuck: string[]): RecoveredRun[] {
  const kept = new Set(keptFolders().map(({ run }) => run.run_id));
  const { runs, damaged } = readRuns(place);
  stuck.push(...damaged.filter(({ run_id: id }) => !kept.has(id)).map(damagedWords));
  return runs
    .filter(({ info }) => isCutShort(info) && !kept.has(info.run_id))
    .map(({ info: { task_id: task, run_id: id } }) => {
      const files = RunFiles.reopen(join(place.store, "tasks", task, "runs"), id);
      const info = finish(files, { wallMs: place.clock() });
      return { info, saved: undefined, hasEnded: false, outcome: undefined };
    });
}

async function recover(
  kept: KeptFolder,
  scene: RecoverScene,
  signal: AbortSignal,
): Promise<RecoveredRun> {
  const { path, run } = kept;
  const { place } = scene;
  let files: RunFiles | undefined;
  let where = `in ${path}`;
  try {
    files = RunFiles.reopen(join(place.store, "tasks", run.task, "runs"), run.run_id);
    const concluded = await conclude(kept, files, scene, signal);
    const { outcome, hasEnded } = concluded;
    const isOpen = files.info.status === "running";
    const left = isOpen ? await saveTree(join(path, "tree"), run, scene) : undefined;
    if ((outcome?.saved ?? left) !== undefined) where = `on ${runRef(run.run_id)}`;
    const { why, output } = concluded;
    const end = { ref: runRef(run.run_id), wallMs: place.clock(), why, output };
    const info = isOpen ? finish(files, end) : files.info;
    await endRecord(scene, run.trace);
    await scene.buses.settled(info, KILLED);
    removeTree(path);
    return { info, saved: outcome?.saved ?? left, since: run.since, hasEnded, outcome };
  } catch (error) {
    const what = `run ${run.run_id} could not be brought to its end: ${messageOf(error)}`;
    throw new SwornError("STORE_UNREADABLE", `${what}; its work is ${where}`, { cause: error });
  } finally {
    files?.close();
  }
}

/** Where its agent had ended: judges what that said. Where that fails, its work is saved all the same. */
async function conclude(
  kept: KeptFolder,
  files: RunFiles,
  scene: RecoverScene,
  signal: AbortSignal,
): Promise<Pick<RecoveredRun, "hasEnded" | "outcome"> & Pick<CutEnd, "why" | "output">> {
  const isOpen = files.info.status === "running";
  const ending = isOpen ? keptEnding(kept.path, files.info.stdout_path) : undefined;
  // Its files go last, once all of it is done.
  if (ending === undefined || !existsSync(join(kept.path, "tree"))) {
    // Closed by whoever tidied up before, and was killed over that: it was cut short all the same.
    const isClosed = !isOpen && files.info.error_summary !== KILLED;
    return { hasEnded: isClosed, outcome: undefined };
  }
  try {
    const outcome = await concludeKept(kept, ending, files, scene, signal);
    return { hasEnded: true, outcome };
  } catch (error) {
    const why = `it ended, then ${KILLED}, and it could not be judged: ${messageOf(error)}`;
    const path = join(ending.output, OUTPUT_NAME);
    const output = existsSync(path) ? readFileSync(path, "utf8") : undefined;
    return { hasEnded: true, outcome: undefined, why, output };
  }
}

async function saveTree(
  folder: string,
  run: KeptFolder["run"],
  { repository, env }: Pick<RunnerScene, "repository" | "env">,
): Promise<SavedTree | undefined> {
  // It was killed before the files were there, or after they were saved and removed.
  if (!existsSync(folder)) return undefined;
  const tree = await repository.adoptRunTree({ folder, commit: run.base, env, keeps: run.keeps });
  const saved = await tree.save(runRef(run.run_id), `Run ${run.run_id} of ${run.agent}, cut short`);
  tree.remove();
  return saved;
}

/** What is known of a run that its runtime did not bring to an end. */
interface CutEnd {
  readonly wallMs: number;
  readonly ref?: string;
  readonly why?: string | undefined;
  /** What its agent left as its output, where that did not go with its sandbox. */
  readonly output?: string | undefined;
}

function finish(files: RunFiles, { wallMs, ref, why = KILLED, output }: CutEnd): RunInfo {
  return files.finish({
    exitCode: undefined,
    status: "failed",
    wallMs,
    output,
    isOutputGone: true,
    fallback: printedIn(files.info.stdout_path, PRINTED_BYTES_MAX, "end").toString("utf8"),
    more: { ...(ref === undefined ? {} : { ref }), error_summary: why },
  });
}

async function endRecord({ place }: Pick<RunnerScene, "place">, trace: string): Promise<void> {
  // A run that was killed early enough has none.
  if (!place.traces().includes(trace)) return;
  const record = new ExecRecord(place, trace);
  try {
    await record.interrupted(KILLED);
  } finally {
    record.close();
  }
}
