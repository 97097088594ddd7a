import type { Socket } from "node:net";
import { createSecureContext, rootCertificates } from "node:tls";
import { AddressBook, type Resolve } from "./address-book.ts";
import { AnswerBody } from "./answer-body.ts";
import { type AnswerHead, parseAnswerHead } from "./answer-head.ts";
import { type Connection, type DialTools, dial } from "./dial.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { EgressRule } from "./rule.ts";
import { SocketPool } from "./socket-pool.ts";
import { proxyTo, type UpstreamProxies } from "./upstream-proxy.ts";
import type { UpstreamReader } from "./upstream-reader.ts";

const ANSWER_HEAD_BYTES_MAX = 32_768;
/** Heads that only say "wait": more than a few are no answer. */
const INTERIM_MAX = 4;

/** What is asked of upstream. */
export interface UpstreamRequest {
  readonly rule: EgressRule;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AsyncIterable<Buffer> | undefined;
  readonly signal: AbortSignal;
}

/** An answer whose body is still to be read, or to be destroyed. */
export interface Answer {
  readonly head: AnswerHead;
  readonly body: AnswerBody;
}

/** The outside, as far as rules lead there. */
export class Upstream {
  readonly #tools: DialTools;
  readonly #pool = new SocketPool();

  constructor(options: {
    readonly resolve: Resolve;
    readonly extraAuthorities: readonly string[];
    readonly proxies: UpstreamProxies;
    readonly timeoutMs: number;
  }) {
    // Parsed once: reading all authorities anew for each connection would take longer than the connection.
    const trust = createSecureContext({
      minVersion: "TLSv1.2",
      ...(options.extraAuthorities.length === 0
        ? {}
        : { ca: [...rootCertificates, ...options.extraAuthorities] }),
    });
    const book = new AddressBook(options.resolve);
    this.#tools = { book, trust, proxies: options.proxies, timeoutMs: options.timeoutMs };
  }

  /** Asks, and gives back the answer as soon as its head is there. */
  async ask(asked: UpstreamRequest): Promise<Answer | Refusal> {
    const name = poolName(asked.rule, this.#tools);
    const kept = asked.body === undefined ? this.#pool.take(name) : undefined;
    if (kept !== undefined) {
      const answer = await this.#askOn(kept, name, asked);
      // A kept connection may have been closed at the other end just now; that says nothing about the host.
      const isStale = isRefusal(answer) && answer.reason === SILENT;
      if (!isStale || asked.signal.aborted) return answer;
    }
    const connection = await dial(asked.rule, this.#tools);
    if (isRefusal(connection)) return connection;
    this.#pool.adopt(name, connection);
    return this.#askOn(connection, name, asked);
  }

  /** Cuts everything that is open. */
  close(): void {
    this.#pool.close();
  }

  async #askOn(
    connection: Connection,
    name: string,
    asked: UpstreamRequest,
  ): Promise<Answer | Refusal> {
    const { signal, method, rule } = asked;
    const { socket, reader } = connection;
    const abort = () => socket.destroy();
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    const release = () => signal.removeEventListener("abort", abort);
    socket.write(requestText(asked, this.#tools), "latin1");
    if (asked.body !== undefined) void sendBody(asked.body, socket);
    const head = await readAnswer(reader, method, rule.host);
    if (isRefusal(head)) {
      release();
      socket.destroy();
      return head;
    }
    const body = new AnswerBody(connection, head.framing, () => {
      release();
      // With a body still on its way the connection's next bytes would not be the next request's.
      if (head.isKept && asked.body === undefined) this.#pool.keep(name, connection);
      else socket.destroy();
    });
    return { head, body };
  }
}

const SILENT = "the connection was closed before an answer";

async function readAnswer(
  reader: UpstreamReader,
  method: string,
  host: string,
): Promise<AnswerHead | Refusal> {
  for (let count = 0; count < INTERIM_MAX; count += 1) {
    const bytes = await reader.readHead(ANSWER_HEAD_BYTES_MAX);
    if (bytes === undefined) return refuse("upstream", SILENT);
    if (isRefusal(bytes)) return refuse("upstream", `${host} sent no well-formed head`);
    const head = parseAnswerHead(bytes, method);
    if (isRefusal(head)) return head;
    if (head.status === 101) {
      return refuse("upgrade", `${host} answered with a switch to another protocol`);
    }
    if (head.status >= 200) return head;
  }
  return refuse("upstream", `${host} sent no final answer`);
}

/** Connections are shared only where the same checks of the address were made, and the way is the same. */
function poolName(rule: EgressRule, { proxies }: DialTools): string {
  const { scheme, host, port, allowPrivate } = rule;
  const proxy = proxyTo(rule, proxies);
  const way = proxy === undefined ? "" : ` ${proxy.scheme}://${proxy.host}:${proxy.port}`;
  return `${scheme}://${host}:${port} ${allowPrivate === true}${way}`;
}

function requestText({ rule, method, path, headers, body }: UpstreamRequest, tools: DialTools) {
  const { scheme, host, port } = rule;
  // Plain HTTP is asked of the user's proxy by the whole URL; TLS has a way through it by now.
  const proxy = scheme === "http" ? proxyTo(rule, tools.proxies) : undefined;
  const target = proxy === undefined ? path : `http://${host}:${port}${path}`;
  const credentials = proxy?.authorization;
  const all = {
    ...headers,
    ...(credentials ? { "proxy-authorization": credentials } : {}),
    connection: body === undefined ? "keep-alive" : "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

async function sendBody(body: AsyncIterable<Buffer>, to: Socket): Promise<void> {
  for await (const chunk of body) {
    if (!to.writable) return;
    if (to.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      to.once("drain", resolve);
      to.once("close", resolve);
    });
  }
}
