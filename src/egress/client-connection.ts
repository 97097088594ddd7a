import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Clock } from "../base/index.ts";
import { type ExchangeEnd, type ExchangeTools, exchange } from "./exchange.ts";
import { HeadReader } from "./head-reader.ts";
import { terminateTls } from "./inner-tls.ts";
import {
  type Admitted,
  judgeAbsolute,
  judgeConnect,
  judgeRequest,
  namedHost,
  type Place,
} from "./judge.ts";
import type { EgressLimits } from "./limits.ts";
import { type EgressLog, loggedMethod } from "./log.ts";
import { isRefusal, type Refusal, refusalAnswer, refuse } from "./refusal.ts";
import { parseHead, type RequestHead, valuesOf } from "./request-head.ts";
import type { Origin } from "./rule.ts";
import type { RunAuthority } from "./run-authority.ts";
import type { Turnstile } from "./turnstile.ts";

/** What connections share. */
export interface ConnectionTools extends ExchangeTools {
  readonly limits: EgressLimits;
  readonly authority: RunAuthority | undefined;
  readonly turnstile: Turnstile;
  readonly log: EgressLog;
  readonly clock: Clock;
  /** Whether a URL holds something that is known to be secret, or looks like it. */
  readonly findSecret: (url: string) => boolean;
  readonly front: Front | undefined;
}

/**
 * A service that the inside may take the proxy for: programs that know no proxies are given an
 * address of their own loopback, and their requests go to the one origin that it stands for.
 */
export interface Front {
  /** What the inside calls it. */
  readonly as: Origin;
  readonly for: Origin;
}

/** How long a refused client may take to read why. */
const LINGER_MS = 1_000;

/** Where a request was meant to go, for the log. */
interface Asked {
  readonly host: string;
  readonly method: string;
  readonly startedAt: number;
}

type PlaceOf = (head: RequestHead) => Place | Refusal;

/** `new` before a whole head came, `greeted` before the handshake, `idle` between requests, `waiting` for its turn, `busy` in it. */
export type Stage = "new" | "greeted" | "idle" | "waiting" | "busy";

/** One connection from the inside, from its first byte to its close. */
export class ClientConnection {
  #stage: Stage = "new";
  #stageSince = performance.now();
  readonly #raw: Socket;
  readonly #tools: ConnectionTools;
  readonly #gone = new AbortController();
  #deadline = 0;
  /** Bytes moved since the last sweep: then the deadline is put off, at most until the latest one. */
  #hasMoved = false;
  #latest = 0;
  #stallMs = 0;
  #asked: Asked | undefined;

  constructor(raw: Socket, tools: ConnectionTools) {
    this.#raw = raw;
    this.#tools = tools;
    this.#within(tools.limits.headMs);
    // An error is followed by a close, which is what everything here waits for.
    raw.on("error", () => undefined);
    raw.once("close", () => this.#gone.abort());
  }

  /** Speaks with the client until one of both has enough. */
  async serve(): Promise<void> {
    const reader = new HeadReader(this.#raw, this.#tools.limits.headBytesMax);
    const head = await this.#readHead(reader);
    if (head === undefined) return this.cut();
    if (isRefusal(head)) return this.#refuse(this.#raw, head);
    if (head.method === "CONNECT") return this.#serveTls(head, reader);
    const { front } = this.#tools;
    // A whole URL asks a proxy; a path alone asks whom the inside takes this to be.
    const placeOf: PlaceOf = (one) =>
      front !== undefined && one.target.startsWith("/")
        ? { origin: front.for, target: one.target, named: front.as }
        : judgeAbsolute(one, this.#tools.rules);
    await this.#serveRequests(this.#raw, reader, placeOf, head);
  }

  get stage(): Stage {
    return this.#stage;
  }

  /** Whether it has been at its stage for a while. */
  hasRested(nowMs: number): boolean {
    return nowMs - this.#stageSince >= this.#tools.limits.graceMs;
  }

  /** Ends the connection now. */
  cut(): void {
    this.#raw.destroy();
  }

  /** Ends the connection when its time is up. */
  sweep(nowMs: number): void {
    if (this.#hasMoved) {
      this.#deadline = Math.min(this.#latest, nowMs + this.#stallMs);
      this.#hasMoved = false;
    }
    if (nowMs < this.#deadline) return;
    // Half a head is a request too; a connection that never said a word is not.
    const isHalf = this.#asked === undefined && this.stage === "new" && this.#raw.bytesRead > 0;
    if (isHalf) this.#ask("", "");
    this.#note(refuse("timeout", "too slow"));
    this.cut();
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    this.#stageSince = performance.now();
  }

  #within(ms: number): void {
    this.#hasMoved = false;
    this.#deadline = performance.now() + ms;
  }

  async #serveTls(head: RequestHead, reader: HeadReader): Promise<void> {
    const { rules, limits, authority } = this.#tools;
    this.#ask(namedHost(head), "CONNECT");
    const origin = judgeConnect(head, rules);
    if (isRefusal(origin)) return this.#refuse(this.#raw, origin);
    if (authority === undefined) {
      const reason = "no tunnel leads out of here; the model answers at its address inside";
      return this.#refuse(this.#raw, refuse("tunnel", reason));
    }
    this.#enter("greeted");
    this.#within(limits.headMs);
    this.#raw.write("HTTP/1.1 200 Connection established\r\n\r\n");
    const listed = rules.rulesFor(origin.scheme, origin.host, origin.port);
    const isAlpnOptional = listed.some((rule) => rule.isAlpnOptional === true);
    const options = { authority, isAlpnOptional };
    const stream = await terminateTls(this.#raw, reader, origin.host, options);
    if (isRefusal(stream)) {
      this.#note(stream);
      return this.cut();
    }
    this.#asked = undefined;
    const inner = new HeadReader(stream, limits.headBytesMax);
    await this.#serveRequests(stream, inner, (one) => ({
      origin,
      target: one.target,
      named: origin,
    }));
  }

  async #serveRequests(
    stream: Duplex,
    reader: HeadReader,
    placeOf: PlaceOf,
    first?: RequestHead,
  ): Promise<void> {
    const { limits } = this.#tools;
    let head: RequestHead | Refusal | undefined = first;
    for (let count = 0; count < limits.requestsPerConnectionMax; count += 1) {
      this.#enter("idle");
      this.#within(limits.idleMs);
      head ??= await this.#readHead(reader);
      if (head === undefined) return this.cut();
      if (isRefusal(head)) return this.#refuse(stream, head);
      const isLast = await this.#serveOne(stream, reader, head, placeOf);
      if (isLast) break;
      head = undefined;
    }
    stream.end();
    this.#within(LINGER_MS);
  }

  /** @returns whether the connection ends with this request */
  async #serveOne(
    stream: Duplex,
    reader: HeadReader,
    head: RequestHead,
    placeOf: PlaceOf,
  ): Promise<boolean> {
    const place = placeOf(head);
    this.#ask(isRefusal(place) ? "" : place.origin.host, head.method);
    const admitted = isRefusal(place) ? place : this.#judge(head, place);
    if (isRefusal(admitted)) {
      this.#refuse(stream, admitted);
      return true;
    }
    this.#enter("waiting");
    this.#within(this.#tools.limits.requestMs);
    const leave = await this.#tools.turnstile.enter(this.#gone.signal);
    if (leave === undefined) {
      this.#note(refuse("busy", "the inside closed the connection before its turn"));
      return true;
    }
    this.#enter("busy");
    try {
      const end = await this.#exchange(stream, reader, head, admitted);
      return this.#conclude(stream, head, admitted, end);
    } finally {
      leave();
    }
  }

  #judge(head: RequestHead, place: Place): Admitted | Refusal {
    const admitted = judgeRequest(head, place, this.#tools.rules);
    if (isRefusal(admitted) || !this.#tools.findSecret(admitted.target.text)) return admitted;
    return refuse("secret", "the URL holds something that is, or looks like, a secret");
  }

  #exchange(stream: Duplex, reader: HeadReader, head: RequestHead, admitted: Admitted) {
    const { requestMs } = this.#tools.limits;
    this.#stallMs = admitted.rule.stallMs ?? this.#tools.limits.stallMs;
    this.#latest = performance.now() + requestMs;
    this.#within(Math.min(this.#stallMs, requestMs));
    const onProgress = () => {
      this.#hasMoved = true;
    };
    const body = admitted.bodyBytes > 0 ? reader.body(admitted.bodyBytes, onProgress) : undefined;
    return exchange({ client: stream, head, admitted, body, onProgress }, this.#tools);
  }

  #conclude(
    stream: Duplex,
    head: RequestHead,
    { rule, bodyBytes }: Admitted,
    end: ExchangeEnd,
  ): boolean {
    if (end.refusal !== undefined && end.isUntold) {
      this.#refuse(stream, end.refusal, end);
      return true;
    }
    this.#note(end.refusal ?? rule.name, end);
    const wishes = valuesOf(head, "connection").join(",").toLowerCase();
    // An answer may come before the whole body went out; what is left of it must not be read as a request.
    const isLast = bodyBytes > 0 || wishes.includes("close");
    return isLast || end.refusal !== undefined;
  }

  async #readHead(reader: HeadReader): Promise<RequestHead | Refusal | undefined> {
    const bytes = await reader.nextHead();
    if (bytes === undefined || this.#tools.log.isFull) return undefined;
    const head = isRefusal(bytes) ? bytes : parseHead(bytes);
    this.#ask("", isRefusal(head) ? "" : head.method);
    return head;
  }

  #ask(host: string, method: string): void {
    const startedAt = this.#asked?.startedAt ?? this.#tools.clock();
    this.#asked = { host, method: loggedMethod(method), startedAt };
  }

  #refuse(stream: Duplex, refusal: Refusal, end?: ExchangeEnd): void {
    this.#note(refusal, end);
    stream.end(refusalAnswer(refusal));
    // What the client still sends is thrown away, so that it gets to read the answer.
    stream.removeAllListeners("readable").resume();
    this.#within(LINGER_MS);
  }

  #note(outcome: Refusal | string, end?: ExchangeEnd): void {
    const { clock, log } = this.#tools;
    const asked = this.#asked;
    // A request is noted once, by whoever ends it first.
    if (asked === undefined) return;
    this.#asked = undefined;
    log.add({
      ...asked,
      bytesIn: end?.bytesIn ?? 0,
      bytesOut: end?.bytesOut ?? 0,
      endedAt: clock(),
      verdict: isRefusal(outcome) ? "refused" : "allowed",
      rule: isRefusal(outcome) ? outcome.refused : outcome,
      ...(end?.status === undefined ? {} : { status: end.status }),
    });
  }
}
