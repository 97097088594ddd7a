import { assert } from "../../base/index.ts";
import type { Body, Entry, Role, Vote } from "../../schema/index.ts";
import {
  type CompletionView,
  countVotes,
  FINAL_STATES,
  isBefore,
  quorumGaps,
  type Seat,
  type Session,
  seatOf,
  type VoteCounts,
  verdictOf,
} from "../../view/index.ts";
import { type NextStep, nextStep, STEP_WORDS, sharedFamilies } from "../../vote/index.ts";
import { BEAT_MS, beatAt } from "../beat/beat-clock.ts";
import type { Place } from "../place.ts";
import { readTrace, sessionOf } from "../trace/look.ts";

/** A vote as it stands in a review. */
export interface ReviewVote {
  readonly agent: string;
  readonly role: Role;
  readonly seat: Seat;
  readonly seq: number;
  /** Whether it is of somebody who had no part in the work. */
  readonly counts: boolean;
  readonly body: Body<"vote_cast">;
}

/** The review of one completion: what the record says of it, and how it goes on. */
export interface Review {
  readonly trace: string;
  readonly completion_id: string;
  readonly seq: number;
  readonly body: Body<"completion_proposed">;
  readonly phase: CompletionView["phase"];
  readonly is_converged: boolean;
  /** The completion that took its place: all votes on this one are stale. */
  readonly revised_by: string | null;
  readonly votes: readonly ReviewVote[];
  readonly counts: VoteCounts;
  readonly blockers: readonly string[];
  /** Where voters are not as independent as they look. */
  readonly notes: readonly string[];
  readonly next: NextStep;
  readonly beats: number;
  /** Whether the beat is over by which the votes were asked for. */
  readonly is_late: boolean;
}

/** Whose patience counts, and how long a beat is. */
export interface Tempo {
  readonly beatMs?: number | undefined;
  readonly beatsMax?: number | undefined;
}

/**
 * All reviews of a trace, in the order in which they were proposed.
 *
 * @throws SwornError when the trace cannot be read, or is not the one that the runtime signed for.
 */
export function readReviews(place: Place, trace: string, tempo: Tempo = {}): Review[] {
  const { session } = sessionOf(place, trace);
  if (session.completions.size === 0) return [];
  const entries = readTrace(place, trace).slice(0, session.size);
  return [...session.completions].map(([id, completion]) =>
    reviewOf({ trace, session, entries, nowMs: place.clock() }, id, completion, tempo),
  );
}

interface Reading {
  readonly trace: string;
  readonly session: Session;
  readonly entries: readonly Entry[];
  readonly nowMs: number;
}

function reviewOf(
  { trace, session, entries, nowMs }: Reading,
  id: string,
  completion: CompletionView,
  tempo: Tempo,
): Review {
  const proposed = proposedIn(entries, completion.seq);
  const votes = [...completion.votes].map(([agent, { seq, role }]): ReviewVote => {
    const counts = !session.authors.has(agent) && !completion.authors.has(agent);
    return { agent, role, seat: seatOf(role), seq, counts, body: ballotIn(entries, seq) };
  });
  const counted = votes.filter((vote) => vote.counts);
  const counts = countVotes(counted.map(({ body }) => body));
  const reds = [...(session.subjects.get(completion.subject)?.reds ?? [])];
  const gaps = quorumGaps(counted);
  const beats = beatsSince(
    { entries, seq: completion.seq, at: proposed.at },
    session,
    nowMs,
    tempo,
  );
  const verdict = reds.length > 0 ? "blocked" : verdictOf(counts);
  const { phase, isConverged } = completion;
  const { beatsMax } = tempo;
  const next = nextStep({ phase, counts, verdict, gaps, isConverged, beats, beatsMax });
  const over = whyOver(completion, session);
  const isOpen = over === undefined;
  return {
    ...{ trace, completion_id: id, seq: completion.seq, body: proposed.body, phase, votes, counts },
    is_converged: isConverged,
    revised_by: completion.revisedBy ?? null,
    blockers: isOpen
      ? blockersOf({ phase, undone: proposed.body.undone, reds, gaps, next })
      : [over],
    notes: sharedFamilies(proposed.body.authors, votesAsKin(counted)),
    next: isOpen ? next : "nothing",
    beats,
    is_late: phase === "REVIEW" && isOpen && isLate(session, proposed.body.due_beat),
  };
}

/** Why nobody votes on it any more, whatever is missing; undefined where it goes on, or was agreed on. */
function whyOver({ revisedBy, phase }: CompletionView, { state }: Session): string | undefined {
  if (revisedBy !== undefined) return `it was revised by ${revisedBy}`;
  const isUndecided = phase === "DRAFT" || phase === "REVIEW";
  return isUndecided && FINAL_STATES.includes(state)
    ? `its session has ended: ${state}`
    : undefined;
}

/** Nothing is late where nobody asked for a beat, or nobody opens any. */
function isLate({ cadence }: Session, due: number | undefined): boolean {
  return due !== undefined && !isBefore(cadence.beat, due);
}

/**
 * Beats since something was said, up to the one that it is now: where nobody opens any more, and where
 * nobody ever did, they are counted on the clock.
 */
function beatsSince(
  { entries, seq, at }: { entries: readonly Entry[]; seq: number; at: string },
  { cadence: { beat } }: Session,
  nowMs: number,
  tempo: Tempo,
): number {
  if (beat === undefined) {
    return Math.floor((nowMs - Date.parse(at)) / (tempo.beatMs ?? BEAT_MS));
  }
  const isBeat = ({ type }: Entry) => type === "beat_opened";
  const from = entries.slice(0, seq).findLast(isBeat) ?? entries.find(isBeat);
  return from?.type === "beat_opened" ? beatAt(beat, nowMs).beat_index - from.body.beat_index : 0;
}

function votesAsKin(votes: readonly ReviewVote[]) {
  return votes.map(({ agent, body }) => ({ agent, family: body.family }));
}

function blockersOf(found: {
  readonly phase: CompletionView["phase"];
  readonly undone: readonly string[];
  readonly reds: readonly string[];
  readonly gaps: readonly string[];
  readonly next: NextStep;
}): string[] {
  if (found.phase === "DRAFT") return found.undone.map((item) => `not done: ${item}`);
  if (found.phase !== "REVIEW") return [];
  return [
    ...found.reds.map((agent) => `the red vote of ${agent}`),
    ...found.gaps.map((gap) => `missing: ${gap}`),
    ...(["wait", "agree", "fix"].includes(found.next) ? [] : [STEP_WORDS[found.next]]),
  ];
}

/** The entries that the fold remembered; the trace was read after it, and a trace only grows. */
function proposedIn(entries: readonly Entry[], seq: number): Entry<"completion_proposed"> {
  const entry = entries[seq];
  assert(entry?.type === "completion_proposed", `entry ${seq} proposes a completion`);
  return entry;
}

function ballotIn(entries: readonly Entry[], seq: number): Body<"vote_cast"> {
  const entry = entries[seq];
  assert(entry?.type === "vote_cast", `entry ${seq} is a vote`);
  return entry.body;
}

/** The colours of votes that count, as MCP clients are told. */
export function votesOf({ counts }: Review): Record<Vote, number> {
  return { ...counts };
}
