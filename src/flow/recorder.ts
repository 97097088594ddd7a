import { rmSync } from "node:fs";
import { assert, nextHlc, type Signer, SwornError, ulid } from "../base/index.ts";
import { type SealedEntry, sealEntry, type UnsignedEntry } from "../ledger/index.ts";
import { LocalLedger } from "../ledger/local.ts";
import { ENTRY_VERSION, type EventRequest, type Parent } from "../schema/index.ts";
import {
  apply,
  type Event,
  FINAL_STATES,
  judge,
  linksOf,
  type Refusal,
  type Session,
} from "../view/index.ts";
import { storeArtifacts } from "./artifact-input.ts";
import { completeBody, missingKey, RUNTIME_AGENT } from "./complete.ts";
import { OpenedTrace } from "./opened-trace.ts";
import type { Place } from "./place.ts";

/** How often a group is tried again when other processes keep being faster. */
const RACES_MAX = 1_000;
/** Longest wait between two tries, in milliseconds; random, so that rivals fall out of step. */
const RACE_WAIT_MS = 8;

/** What came of a group of requests: how many were recorded, and why the next one was not. */
export interface RecordOutcome {
  readonly recorded: number;
  readonly refusal?: Refusal;
}

/** Where artifacts named by path may lie. */
export interface RecordOptions {
  readonly artifactRoots: readonly string[];
}

/**
 * The one writer of a trace: judges each request against the session, signs it as its agent, and
 * appends it. What is refused leaves no trace; what is acknowledged is on disk.
 */
export class Recorder {
  readonly id: string;
  readonly #place: Place;
  readonly #handedOver = new Set<string>();
  #trace: OpenedTrace | undefined;

  private constructor(place: Place, id: string, trace: OpenedTrace | undefined) {
    this.#place = place;
    this.id = id;
    this.#trace = trace;
  }

  /** A new trace. Nothing is created before its first request is found good. */
  static start(place: Place): Recorder {
    return new Recorder(place, `trace_${ulid(place.clock())}`, undefined);
  }

  /** Continues a trace; see {@link OpenedTrace.open} for what is checked first. */
  static resume(place: Place, id: string): Recorder {
    return new Recorder(place, id, OpenedTrace.open(place, id));
  }

  get session(): Session | undefined {
    return this.#trace?.session;
  }

  get head(): { size: number; hash: string } {
    return this.#trace?.ledger.head ?? { size: 0, hash: "" };
  }

  /**
   * Records requests in order, as one commit where possible, up to the first refusal.
   *
   * @throws SwornError when the input is bad or the world fails; what was recorded before stays.
   */
  async record(requests: readonly EventRequest[], options: RecordOptions): Promise<RecordOutcome> {
    let recorded = 0;
    for (const group of groupsOf(requests)) {
      const outcome = await this.#recordGroup(group, options);
      recorded += outcome.recorded;
      if (outcome.refusal) return { recorded, refusal: outcome.refusal };
    }
    return { recorded };
  }

  /** Records an agent's newer key where the trace does not know it yet; false when there is nothing to record. */
  async handOver(agent: string): Promise<boolean> {
    if (!this.#trace) return false;
    const { size } = this.head;
    await this.#handOverKeys(this.#trace, [agent], { artifactRoots: [] });
    return this.head.size > size;
  }

  close(): void {
    this.#trace?.ledger.close();
  }

  async #recordGroup(
    group: readonly EventRequest[],
    options: RecordOptions,
  ): Promise<RecordOutcome> {
    if (this.#trace)
      await this.#handOverKeys(
        this.#trace,
        [RUNTIME_AGENT, ...group.map(({ actor }) => actor.agent)],
        options,
      );
    for (let race = 0; race < RACES_MAX; race += 1) {
      const trace = this.#trace ?? (await this.#create(group[0]));
      if (!(trace instanceof OpenedTrace)) return { recorded: 0, refusal: trace };
      if (race > 0) trace.catchUp();
      const draft = await this.#draft(trace, group, options);
      if (draft.entries.length === 0) {
        if (trace.ledger.head.size === 0) this.#discard(trace);
        return draft.outcome;
      }
      const signer = await this.#signer(RUNTIME_AGENT, draft.runtimeKey);
      const { size, hash } = trace.ledger.head;
      if (trace.ledger.append({ size, hash }, draft.entries, signer)) {
        trace.took(draft.entries, draft.isFolded);
        return draft.outcome;
      }
      if (draft.isFolded) trace.refold();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * RACE_WAIT_MS));
    }
    throw new SwornError(
      "LEDGER_BUSY",
      `${this.id}: ${RACES_MAX} attempts lost to other writers; try again`,
    );
  }

  /** Only a session's first event makes a new trace; anything else is refused before a file exists. */
  async #create(first: EventRequest | undefined): Promise<OpenedTrace | Refusal> {
    if (first?.type !== "session_initialized") {
      const reason = `a new trace begins with session_initialized, not with ${first?.type}`;
      return { kind: "refused", rule: "STATE_GUARD", reason };
    }
    const { key } = await this.#place.keyring.ensure(RUNTIME_AGENT);
    const signer = await this.#signer(RUNTIME_AGENT, key);
    this.#place.prepareTrace(this.id);
    const ledger = LocalLedger.create(
      this.id,
      this.#place.ledgerPath(this.id),
      this.#place.heads(this.id),
      signer,
    );
    this.#trace = new OpenedTrace(ledger);
    return this.#trace;
  }

  /** Takes an empty trace away again: its first request was refused. */
  #discard(trace: OpenedTrace): void {
    trace.ledger.close();
    this.#trace = undefined;
    rmSync(this.#place.traceFolder(this.id), { recursive: true, force: true });
    rmSync(this.#place.heads(this.id).path, { force: true });
  }

  /**
   * Where the keyring holds a newer key than the trace knows, records the change first: signed with
   * the old key, or by the operator when that one was revoked. Asked once an agent.
   */
  async #handOverKeys(
    trace: OpenedTrace,
    agents: readonly string[],
    options: RecordOptions,
  ): Promise<void> {
    if (!isOpen(trace.session)) return;
    for (const agent of new Set(agents)) {
      const known = trace.session.agents.get(agent);
      if (!known || this.#handedOver.has(agent)) continue;
      this.#handedOver.add(agent);
      const current = this.#place.keyring.current(agent);
      if (!current || current.key === known.key || trace.session.keys.has(current.key)) continue;
      const own =
        known.key === undefined ? undefined : await this.#place.keyring.signer(agent, known.key);
      const actor = own ? { agent, role: known.roles[0] ?? "runtime" } : operatorOf(trace.session);
      await this.#recordGroup([{ actor, type: "key_rotated", body: { agent } }], options);
    }
  }

  /** Judges and seals a group on top of the current head, without appending anything. */
  async #draft(trace: OpenedTrace, group: readonly EventRequest[], options: RecordOptions) {
    const entries: SealedEntry[] = [];
    // A single request is judged without being folded in, so that a lost race costs nothing.
    const isFolded = group.length > 1;
    let { size: seq, hash: prev } = trace.ledger.head;
    let { hlc, runtimeKey } = trace;
    let refusal: Refusal | undefined;
    let recorded = 0;
    for (const request of group) {
      const event = await this.#toEvent(trace, request, seq, options);
      refusal = "kind" in event ? event : judge(trace.session, event);
      if (refusal || "kind" in event) break;
      hlc = nextHlc(hlc, this.#place.clock());
      const parents = linksOf(trace.session, event);
      const unsigned = this.#toEntry(event, request, { seq, prev, hlc, parents });
      const sealed = sealEntry(unsigned, await this.#signer(event.actor.agent, event.actor.key));
      runtimeKey = runtimeKeyAfter(event) ?? runtimeKey;
      entries.push(sealed);
      recorded += 1;
      [seq, prev] = [seq + 1, sealed.hash];
      if (isFolded) apply(trace.session, event);
    }
    const outcome: RecordOutcome = refusal ? { recorded, refusal } : { recorded };
    return { entries, outcome, isFolded, runtimeKey };
  }

  async #toEvent(
    trace: OpenedTrace,
    request: EventRequest,
    seq: number,
    options: RecordOptions,
  ): Promise<Event | Refusal> {
    const stored = storeArtifacts(
      this.#place.artifacts,
      request.artifacts ?? [],
      options.artifactRoots,
    );
    const completed = await completeBody(this.#place, trace, request, stored);
    if ("kind" in completed) return completed;
    const { agent, role } = request.actor;
    const key = ownKey(trace.session, completed.body, agent);
    const { idem } = request;
    return {
      seq,
      type: request.type,
      actor: { agent, role, key },
      ...completed,
      ...(idem === undefined ? {} : { idem }),
    } as Event;
  }

  #toEntry(
    event: Event,
    request: EventRequest,
    place: { seq: number; prev: string; hlc: string; parents: Parent[] },
  ): UnsignedEntry {
    const { run } = request.actor;
    return {
      v: ENTRY_VERSION,
      trace: this.id,
      ...place,
      at: new Date(this.#place.clock()).toISOString(),
      ...(request.beat === undefined ? {} : { beat: request.beat }),
      ...event,
      actor: { ...event.actor, ...(run === undefined ? {} : { run }) },
    } as UnsignedEntry;
  }

  async #signer(agent: string, key: string | undefined): Promise<Signer> {
    const signer = key === undefined ? undefined : await this.#place.keyring.signer(agent, key);
    if (!signer) throw missingKey(agent, key);
    return signer;
  }
}

/** The key an agent acts with: the one the session knows, or the one its first entry enrols. */
function ownKey(session: Session, body: Event["body"], agent: string): string {
  const enrolled =
    "agents" in body ? body.agents.find((one) => one.agent === agent)?.key : undefined;
  return enrolled ?? session.agents.get(agent)?.key ?? "";
}

/** The checkpoint over an entry that changes the runtime's key is signed with the new one. */
function runtimeKeyAfter(event: Event): string | undefined {
  if (event.type === "session_initialized")
    return event.body.agents.find(({ roles }) => roles.includes("runtime"))?.key;
  return event.type === "key_rotated" && event.body.agent === RUNTIME_AGENT
    ? event.body.new_key
    : undefined;
}

/** An audit reads the ledger, so what comes before it must be there: it stands alone. */
function groupsOf(requests: readonly EventRequest[]): EventRequest[][] {
  const groups: EventRequest[][] = [];
  let open: EventRequest[] = [];
  for (const request of requests) {
    if (request.type === "verification_run_completed") {
      groups.push(open, [request]);
      open = [];
    } else open.push(request);
  }
  return [...groups, open].filter((group) => group.length > 0);
}

function operatorOf(session: Session): { agent: string; role: "operator" } {
  const agent = [...session.agents].find(([, { roles }]) => roles.includes("operator"))?.[0];
  assert(agent !== undefined, "every session has an operator");
  return { agent, role: "operator" };
}

/** Whether a session can still take entries. */
export function isOpen(session: Session): boolean {
  return !FINAL_STATES.includes(session.state);
}
