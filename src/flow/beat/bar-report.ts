import type { BarReport } from "../../schema/beat-frame.ts";
import type { Entry } from "../../schema/index.ts";
import type { Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { readTrace, sessionOf } from "../trace/look.ts";
import { type Review, readReviews } from "../vote/read-reviews.ts";
import { type Liveness, livenessOf } from "./alive.ts";
import { LATE_KINDS, type LateThing, lateThings } from "./late-things.ts";
import { type BeatOfTrace, type KeyedEvidence, readBeats } from "./read-beats.ts";

/** What became of the beats of a trace. */
export interface BeatReport {
  /** Null where nobody has recorded anything yet. */
  readonly trace: string | null;
  readonly goals: readonly string[];
  readonly beats: readonly BeatOfTrace[];
  /** One for each bar, in the form that others read. */
  readonly bars: readonly BarReport[];
  readonly late: readonly LateThing[];
  /** Of the runs that have not ended; from their processes, and from nobody's word. */
  readonly alive: readonly Liveness[];
  readonly evidence: readonly KeyedEvidence[];
}

const NOTHING: BeatReport = {
  ...{ trace: null, goals: [], beats: [], bars: [], late: [], alive: [], evidence: [] },
};

/**
 * Who was active in each beat of a trace, what moved and what is late.
 *
 * @throws SwornError when the trace cannot be read, or is not the one that the runtime signed for.
 */
export function reportBeats(place: Place, trace: string | undefined): BeatReport {
  if (trace === undefined) return NOTHING;
  const { session } = sessionOf(place, trace);
  const entries = readTrace(place, trace).slice(0, session.size);
  const { beats, evidence, goals } = readBeats(entries);
  const reviews = readReviews(place, trace);
  const late = lateThings(entries, session, reviews);
  const running = [...session.runs].filter(([, { status }]) => status === "running");
  const alive = livenessOf(place, new Set(running.map(([id]) => id)));
  const onTime = reviews.flatMap((review) => beatsOfVotes(review, entries));
  const bars = windowsOf(beats).map((bar) => barOf(bar, { late, onTime, session }));
  return { trace, goals, beats, bars, late, alive, evidence };
}

/** The beats in which votes were cast that came in time. */
function beatsOfVotes({ body, votes }: Review, entries: readonly Entry[]): number[] {
  const last = body.due_beat ?? Number.POSITIVE_INFINITY;
  return votes.flatMap(({ seq }) => entries[seq]?.beat ?? []).filter((beat) => beat <= last);
}

function windowsOf(beats: readonly BeatOfTrace[]): BeatOfTrace[][] {
  const windows = new Map<string, BeatOfTrace[]>();
  for (const one of beats) {
    const known = windows.get(one.beat.window_id);
    if (known === undefined) windows.set(one.beat.window_id, [one]);
    else known.push(one);
  }
  return [...windows.values()];
}

function barOf(
  bar: readonly BeatOfTrace[],
  known: {
    readonly late: readonly LateThing[];
    readonly onTime: readonly number[];
    readonly session: Session;
  },
): BarReport {
  const indexes = bar.map(({ beat }) => beat.beat_index);
  const [from, to] = [Math.min(...indexes), Math.max(...indexes)];
  const isIn = (index: number) => index >= from && index <= to;
  const statuses = bar.flatMap((one) => one.statuses);
  const { agents } = known.session;
  return {
    type: "backbeat.barreport.v1",
    window_id: bar[0]?.beat.window_id ?? "",
    from_beat: from,
    to_beat: to,
    agents_reporting: new Set(statuses.map((one) => one.agent_id)).size,
    on_time_reviews: known.onTime.filter(isIn).length,
    help_promises_fulfilled: statuses.filter(({ state }) => state === "helping").length,
    secret_rotations_ok: [...agents.values()].every(({ key }) => key !== undefined),
    tempo_drift_ms: Math.max(0, ...bar.map(driftOf)),
    issues: LATE_KINDS.flatMap((kind) => {
      const count = known.late.filter((one) => one.kind === kind && isIn(one.due_beat)).length;
      return count === 0 ? [] : [{ severity: "warning", category: `late-${kind}`, count }];
    }),
  };
}

/** How long after its own beginning a beat was opened. */
function driftOf({ beat, opened_at }: BeatOfTrace): number {
  const beganMs = Date.parse(beat.deadline_at) - beat.beat_ms;
  return Math.max(0, Date.parse(opened_at) - beganMs);
}
