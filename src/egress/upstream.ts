import { Agent, type ClientRequestArgs, type IncomingMessage, request } from "node:http";
import type { Duplex } from "node:stream";
import { createSecureContext, rootCertificates } from "node:tls";
import { AddressBook, type Resolve } from "./address-book.ts";
import { type DialTools, dial } from "./dial.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { EgressRule } from "./rule.ts";
import type { UpstreamProxy } from "./upstream-proxy.ts";

const ANSWER_HEAD_BYTES_MAX = 32_768;
const KEPT_PER_HOST_MAX = 8;

/** A refusal on its way through an interface that knows errors only. */
class DialRefused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Connections to checked addresses only; node's own way of connecting is never used. */
class CheckedAgent extends Agent {
  readonly #tools: DialTools;
  readonly #rules = new Map<string, EgressRule>();

  constructor(tools: DialTools) {
    super({ keepAlive: true, maxFreeSockets: KEPT_PER_HOST_MAX });
    this.#tools = tools;
  }

  /** The rule for which a connection under this name is made. */
  nameFor(rule: EgressRule): string {
    const name = `${rule.scheme}:${rule.host}:${rule.port}:${rule.allowPrivate === true}`;
    this.#rules.set(name, rule);
    return name;
  }

  override getName(options: ClientRequestArgs = {}): string {
    return String(options.hostname);
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const rule = this.#rules.get(String(options.hostname));
    const dialled =
      rule === undefined
        ? Promise.resolve(refuse("host-not-listed", "no rule for this connection"))
        : dial(rule, this.#tools);
    void dialled.then((made) => {
      // Node takes an error without a stream; its types do not say so.
      if (isRefusal(made)) callback?.(new DialRefused(made), undefined as never);
      else callback?.(null, made);
    });
  }
}

/** What is asked of upstream. */
export interface UpstreamRequest {
  readonly rule: EgressRule;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Buffer> | undefined;
  readonly signal: AbortSignal;
}

/** The outside, as far as rules lead there. */
export class Upstream {
  readonly #agent: CheckedAgent;

  constructor(options: {
    readonly resolve: Resolve;
    readonly extraAuthorities: readonly string[];
    readonly proxy: UpstreamProxy | undefined;
    readonly timeoutMs: number;
  }) {
    // Parsed once: reading all authorities anew for each connection would take longer than the connection.
    const trust = createSecureContext({
      minVersion: "TLSv1.2",
      ...(options.extraAuthorities.length === 0
        ? {}
        : { ca: [...rootCertificates, ...options.extraAuthorities] }),
    });
    this.#agent = new CheckedAgent({
      book: new AddressBook(options.resolve),
      trust,
      proxy: options.proxy,
      timeoutMs: options.timeoutMs,
    });
  }

  /** Asks, and gives back the answer as soon as its head is there. */
  async ask(asked: UpstreamRequest): Promise<IncomingMessage | Refusal> {
    const first = await this.#askOnce(asked);
    // A kept connection may have been closed at the other end just now; that says nothing about the host.
    const isStale = isRefusal(first) && first.reason === STALE;
    return isStale && asked.body === undefined ? this.#askOnce(asked) : first;
  }

  /** Cuts everything that is open. */
  close(): void {
    this.#agent.destroy();
  }

  #askOnce({ rule, body, ...rest }: UpstreamRequest): Promise<IncomingMessage | Refusal> {
    return new Promise((resolve) => {
      const asking = request({
        ...rest,
        agent: this.#agent,
        hostname: this.#agent.nameFor(rule),
        setHost: false,
        maxHeaderSize: ANSWER_HEAD_BYTES_MAX,
        insecureHTTPParser: false,
      });
      asking.once("response", resolve);
      asking.once("upgrade", (_answer, socket) => {
        socket.destroy();
        resolve(refuse("upgrade", `${rule.host} answered with a switch to another protocol`));
      });
      asking.on("error", (error) => {
        if (error instanceof DialRefused) return resolve(error.refusal);
        resolve(refuse("upstream", asking.reusedSocket ? STALE : `${rule.host} broke off`));
      });
      if (body === undefined) asking.end();
      else void sendBody(body, asking);
    });
  }
}

const STALE = "a kept connection was closed at the other end";

async function sendBody(body: AsyncIterable<Buffer>, to: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of body) {
    if (!to.writable) return;
    if (to.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      to.once("drain", resolve);
      to.once("close", resolve);
    });
  }
  to.end();
}
