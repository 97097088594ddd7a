import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureFolder, SwornError, writeFileDurably } from "../../base/index.ts";
import { parseEntry } from "../../schema/index.ts";
import type { Plan } from "../../schema/plan.ts";
import type { WorkReport } from "../../schema/work.ts";
import { assertNoLink, type Place } from "../place.ts";
import { isUnbegun } from "../record/assert-begun.ts";
import { openForReading } from "../trace/reading.ts";
import { leadWork } from "./lead-work.ts";
import { makeWorkReport, type OpenQuestion } from "./make-report.ts";
import { type ReadWork, readWork } from "./read-state.ts";
import { renderWorkReport } from "./render-report.ts";
import { Unheard } from "./unheard.ts";
import { WorkLock } from "./work-lock.ts";
import { WorkRecord } from "./work-record.ts";
import { recoverTries, runWork, type WorkEnd, watchSentinels } from "./work-run.ts";
import { type RunningWork, traceOfWork, type WorkScene, workIdOf } from "./work-scene.ts";
import { freeze, WorkState } from "./work-state.ts";

const WAIVED_DAYS = 30;
const DAY_MS = 86_400_000;
const WORK_ID = /^[0-9a-z]{26}$/;

/** A plan that the gate has judged, and what it leaves open. */
export interface GatedPlan {
  readonly plan: Plan;
  readonly report: unknown;
  readonly questions: readonly OpenQuestion[];
  /** The subtasks that an open question keeps from beginning. */
  readonly held: ReadonlySet<string>;
}

/** A person's word that a subtask may count although it is not proven. */
export interface WaivedSubtask {
  readonly subtask: string;
  readonly reason: string;
}

/** What a work begins with. */
export interface WorkBegin {
  /** The commit. */
  readonly start: string;
  readonly letThrough?: readonly WaivedSubtask[];
  /** The task whose board the plan was judged on, where its questions are answered. */
  readonly task?: string | undefined;
  /** What its trace is called, where somebody had to know before it began. */
  readonly trace?: string | undefined;
}

/** Everything of a scene but what belongs to one work. */
export type WorkSetup = Omit<WorkScene, "id">;

/** A work that stands somewhere, with its report in `folder`. */
export interface WorkOutcome {
  readonly report: WorkReport;
  readonly folder: string;
}

/**
 * Works on a plan from a commit on, to the end or as far as it gets. The plan is frozen: its digest is
 * the contract that every try and every sentinel names.
 *
 * @throws SwornError when the world fails; what was done until then is recorded and can be resumed.
 */
export async function startWork(
  setup: WorkSetup,
  gated: GatedPlan,
  { start, letThrough = [], task, trace }: WorkBegin,
): Promise<WorkOutcome> {
  const { place, profile, triesMax, workerName: worker } = setup;
  const frozen = freeze(gated.plan, 1);
  const begun = { commit: start, worker, task, environment: setup.environment };
  const state = new WorkState(begun, frozen);
  for (const { subtask } of letThrough) assertKnown(state, subtask);
  const record = WorkRecord.start(place, trace);
  try {
    const id = workIdOf(record.trace);
    setup.onEvent({ about: "work", words: `is called ${id}` });
    const about = { plan: gated.plan, contract: frozen.text, profile, triesMax };
    return await inFolder({ ...setup, id, record, state }, gated, async (work) => {
      await record.begin({ ...about, start: begun, gate: gated.report });
      return leadWork(work, async () => {
        await waiveAll(work, letThrough);
        return runWork(work);
      });
    });
  } finally {
    record.close();
  }
}

/**
 * Goes on with a work from its record alone: what is proven stays, what was cut short is tried again.
 *
 * @throws SwornError `NOT_FOUND`; `LEDGER_BUSY` when another process works on it.
 */
export async function resumeWork(
  setup: WorkSetup,
  id: string,
  gated: Pick<GatedPlan, "questions" | "held">,
  letThrough: readonly WaivedSubtask[] = [],
): Promise<WorkOutcome> {
  const trace = traceOfWork(id);
  const { state } = await openWorkState(setup.place, id);
  for (const { subtask } of letThrough) assertKnown(state, subtask);
  const record = WorkRecord.resume(setup.place, trace);
  try {
    const profile = record.session?.profile ?? setup.profile;
    return await inFolder({ ...setup, profile, id, record, state }, gated, (work) =>
      leadWork(work, async () => {
        await recoverTries(work);
        await waiveAll(work, letThrough);
        await watchSentinels(work);
        return runWork(work);
      }),
    );
  } finally {
    record.close();
  }
}

/**
 * What the record says of a work that has not come to its end.
 *
 * @throws SwornError `NOT_FOUND`; `INPUT_INVALID` when it has.
 */
export async function openWorkState(place: Place, id: string): Promise<ReadWork> {
  const trace = traceOfWork(id);
  if (!WORK_ID.test(id) || !place.traces().includes(trace)) {
    throw new SwornError("NOT_FOUND", `there is no work ${JSON.stringify(id)} here`);
  }
  const read = await readWork(place, trace);
  if (read.isEnded) throw new SwornError("INPUT_INVALID", `work ${id} has come to its end`);
  return read;
}

/** Runs a work in its folder, alone, and leaves its report there however it ends. */
async function inFolder(
  work: RunningWork,
  { questions, held }: Pick<GatedPlan, "questions" | "held">,
  act: (work: RunningWork) => Promise<WorkEnd>,
): Promise<WorkOutcome> {
  const { place, id, state, record, profile } = work;
  const folder = workFolder(place, id);
  // A repository can bring links here, and what lies behind them is not ours to write into.
  place.prepare();
  for (const path of [join(place.store, "work"), folder]) assertNoLink(path);
  ensureFolder(folder);
  const lock = WorkLock.take(folder);
  const watch = lock.watch(work.signal);
  for (const one of state.subtasks) one.isBlocked = held.has(one.id);
  try {
    const end = await act({ ...work, signal: watch.signal }).catch(leftOpen);
    const about = { id, state, profile, seats: work.seats, trace: record.trace };
    const report = makeWorkReport(about, end, questions);
    writeFileDurably(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
    writeFileDurably(join(folder, "report.md"), renderWorkReport(report));
    return { report, folder };
  } finally {
    watch.end();
    lock.release();
  }
}

/** Without somebody's answer nothing is decided: what is open stays so, and is gone on with. */
function leftOpen(error: unknown): WorkEnd {
  if (!(error instanceof Unheard)) throw error;
  return { status: "open", reason: `${error.message}; sworn resume asks again` };
}

async function waiveAll(work: RunningWork, letThrough: readonly WaivedSubtask[]): Promise<void> {
  const expires = new Date(work.place.clock() + WAIVED_DAYS * DAY_MS).toISOString();
  for (const { subtask, reason } of letThrough) {
    const known = work.state.of(subtask);
    if (known.proven !== undefined || known.waivedFor !== undefined) continue;
    await work.record.waive(subtask, reason, expires);
    known.waivedFor = reason;
    work.onEvent({ about: subtask, words: `is waived: ${reason}` });
  }
}

function assertKnown(state: WorkState, subtask: string): void {
  if (state.has(subtask)) return;
  throw new SwornError("INPUT_INVALID", `the plan has no ${subtask}, so that it cannot be waived`);
}

/** Where the renderings of a work lie. */
export function workFolder({ store }: Place, id: string): string {
  return join(store, "work", id);
}

/** A work by its name, and whether it has come to its end. */
interface KnownWork {
  readonly id: string;
  readonly isEnded: boolean;
}

/** The works of a project, the oldest first. */
export function worksOf(place: Place): KnownWork[] {
  const folder = join(place.store, "work");
  if (!existsSync(folder)) return [];
  const traces = new Set(place.traces());
  return readdirSync(folder)
    .filter((name) => WORK_ID.test(name) && traces.has(traceOfWork(name)))
    .toSorted()
    .flatMap((id) => knownWork(place, id) ?? []);
}

/** The work of that name; undefined when there is none, or it never began. */
export function workOf(place: Place, id: string): KnownWork | undefined {
  const isThere = existsSync(workFolder(place, id)) && place.traces().includes(traceOfWork(id));
  return isThere ? knownWork(place, id) : undefined;
}

function knownWork(place: Place, id: string): KnownWork | undefined {
  const trace = traceOfWork(id);
  try {
    return isUnbegun(place, trace) ? undefined : { id, isEnded: isEnded(place, trace) };
  } catch {
    // Whoever goes on with it hears why it cannot be read, and it keeps no other from being known.
    return { id, isEnded: false };
  }
}

/** From the last entry alone, which whoever goes on with it verifies with all others. */
function isEnded(place: Place, trace: string): boolean {
  const ledger = openForReading(place, trace);
  try {
    let last = "";
    for (const line of ledger.read()) last = line;
    const entry = parseEntry(JSON.parse(last)).data;
    return (
      entry?.type === "session_failed" ||
      entry?.type === "session_aborted" ||
      (entry?.type === "verification_run_completed" && entry.body.status !== "fail")
    );
  } finally {
    ledger.close();
  }
}
