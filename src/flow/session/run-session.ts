import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  assert,
  ensureFolder,
  later,
  messageOf,
  SwornError,
  writeFileDurably,
} from "../../base/index.ts";
import type { SessionReport } from "../../schema/session-report.ts";
import { FINAL_STATES } from "../../view/index.ts";
import { beatMsOf } from "../beat/beat-config.ts";
import { type KeptBeats, keepBeat } from "../beat/keep-beat.ts";
import { assertNoLink, type Place } from "../place.ts";
import { isUnbegun } from "../record/assert-begun.ts";
import { WorkLock } from "../work/work-lock.ts";
import { traceOfWork } from "../work/work-scene.ts";
import { auditBeginStep, auditEndStep, auditStep, reworkStep } from "./audit-steps.ts";
import { answerStep, challengeStep, claimStep, concludeStep } from "./claim-steps.ts";
import { endAborted, failStep } from "./end-step.ts";
import { beginStep, clearStep, intendStep } from "./intent-steps.ts";
import { makeSessionReport } from "./make-report.ts";
import { nextStep, type SessionStep } from "./next-step.ts";
import { OpenSession, type SessionScene, type Waits } from "./open-session.ts";
import { planStep } from "./plan-step.ts";
import { renderSessionReport } from "./render-report.ts";
import { reviewStep } from "./review-step.ts";
import { sharedNext, whyShared } from "./seats-apart.ts";
import { findDelivery } from "./session-delivery.ts";
import { sessionFolder } from "./session-folder.ts";
import type { SessionRecord } from "./session-record.ts";
import { verifyStep, workStep } from "./work-steps.ts";

/** More steps than any session takes: a loop that comes here goes in circles. */
const STEPS_MAX = 10_000;
const STOPPED = "it was called off; sworn resume goes on with it";
const SESSION_ID = /^[0-9a-z]{26}$/;

/** A session that stands somewhere, with its report in `folder`. */
export interface SessionOutcome {
  readonly report: SessionReport;
  readonly folder: string;
}

type Step = (on: OpenSession) => Promise<Waits | undefined>;

const voting = later(() => import("./vote-steps.ts"));
const deciding = later(() => import("./decide-steps.ts"));
const delivering = later(() => import("./deliver-step.ts"));

const STEPS: Readonly<Record<Exclude<SessionStep, "end">, Step>> = {
  plan: planStep,
  review: reviewStep,
  intend: intendStep,
  clear: clearStep,
  begin: beginStep,
  work: workStep,
  verify: verifyStep,
  claim: claimStep,
  challenge: challengeStep,
  answer: answerStep,
  conclude: concludeStep,
  "audit-begin": auditBeginStep,
  audit: auditStep,
  propose: async (on) => (await voting()).proposeStep(on),
  "look-again": async (on) => (await voting()).lookAgainStep(on),
  vote: async (on) => (await voting()).voteStep(on),
  decide: async (on) => (await deciding()).decideStep(on),
  disagree: async (on) => (await deciding()).disagreeStep(on),
  "audit-end": auditEndStep,
  rework: reworkStep,
  deliver: async (on) => (await delivering()).deliverStep(on),
  fail: failStep,
};

/** Steps in which somebody is asked who must not have done the work. */
const JUDGING: ReadonlySet<SessionStep> = new Set<SessionStep>([
  "review",
  "work",
  "challenge",
  "audit",
  "look-again",
  "vote",
]);

/**
 * Leads a session from wherever its record stands to its end, or as far as it gets: folds the record,
 * asks what has to happen next, does that one thing, and records what came of it. Nothing else is
 * remembered, so that a killed process loses at most the one thing that it was at.
 */
export async function leadSession(
  id: string,
  scene: SessionScene,
  record: SessionRecord,
): Promise<SessionOutcome> {
  const { place } = scene.runner.scene;
  const folder = prepareFolder(place, id);
  const lock = WorkLock.take(folder);
  const watch = lock.watch(scene.signal);
  let kept: KeptBeats | undefined;
  try {
    const on = new OpenSession(id, { ...scene, signal: watch.signal }, record);
    const isOver = FINAL_STATES.includes(record.session.state);
    if (isOver) on.delivery = deliveredBefore(on);
    else kept = await leadBeats(scene, record);
    const waits = await takeSteps(on);
    // Ctrl-C leaves it open; whoever cancels it from outside ends it.
    const isCancelled = watch.signal.aborted && !scene.signal.aborted;
    const isEnded = isCancelled && !FINAL_STATES.includes(record.session.state);
    if (isEnded) await endAborted(on);
    // What was to be gone on with before it was ended is not gone on with any more.
    return { report: keepReport(on, folder, isEnded ? [] : waits), folder };
  } finally {
    await kept?.end();
    watch.end();
    lock.release();
  }
}

/** This process leads from here on: whoever led before and wakes up again is refused. */
function leadBeats({ runner, onEvent }: SessionScene, record: SessionRecord): Promise<KeptBeats> {
  return keepBeat({
    voice: record.voice,
    phase: "work",
    beatMs: beatMsOf(runner.scene.repository.root),
    leads: true,
    // Its parts claim for themselves, in their own traces.
    observe: () => [],
    onFault: (error) => onEvent({ about: "session", words: `its beat: ${messageOf(error)}` }),
  });
}

/** Where a session keeps what goes with its record: there before it begins, so that none is without. */
export function prepareFolder(place: Place, id: string): string {
  const folder = sessionFolder(place, id);
  place.prepare();
  // A repository can bring links here, and what lies behind them is not ours to write into.
  for (const path of [join(place.store, "session"), folder]) assertNoLink(path);
  ensureFolder(folder);
  return folder;
}

async function takeSteps(on: OpenSession): Promise<readonly string[]> {
  const { record, scene } = on;
  for (let taken = 0; taken < STEPS_MAX; taken += 1) {
    if (scene.signal.aborted) return [STOPPED];
    const step = nextStep(record.session, on.known);
    if (step === "end") return [];
    const before = record.size;
    const shared = JUDGING.has(step) ? whyShared(on) : undefined;
    if (shared !== undefined) return [shared, sharedNext(on)];
    const waits = await STEPS[step](on).catch((error: unknown) => stoppedBy(error, scene.signal));
    if (waits !== undefined) return waits.waits;
    const isMoved = record.session.size > before || step === "deliver";
    assert(isMoved, `the step "${step}" left the record as it was`);
  }
  throw new SwornError("LIMIT_EXCEEDED", `a session takes at most ${STEPS_MAX} steps`);
}

/** What a step throws when it was called off is no failure of it. */
function stoppedBy(error: unknown, signal: AbortSignal): Waits {
  if (signal.aborted) return { waits: [STOPPED] };
  throw error;
}

function deliveredBefore(on: OpenSession) {
  if (on.record.session.state !== "completed") return undefined;
  const { work } = on.workLink;
  const { to, is_sent: isSent } = on.begin;
  return findDelivery(on.place, { work, to, isSent });
}

function keepReport(on: OpenSession, folder: string, waits: readonly string[]): SessionReport {
  const report = makeSessionReport(on, waits);
  writeFileDurably(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileDurably(join(folder, "report.md"), renderSessionReport(report));
  return report;
}

/** The sessions of a project that began, the oldest first. */
export function sessionsOf(place: Place): string[] {
  const folder = join(place.store, "session");
  if (!existsSync(folder)) return [];
  const traces = new Set(place.traces());
  return readdirSync(folder)
    .filter((name) => SESSION_ID.test(name) && traces.has(traceOfWork(name)))
    .filter((id) => hasBegun(place, id))
    .toSorted();
}

function hasBegun(place: Place, id: string): boolean {
  try {
    return !isUnbegun(place, traceOfWork(id));
  } catch {
    // Whoever goes on with it hears why it cannot be read.
    return true;
  }
}
