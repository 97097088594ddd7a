import type { Readable, Writable } from "node:stream";
import { JsonLines } from "../json-lines.ts";
import { cut, inputOf, type JsonObject, objectOf, textOf } from "../json-value.ts";

/** Why a call of ours came to nothing; the other side's words, or ours about its silence. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the other side may ask for. A thrown {@link RpcError} is its answer, too. */
export interface RpcHandlers {
  request(method: string, params: JsonObject): unknown;
  notification(method: string, params: JsonObject): void;
  /** A line that is no message. */
  unread(text: string): void;
}

export const METHOD_NOT_FOUND = -32_601;
const INTERNAL_ERROR = -32_603;
const LIMITS = {
  bytesMax: 256 << 20,
  /** One that asks and never reads the answers must not fill the memory. */
  unsentBytesMax: 32 << 20,
};
const MESSAGE_CHARS_MAX = 2_000;

interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: RpcError) => void;
}

/** One end of JSON-RPC 2.0 over pipes, one message a line. The other end may send anything. */
export class RpcPeer {
  readonly #out: Writable;
  readonly #handlers: RpcHandlers;
  readonly #limits: typeof LIMITS;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #bytes = 0;
  #ended: RpcError | undefined;

  constructor(input: Readable, out: Writable, handlers: RpcHandlers, limits = LIMITS) {
    this.#out = out;
    this.#limits = limits;
    this.#handlers = handlers;
    const lines = new JsonLines({
      eventsOf: (message) => {
        this.#take(message);
        return [];
      },
      last: () => [],
    });
    const tellUnread = (events: ReturnType<JsonLines["take"]>): void => {
      for (const event of events) if (event.kind === "unread") handlers.unread(event.text);
    };
    input.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > limits.bytesMax) this.end(`it sent more than ${limits.bytesMax} bytes`);
      else if (this.#ended === undefined) tellUnread(lines.take(chunk));
    });
    input.once("end", () => tellUnread(lines.end()));
    // A pipe that breaks is noticed by the end of the program behind it.
    out.on("error", () => undefined);
  }

  /** @throws RpcError */
  call(method: string, params: JsonObject, timeoutMs?: number): Promise<JsonObject> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const silence = (): void => {
        this.#waiting.delete(id);
        reject(new RpcError(0, `no answer to ${method} within ${(timeoutMs ?? 0) / 1_000} s`));
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(silence, timeoutMs);
      this.#waiting.set(id, {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ method, params });
  }

  /** Nothing more will come: every open call fails with this reason, and every later one. */
  end(why: string): void {
    this.#ended ??= new RpcError(0, why);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #take(message: JsonObject): void {
    const method = textOf(message["method"]);
    const params = objectOf(message["params"]) ?? {};
    const { id } = message;
    if (method === undefined) this.#settle(message);
    else if (id === undefined) this.#handlers.notification(method, params);
    else if (typeof id === "string" || typeof id === "number") {
      this.#send({ id, ...this.#answerTo(method, params) });
    }
  }

  #answerTo(method: string, params: JsonObject): JsonObject {
    try {
      return { result: this.#handlers.request(method, params) };
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR;
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code, message: cut(message, MESSAGE_CHARS_MAX) } };
    }
  }

  #settle(message: JsonObject): void {
    const id = message["id"];
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (waiting === undefined || typeof id !== "number") return;
    this.#waiting.delete(id);
    const error = objectOf(message["error"]);
    if (error === undefined) waiting.resolve(objectOf(message["result"]) ?? {});
    else waiting.reject(errorOf(error));
  }

  #send(message: JsonObject): void {
    if (this.#out.writableLength > this.#limits.unsentBytesMax) {
      this.end("it does not read what is sent to it");
    }
    if (this.#ended !== undefined) return;
    this.#out.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

function errorOf(error: JsonObject): RpcError {
  const more = error["data"] === undefined ? "" : ` ${inputOf(error["data"])}`;
  const told = cut(`${textOf(error["message"]) ?? "no message"}${more}`, MESSAGE_CHARS_MAX);
  const code = Number(error["code"]);
  return new RpcError(Number.isSafeInteger(code) ? code : INTERNAL_ERROR, told);
}
