import { nextHlc, type Signer, seenHlc } from "../../base/index.ts";
import { type SealedEntry, sealEntry, type UnsignedEntry } from "../../ledger/index.ts";
import {
  type ArtifactRef,
  ENTRY_VERSION,
  type Entry,
  type EventRequest,
  type Parent,
} from "../../schema/index.ts";
import { apply, type Event, judge, linksOf, type Refusal, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { storeArtifacts } from "./artifact-input.ts";
import { completeBody, missingKey, RUNTIME_AGENT } from "./complete.ts";
import type { OpenedTrace } from "./opened-trace.ts";
import { isSaidBy } from "./repetition.ts";

/** Where artifacts named by path may lie. */
export interface RecordOptions {
  readonly artifactRoots: readonly string[];
  /**
   * The lease that the caller holds. Without it entries carry the number of the lease that stands:
   * whoever says a single thing does not lead, and cannot have been overtaken.
   */
  readonly fence?: number | undefined;
  /** A logical time that came from elsewhere: entries from here on are later than that. */
  readonly seen?: string | undefined;
}

/** Entries that are judged, signed and ready to be appended, up to the first refusal. */
export interface Draft {
  readonly entries: SealedEntry[];
  readonly events: Event[];
  /** How many requests are dealt with, those that an earlier try had recorded included. */
  done: number;
  refusal: Refusal | undefined;
  hlc: string | undefined;
  /** The key the checkpoint over these entries is signed with. */
  runtimeKey: string | undefined;
  /** Whether the events were folded into the session already. */
  readonly isFolded: boolean;
}

/** Judges and seals a group on top of the current head, without appending anything. */
export async function draftGroup(
  place: Place,
  trace: OpenedTrace,
  group: readonly EventRequest[],
  options: RecordOptions,
): Promise<Draft> {
  const draft: Draft = {
    entries: [],
    events: [],
    done: 0,
    refusal: undefined,
    hlc: options.seen === undefined ? trace.hlc : seenHlc(trace.hlc, options.seen, place.clock()),
    runtimeKey: trace.runtimeKey,
    // A single request is judged without being folded in, so that a lost race costs nothing.
    isFolded: group.length > 1,
  };
  for (const request of group) {
    if (!isRepetition(trace, draft, request)) await draftOne(place, trace, request, options, draft);
    if (draft.refusal) break;
    draft.done += 1;
  }
  return draft;
}

/** A request that was recorded before under the same key has had its effect. */
function isRepetition(trace: OpenedTrace, draft: Draft, request: EventRequest): boolean {
  const { session, ledger } = trace;
  const earlier = request.idem === undefined ? undefined : session.idems.get(request.idem);
  if (earlier === undefined) return false;
  const drafted = draft.entries[earlier.seq - ledger.head.size]?.line;
  const [line = drafted] = drafted === undefined ? ledger.read(earlier.seq) : [drafted];
  return line !== undefined && isSaidBy(JSON.parse(line) as Entry, request);
}

async function draftOne(
  place: Place,
  trace: OpenedTrace,
  request: EventRequest,
  options: RecordOptions,
  draft: Draft,
): Promise<void> {
  const { size, hash } = trace.ledger.head;
  const seq = size + draft.entries.length;
  const stored = storeArtifacts(place, request.artifacts ?? [], options.artifactRoots);
  const completed = await completeBody(place, trace, request, stored);
  if ("kind" in completed) {
    draft.refusal = completed;
    return;
  }
  const event = fenced(trace.session, toEvent(trace.session, request, seq, completed), options);
  draft.refusal = judge(trace.session, event);
  if (draft.refusal) return;
  const nowMs = place.clock();
  draft.hlc = nextHlc(draft.hlc, nowMs);
  const entry = toEntry(event, beatOf(trace.session, request), request.actor.run, {
    trace: trace.ledger.trace,
    at: new Date(nowMs).toISOString(),
    hlc: draft.hlc,
    parents: linksOf(trace.session, event),
    prev: draft.entries.at(-1)?.hash ?? hash,
  });
  draft.entries.push(sealEntry(entry, await signerOf(place, event.actor.agent, event.actor.key)));
  draft.events.push(event);
  draft.runtimeKey = runtimeKeyAfter(event) ?? draft.runtimeKey;
  if (draft.isFolded) apply(trace.session, event);
}

/** @throws SwornError `KEY_UNUSABLE` when this machine cannot sign with the key. */
export async function signerOf(
  place: Place,
  agent: string,
  key: string | undefined,
): Promise<Signer> {
  const signer = key === undefined ? undefined : await place.keyring.signer(agent, key);
  if (!signer) throw missingKey(agent, key);
  return signer;
}

function toEvent(
  session: Session,
  { actor, type, idem }: EventRequest,
  seq: number,
  { body, artifacts }: { body: Event["body"]; artifacts: readonly ArtifactRef[] },
): Event {
  const key = ownKey(session, body, actor.agent);
  const event = {
    seq,
    type,
    actor: { agent: actor.agent, key, role: actor.role },
    body,
    artifacts,
  };
  return (idem === undefined ? event : { ...event, idem }) as Event;
}

function fenced({ cadence: { lease } }: Session, event: Event, options: RecordOptions): Event {
  if (event.type === "lease_taken") return event;
  const fence = options.fence ?? (lease?.isStanding ? lease.number : undefined);
  return fence === undefined ? event : { ...event, fence };
}

/** Where beats are counted, everything is found again by the beat that it was written in. */
function beatOf({ cadence: { beat } }: Session, request: EventRequest): number | undefined {
  if (request.beat !== undefined) return request.beat;
  return request.type === "beat_opened" ? request.body.beat_index : beat?.beat_index;
}

function toEntry(
  event: Event,
  beat: number | undefined,
  run: string | undefined,
  place: { trace: string; at: string; hlc: string; parents: Parent[]; prev: string },
): UnsignedEntry {
  const { actor, artifacts, body, fence, idem, seq, type } = event;
  const { trace, at, hlc, parents, prev } = place;
  const who = run === undefined ? actor : { ...actor, run };
  const v = ENTRY_VERSION;
  // In canonical order, which spares sorting. Most entries have neither a beat nor a key of their own.
  const entry =
    beat === undefined && idem === undefined && fence === undefined
      ? { actor: who, artifacts, at, body, hlc, parents, prev, seq, trace, type, v }
      : {
          actor: who,
          artifacts,
          at,
          ...(beat === undefined ? {} : { beat }),
          body,
          ...(fence === undefined ? {} : { fence }),
          hlc,
          ...(idem === undefined ? {} : { idem }),
          parents,
          prev,
          seq,
          trace,
          type,
          v,
        };
  return entry as UnsignedEntry;
}

/** The key an agent acts with: the one the session knows, or the one its first entry enrols. */
function ownKey(session: Session, body: Event["body"], agent: string): string {
  const enrolled =
    "agents" in body ? body.agents.find((one) => one.agent === agent)?.key : undefined;
  return enrolled ?? session.agents.get(agent)?.key ?? "";
}

/** The checkpoint over an entry that changes the runtime's key is signed with the new one. */
function runtimeKeyAfter(event: Event): string | undefined {
  if (event.type === "session_initialized") {
    return event.body.agents.find(({ roles }) => roles.includes("runtime"))?.key;
  }
  const isHandOver = event.type === "key_rotated" && event.body.agent === RUNTIME_AGENT;
  return isHandOver ? event.body.new_key : undefined;
}
