import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ByteBudget } from "./budget.ts";
import type { Admitted } from "./judge.ts";
import { answerLines, upstreamHeaders } from "./passed-headers.ts";
import { findRedirectRefusal } from "./redirect.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { RequestHead } from "./request-head.ts";
import type { RuleSet } from "./rule.ts";
import type { Upstream } from "./upstream.ts";

/** What an exchange needs of the proxy it happens in. */
export interface ExchangeTools {
  readonly rules: RuleSet;
  readonly upstream: Upstream;
  readonly budget: ByteBudget;
}

/** One admitted request and the side that made it. */
export interface ExchangeInput {
  readonly client: Duplex;
  readonly head: RequestHead;
  readonly admitted: Admitted;
  readonly body?: AsyncIterable<Buffer> | undefined;
  /** Called whenever bytes move, so that a stalled exchange can be told from a long one. */
  readonly onProgress: () => void;
}

/** How an exchange went. */
export interface ExchangeEnd {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly refusal?: Refusal;
  /** The answer's head was not written yet: the refusal can still be told. */
  readonly isUntold: boolean;
}

/** Makes an admitted request upstream and streams the answer in. */
export async function exchange(input: ExchangeInput, tools: ExchangeTools): Promise<ExchangeEnd> {
  const { client, head, admitted } = input;
  const headers = upstreamHeaders(head, admitted);
  const bytesOut = sentBytes(admitted, headers);
  if (!tools.budget.takeOut(bytesOut)) {
    return untold(0, refuse("budget", "the run's budget of bytes to the outside is used up"));
  }
  if (tools.budget.leftIn === 0) {
    return untold(0, refuse("budget", "the run's budget of bytes from the outside is used up"));
  }
  const aborted = new AbortController();
  const abort = () => aborted.abort();
  client.once("close", abort);
  try {
    const answer = await tools.upstream.ask({
      rule: admitted.rule,
      method: admitted.method,
      path: admitted.target.text,
      headers,
      body: input.body,
      signal: aborted.signal,
    });
    if (isRefusal(answer)) return untold(bytesOut, answer);
    const wrong = judgeAnswer(answer, admitted, tools);
    if (wrong !== undefined) {
      answer.destroy();
      return untold(bytesOut, wrong);
    }
    const { bytesIn, refusal } = await passOn(answer, input, tools.budget);
    return { bytesIn, bytesOut, isUntold: false, ...(refusal && { refusal }) };
  } finally {
    client.off("close", abort);
  }
}

function untold(bytesOut: number, refusal: Refusal): ExchangeEnd {
  return { bytesIn: 0, bytesOut, refusal, isUntold: true };
}

function sentBytes({ method, target, bodyBytes }: Admitted, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length + 4);
  const headBytes = lines.reduce((sum, size) => sum + size, 0);
  return method.length + target.text.length + 14 + headBytes + bodyBytes;
}

function judgeAnswer(
  answer: IncomingMessage,
  admitted: Admitted,
  { rules, budget }: ExchangeTools,
): Refusal | undefined {
  const length = Number(answer.headers["content-length"] ?? 0);
  if (admitted.method !== "HEAD" && length >= budget.leftIn) {
    return refuse("budget", `an answer of ${length} bytes is more than the run may still take in`);
  }
  return findRedirectRefusal(answer, admitted, rules);
}

/** Statuses whose answers never have a body. */
const BODILESS = new Set([204, 304]);

async function passOn(
  answer: IncomingMessage,
  { client, admitted, onProgress }: ExchangeInput,
  budget: ByteBudget,
): Promise<{ readonly bytesIn: number; readonly refusal?: Refusal }> {
  const status = answer.statusCode ?? 502;
  const length = answer.headers["content-length"];
  const hasBody = admitted.method !== "HEAD" && !BODILESS.has(status);
  const isChunked = hasBody && length === undefined;
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Other"}`, ...answerLines(answer)];
  if (isChunked) lines.push("transfer-encoding: chunked");
  else if (length !== undefined) lines.push(`content-length: ${length}`);
  else if (status === 200) lines.push("content-length: 0");
  const text = `${lines.join("\r\n")}\r\n\r\n`;
  client.write(text, "latin1");
  const pumped = await pump(answer, client, { isChunked, onProgress, budget });
  return { ...pumped, bytesIn: pumped.bytesIn + text.length };
}

interface PumpOptions {
  readonly isChunked: boolean;
  readonly onProgress: () => void;
  readonly budget: ByteBudget;
}

/** Moves a body; the slower side sets the pace, and nothing piles up here. */
function pump(
  answer: IncomingMessage,
  client: Duplex,
  { isChunked, onProgress, budget }: PumpOptions,
): Promise<{ readonly bytesIn: number; readonly refusal?: Refusal }> {
  return new Promise((resolve) => {
    let bytesIn = 0;
    const resume = () => {
      onProgress();
      answer.resume();
    };
    const finish = (refusal?: Refusal) => {
      client.off("drain", resume).off("close", onClientClose);
      if (refusal !== undefined) {
        // Half an answer is told by cutting it: a client must not take it for the whole.
        answer.destroy();
        client.destroy();
      }
      resolve(refusal === undefined ? { bytesIn } : { bytesIn, refusal });
    };
    const onClientClose = () => finish(refuse("upstream", "the inside closed the connection"));
    answer.on("data", (chunk: Buffer) => {
      onProgress();
      bytesIn += chunk.length;
      if (!budget.takeIn(chunk.length)) {
        return finish(refuse("budget", "the run's budget of bytes from the outside is used up"));
      }
      const hasRoom = isChunked ? writeChunk(client, chunk) : client.write(chunk);
      if (!hasRoom) answer.pause();
    });
    answer.once("end", () => {
      if (isChunked) client.write("0\r\n\r\n");
      finish();
    });
    answer.once("error", () => finish(refuse("upstream", "the answer broke off")));
    client.on("drain", resume).once("close", onClientClose);
  });
}

function writeChunk(client: Duplex, chunk: Buffer): boolean {
  client.cork();
  client.write(`${chunk.length.toString(16)}\r\n`);
  client.write(chunk);
  const hasRoom = client.write("\r\n");
  client.uncork();
  return hasRoom;
}
