import { requirementIds } from "../../scan/requirement/index.ts";
import type { StatusClaim } from "../../schema/beat-frame.ts";
import type { BeatOpened, Entry, EventType } from "../../schema/index.ts";
import { compareMoments, type Moment } from "../../view/index.ts";
import { toStatusClaim } from "./beat-frame.ts";

const GOALS_MAX = 100;

/** What happened in one beat. */
export interface BeatOfTrace {
  readonly beat: BeatOpened;
  /** When it was opened, by the entry that did. */
  readonly opened_at: string;
  readonly hlc: string;
  entries: number;
  /** What was recorded in it, by type. */
  readonly moved: Map<EventType, number>;
  readonly statuses: StatusClaim[];
}

/** Something that was stored, by what it is found again by. */
export interface KeyedEvidence extends Moment {
  readonly window_id: string;
  readonly goal_ids: readonly string[];
  readonly seq: number;
  readonly type: EventType;
  readonly agent: string;
  readonly artifacts: readonly { readonly name: string | null; readonly hash: string }[];
}

/** The beats of a trace, in their order, and what was stored in them. */
export interface TraceBeats {
  readonly beats: readonly BeatOfTrace[];
  readonly evidence: readonly KeyedEvidence[];
  /** What the whole session is for. */
  readonly goals: readonly string[];
}

/** Sorts entries into the beats that they belong to. What came before the first beat is in none. */
export function readBeats(entries: readonly Entry[]): TraceBeats {
  const beats = new Map<number, BeatOfTrace>();
  for (const entry of entries) {
    if (entry.type !== "beat_opened") continue;
    const { body, at, hlc } = entry;
    const counts = { entries: 0, moved: new Map(), statuses: [] };
    beats.set(body.beat_index, { beat: body, opened_at: at, hlc, ...counts });
  }
  const goals = goalsOf(entries);
  const evidence: KeyedEvidence[] = [];
  for (const entry of entries) {
    const one = beats.get(beatOf(entry, beats));
    if (one === undefined) continue;
    count(one, entry);
    if (entry.artifacts.length > 0) evidence.push(keyed(entry, one.beat, goals));
  }
  return { beats: [...beats.values()], evidence: evidence.toSorted(compareMoments), goals };
}

/** A status names its beat; other entries carry it, or were there before it was opened for them. */
function beatOf(entry: Entry, beats: ReadonlyMap<number, BeatOfTrace>): number {
  if (entry.type === "status_claimed") return entry.body.beat_index;
  if (entry.beat !== undefined) return entry.beat;
  const atMs = Date.parse(entry.at);
  for (const { beat } of beats.values()) {
    const endMs = Date.parse(beat.deadline_at);
    if (atMs < endMs && atMs >= endMs - beat.beat_ms) return beat.beat_index;
  }
  return -1;
}

function count(one: BeatOfTrace, entry: Entry): void {
  one.entries += 1;
  one.moved.set(entry.type, (one.moved.get(entry.type) ?? 0) + 1);
  if (entry.type === "status_claimed") one.statuses.push(toStatusClaim(entry.body, entry.hlc));
}

function keyed(entry: Entry, beat: BeatOpened, goals: readonly string[]): KeyedEvidence {
  const own = requirementIds(JSON.stringify(entry.body));
  return {
    hlc: entry.hlc,
    beat_index: beat.beat_index,
    window_id: beat.window_id,
    goal_ids: own.length > 0 ? [...new Set(own)].slice(0, GOALS_MAX) : goals,
    seq: entry.seq,
    type: entry.type,
    agent: entry.actor.agent,
    artifacts: entry.artifacts.map(({ name, hash }) => ({ name: name ?? null, hash })),
  };
}

/** What the session, its proposals and its runs say they are for; without a requirement, its task. */
function goalsOf(entries: readonly Entry[]): string[] {
  const found = entries.flatMap(goalsIn);
  const [first] = entries;
  const task = first?.type === "session_initialized" ? [first.body.task] : [];
  return found.length > 0 ? [...new Set(found)].slice(0, GOALS_MAX) : task;
}

function goalsIn(entry: Entry): string[] {
  switch (entry.type) {
    case "session_initialized":
      return requirementIds(entry.body.objective);
    case "proposal_created":
      return entry.body.units.flatMap(({ objective }) => requirementIds(objective));
    case "status_claimed":
      return requirementIds(entry.body.metadata?.["goal_ids"] ?? "");
    default:
      return [];
  }
}
