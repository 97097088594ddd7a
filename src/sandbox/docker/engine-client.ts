import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { decodeUtf8, type Json, messageOf, parseJson, SwornError } from "../../base/index.ts";

/** The most that one answer may hold; the largest we ask for is a list of containers. */
const ANSWER_BYTES_MAX = 8 << 20;
/** How long an engine may say nothing; taking an image in is the longest that it thinks. */
const SILENCE_MS_MAX = 120_000;
const CONNECTIONS_MAX = 64;

/** One question to the engine. */
export interface EngineCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** The path without a version, every piece of it encoded by the caller. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Bytes to send in place of JSON: a tar archive. */
  readonly upload?: Readable;
  /** Statuses that are an answer and not a failure, beside those from 200 to 299. */
  readonly expected?: readonly number[];
  /** Set where the answer begins at once and ends much later. */
  readonly isLong?: boolean;
}

/** What the engine said. */
export interface EngineAnswer {
  readonly status: number;
  /** Parsed JSON; null where the engine said nothing. */
  readonly body: Json;
}

/**
 * The few calls of the Engine API that tasks need, over a unix socket. Docker's engine and podman's
 * service speak it. The engine is believed to do what it says; what it says is still bounded.
 */
export class EngineClient {
  readonly socket: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  #prefix = "";

  constructor(socket: string) {
    this.socket = socket;
  }

  /** Which version of the interface is spoken from now on, as `v1.41`; empty before that is known. */
  speak(version: string): void {
    this.#prefix = `/${version}`;
  }

  /** Closes idle connections. */
  close(): void {
    this.#agent.destroy();
  }

  /**
   * Asks and reads the whole answer.
   *
   * @throws SwornError `SANDBOX_FAILED` when the engine cannot be reached, is silent, says no or
   * says too much; the message has its words.
   */
  async call(call: EngineCall): Promise<EngineAnswer> {
    const response = await this.open(call);
    const text = await this.#read(call, response);
    const status = response.statusCode ?? 0;
    const isExpected = (status >= 200 && status < 300) || call.expected?.includes(status);
    if (!isExpected) throw this.#failed(call, `it answered ${status}: ${reasonIn(text)}`);
    return { status, body: this.#parse(call, text) };
  }

  /**
   * Asks and gives the answer back once it has begun, which for some calls is when they took hold.
   *
   * @throws SwornError `SANDBOX_FAILED`.
   */
  async open(call: EngineCall): Promise<IncomingMessage> {
    const sent = this.#request(call, {});
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sent.once("response", resolve);
      sent.once("error", (cause) => reject(this.#failed(call, messageOf(cause), cause)));
    });
    if (call.upload) {
      // An engine that says no closes early; its answer tells more than the broken pipe.
      const uploading = pipeline(call.upload, sent).catch(() => undefined);
      const response = await answered;
      await uploading;
      return response;
    }
    sent.end(call.body === undefined ? undefined : JSON.stringify(call.body));
    return answered;
  }

  /**
   * Asks for the connection itself, which then carries a container's streams.
   *
   * @throws SwornError `SANDBOX_FAILED`.
   */
  async hijack(call: EngineCall): Promise<Duplex> {
    const sent = this.#request(call, { connection: "Upgrade", upgrade: "tcp" });
    return new Promise((resolve, reject) => {
      sent.once("upgrade", (_response, socket: Duplex, head: Buffer) => {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      });
      sent.once("response", (response) => {
        this.#read(call, response).then(
          (text) =>
            reject(this.#failed(call, `it answered ${response.statusCode}: ${reasonIn(text)}`)),
          reject,
        );
      });
      sent.once("error", (cause) => reject(this.#failed(call, messageOf(cause), cause)));
      sent.end();
    });
  }

  #request(call: EngineCall, headers: Record<string, string>): ClientRequest {
    const query = new URLSearchParams(call.query).toString();
    const type = call.upload ? "application/x-tar" : "application/json";
    const sent = request({
      socketPath: this.socket,
      agent: headers["upgrade"] ? false : this.#agent,
      method: call.method,
      path: `${this.#prefix}${call.path}${query === "" ? "" : `?${query}`}`,
      headers: { host: "engine", "content-type": type, ...headers },
    });
    sent.setTimeout(SILENCE_MS_MAX, () => {
      sent.destroy(new Error(`it was silent for ${SILENCE_MS_MAX} ms`));
    });
    sent.once("upgrade", (_response, socket) => socket.setTimeout(0));
    if (call.isLong) sent.once("response", () => sent.setTimeout(0));
    return sent;
  }

  async #read(call: EngineCall, response: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    let length = 0;
    try {
      for await (const part of response as AsyncIterable<Buffer>) {
        length += part.length;
        if (length > ANSWER_BYTES_MAX) break;
        parts.push(part);
      }
    } catch (cause) {
      throw this.#failed(call, messageOf(cause), cause);
    }
    if (length > ANSWER_BYTES_MAX) {
      throw this.#failed(call, `its answer has more than ${ANSWER_BYTES_MAX} bytes`);
    }
    return decodeUtf8(Buffer.concat(parts));
  }

  #parse(call: EngineCall, text: string): Json {
    // Of the messages about an upload, the last one has the outcome.
    const document = call.upload ? text.trim().split("\n").at(-1) : text.trim();
    if (!document) return null;
    try {
      return parseJson(document, ANSWER_BYTES_MAX);
    } catch (cause) {
      throw this.#failed(call, `its answer is ${messageOf(cause)}`, cause);
    }
  }

  #failed(call: EngineCall, why: string, cause?: unknown): SwornError {
    const message = `${call.method} ${call.path} at the engine ${this.socket}: ${why}`;
    return new SwornError("SANDBOX_FAILED", message, { cause });
  }
}

const REASON_CHARS_MAX = 1_000;
const Reason = z.object({ message: z.string() });

/** The engine's own words for a failure, of which no more is shown than a person reads. */
function reasonIn(text: string): string {
  let words = text;
  try {
    words = Reason.parse(parseJson(text, ANSWER_BYTES_MAX)).message;
  } catch {
    // Not in the form that engines use: then the text itself is shown.
  }
  return words.trim().slice(0, REASON_CHARS_MAX) || "no reason";
}
