import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SwornError, ulid } from "../../base/index.ts";
import { redactionHash } from "../../keyring/index.ts";
import { LocalLedger } from "../../ledger/local.ts";
import type { EventRequest } from "../../schema/index.ts";
import { FINAL_STATES, type Refusal, refuse, type Session } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { RUNTIME_AGENT } from "./complete.ts";
import { type Draft, draftGroup, type RecordOptions, signerOf } from "./draft.ts";
import { OpenedTrace } from "./opened-trace.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** How often a group is tried again when other processes keep being faster. */
const RACES_MAX = 1_000;
/**
 * Longest wait between two tries, in milliseconds; random, so that rivals fall out of step. About as
 * long as a commit takes: with eight rivals, longer waits leave the ledger idle most of the time.
 */
const RACE_WAIT_MS = 1;

/** What came of a group of requests: how many were recorded, and why the next one was not. */
export interface RecordOutcome {
  readonly recorded: number;
  readonly refusal?: Refusal;
}

/**
 * The one writer of a trace: judges each request against the session, signs it as its agent, and
 * appends it. What is refused leaves no trace; what is acknowledged is on disk.
 */
export class Recorder {
  readonly id: string;
  readonly #place: Place;
  /** Agents whose keys were compared with the keyring's; once a recorder is enough. */
  readonly #compared = new Set<string>();
  #trace: OpenedTrace | undefined;

  private constructor(place: Place, id: string, trace: OpenedTrace | undefined) {
    this.#place = place;
    this.id = id;
    this.#trace = trace;
  }

  /** A new trace. Nothing is created before its first request is found good. */
  static start(place: Place, id = freshTrace(place)): Recorder {
    return new Recorder(place, id, undefined);
  }

  /** Continues a trace; see {@link OpenedTrace.open} for what is checked first. */
  static resume(place: Place, id: string): Recorder {
    return new Recorder(place, id, OpenedTrace.open(place, id));
  }

  get session(): Session | undefined {
    return this.#trace?.session;
  }

  /** The logical time of the last entry. */
  get hlc(): string | undefined {
    return this.#trace?.hlc;
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
    const hash = redactionHash(this.#place.keyFolder, resolve(this.#place.store));
    for (const group of groupsOf(requests.map((request) => withoutSecrets(request, hash)))) {
      const trace = this.#trace ?? (await this.#create(group[0]));
      if (!(trace instanceof OpenedTrace)) return { recorded, refusal: trace };
      if (group.some(({ actor }) => !this.#compared.has(actor.agent))) {
        await this.#compareKeys(trace, group);
      }
      const outcome = await this.#recordGroup(trace, group, options);
      recorded += outcome.recorded;
      if (outcome.refusal) return { recorded, refusal: outcome.refusal };
    }
    return { recorded };
  }

  /** Records an agent's newer key where the trace does not know it yet; false when there is none. */
  async handOver(agent: string): Promise<boolean> {
    const trace = this.#trace;
    if (!trace) return false;
    this.#compared.add(agent);
    const request = isOpen(trace.session) ? await this.#handOverRequest(trace, agent) : undefined;
    if (!request) return false;
    const { refusal } = await this.#recordGroup(trace, [request], { artifactRoots: [] });
    if (!refusal) return true;
    // Another recorder may have handed over the same key meanwhile.
    const isDone = trace.session.keys.has(this.#place.keyring.current(agent)?.key ?? "");
    if (isDone) return false;
    throw new SwornError("KEY_UNUSABLE", refusal.reason);
  }

  /** Takes in what others appended meanwhile. */
  catchUp(): void {
    if (this.#trace?.ledger.hasNews()) this.#trace.catchUp();
  }

  close(): void {
    this.#trace?.ledger.close();
  }

  async #recordGroup(
    trace: OpenedTrace,
    group: readonly EventRequest[],
    options: RecordOptions,
  ): Promise<RecordOutcome> {
    for (let race = 0; race < RACES_MAX; race += 1) {
      const draft = await this.#draft(trace, group, options);
      if (await this.#settleOrDiscard(trace, draft)) return outcomeOf(draft);
      if (draft.isFolded) trace.refold();
      await wait(Math.random() * RACE_WAIT_MS);
      trace.catchUp();
    }
    throw new SwornError(
      "LEDGER_BUSY",
      `${this.id}: ${RACES_MAX} attempts lost to other writers; try again`,
    );
  }

  /** A request that cannot even be drafted takes nothing with it that was folded before it. */
  async #draft(trace: OpenedTrace, group: readonly EventRequest[], options: RecordOptions) {
    try {
      return await draftGroup(this.#place, trace, group, options);
    } catch (error) {
      if (trace.ledger.head.size === 0) this.#discard(trace);
      else trace.refold();
      throw error;
    }
  }

  /** Where not even the first entry could be written, there is nothing that a trace would be of. */
  async #settleOrDiscard(trace: OpenedTrace, draft: Draft): Promise<boolean> {
    try {
      return await this.#settle(trace, draft);
    } catch (error) {
      const isUnwritten = error instanceof SwornError && error.code === "LEDGER_WRITE_FAILED";
      if (isUnwritten && trace.ledger.head.size === 0) this.#discard(trace);
      throw error;
    }
  }

  /** Appends a draft; false when it was made on a state that is no longer the newest. */
  async #settle(trace: OpenedTrace, draft: Draft): Promise<boolean> {
    // A refusal counts only against the newest state: somebody may just have made it right.
    if (draft.refusal && trace.ledger.hasNews()) return false;
    if (draft.entries.length > 0) {
      const signer = await signerOf(this.#place, RUNTIME_AGENT, draft.runtimeKey);
      if (!trace.ledger.append(trace.ledger.head, draft.entries, signer)) return false;
      trace.took(draft);
    }
    if (trace.ledger.head.size === 0) this.#discard(trace);
    return true;
  }

  /** Only a session's first event makes a new trace; anything else is refused before a file exists. */
  async #create(first: EventRequest | undefined): Promise<OpenedTrace | Refusal> {
    if (first?.type !== "session_initialized") {
      return refuse(
        "STATE_GUARD",
        `a new trace begins with session_initialized, not with ${first?.type}`,
      );
    }
    const { key } = await this.#place.keyring.ensure(RUNTIME_AGENT);
    const signer = await signerOf(this.#place, RUNTIME_AGENT, key);
    this.#place.prepareTrace(this.id);
    const path = this.#place.ledgerPath(this.id);
    const heads = this.#place.heads(this.id);
    const isNew = !existsSync(path) && !heads.exists();
    try {
      this.#trace = new OpenedTrace(LocalLedger.create(this.id, path, heads, signer));
      return this.#trace;
    } catch (error) {
      if (isNew) this.#remove();
      throw error;
    }
  }

  /** Takes an empty trace away again: its first request was refused, or could not be written. */
  #discard(trace: OpenedTrace): void {
    trace.ledger.close();
    this.#trace = undefined;
    this.#remove();
  }

  #remove(): void {
    rmSync(this.#place.traceFolder(this.id), { recursive: true, force: true });
    rmSync(this.#place.heads(this.id).path, { force: true });
  }

  async #compareKeys(trace: OpenedTrace, group: readonly EventRequest[]): Promise<void> {
    if (!this.#compared.has(RUNTIME_AGENT)) await this.handOver(RUNTIME_AGENT);
    for (const { actor } of group) {
      const isKnown = trace.session.agents.has(actor.agent);
      if (isKnown && !this.#compared.has(actor.agent)) await this.handOver(actor.agent);
    }
  }

  /**
   * Where the keyring holds a newer key than the trace knows: the entry that says so, signed with
   * the old key; where that one was revoked, by the operator, and for the operator by the runtime.
   */
  async #handOverRequest(trace: OpenedTrace, agent: string): Promise<EventRequest | undefined> {
    const known = trace.session.agents.get(agent);
    const current = this.#place.keyring.current(agent);
    if (!known || !current || trace.session.keys.has(current.key)) return undefined;
    // A stranger's trace is never taken over, not even by an operator it borrowed from us.
    if (agent === RUNTIME_AGENT && !this.#place.keyring.has(agent, known.key)) return undefined;
    const actor = (await this.#canSign(known.key, agent))
      ? { agent, role: known.roles[0] ?? "runtime" }
      : await this.#keeper(trace.session);
    return { actor, type: "key_rotated", body: { agent } };
  }

  async #keeper({ agents }: Session): Promise<EventRequest["actor"]> {
    for (const [agent, { roles, key }] of agents) {
      if (roles.includes("operator") && (await this.#canSign(key, agent))) {
        return { agent, role: "operator" };
      }
    }
    return { agent: RUNTIME_AGENT, role: "runtime" };
  }

  async #canSign(key: string | undefined, agent: string): Promise<boolean> {
    return key !== undefined && (await this.#place.keyring.signer(agent, key)) !== undefined;
  }
}

/** The name of a trace that nobody has begun. */
export function freshTrace(place: Place): string {
  return `trace_${ulid(place.clock())}`;
}

function outcomeOf({ done, refusal }: Draft): RecordOutcome {
  return refusal ? { recorded: done, refusal } : { recorded: done };
}

/** An audit reads the ledger, so what comes before it must be there: it stands alone. */
function groupsOf(requests: readonly EventRequest[]): (readonly EventRequest[])[] {
  if (!requests.some(({ type }) => type === "verification_run_completed")) return [requests];
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

/** Whether a session can still take entries. */
export function isOpen(session: Session): boolean {
  return !FINAL_STATES.includes(session.state);
}
