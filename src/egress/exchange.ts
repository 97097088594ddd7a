import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { AnswerBody } from "./answer-body.ts";
import type { ByteBudget } from "./budget.ts";
import type { Admitted } from "./judge.ts";
import { SecretMask } from "./mask-secret.ts";
import { answerLines, upstreamHeaders } from "./passed-headers.ts";
import { findRedirectRefusal } from "./redirect.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import type { RequestHead } from "./request-head.ts";
import type { RuleSet } from "./rule.ts";
import type { Answer, Upstream } from "./upstream.ts";

/** What an exchange needs of the proxy it happens in. */
export interface ExchangeTools {
  readonly rules: RuleSet;
  readonly upstream: Upstream;
  readonly budget: ByteBudget;
  readonly onAnswer?: ((answer: HeardAnswer) => void) | undefined;
}

/** What is heard of an answer, and not logged: an answer's headers are not the log's. */
export interface HeardAnswer {
  readonly status: number;
  /** How long upstream asks to be left alone, where it says so in seconds. */
  readonly leaveAloneMs: number | undefined;
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
  /** What upstream answered with, once it did. */
  readonly status?: number;
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
  // A stream that is gone already does not say so again, and nobody else would end the wait for upstream.
  if (client.destroyed) abort();
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
      answer.body.destroy();
      return untold(bytesOut, wrong);
    }
    const { status, headers: told } = answer.head;
    tools.onAnswer?.({ status, leaveAloneMs: askedMs(told.get("retry-after")) });
    const { bytesIn, refusal } = await passOn(answer, input, tools.budget);
    return { bytesIn, bytesOut, status, isUntold: false, ...(refusal && { refusal }) };
  } finally {
    client.off("close", abort);
  }
}

/** Seconds alone; a date would need the server's clock to be ours. */
function askedMs(retryAfter: string | undefined): number | undefined {
  return /^\d{1,6}$/.test(retryAfter ?? "") ? Number(retryAfter) * 1_000 : undefined;
}

function untold(bytesOut: number, refusal: Refusal): ExchangeEnd {
  return { bytesIn: 0, bytesOut, refusal, isUntold: true };
}

/** Of every request: spaces, the version, line ends and the Connection header. */
const FIXED_BYTES = 38;

function sentBytes({ method, target, bodyBytes }: Admitted, headers: Record<string, string>) {
  const lines = Object.entries(headers).map(([name, value]) => name.length + value.length + 4);
  const headBytes = lines.reduce((sum, size) => sum + size, 0);
  return method.length + target.text.length + FIXED_BYTES + headBytes + bodyBytes;
}

function judgeAnswer(
  { head }: Answer,
  admitted: Admitted,
  { rules, budget }: ExchangeTools,
): Refusal | undefined {
  const bytes = head.framing.kind === "length" ? head.framing.bytes : 0;
  if (bytes >= budget.leftIn) {
    return refuse("budget", `an answer of ${bytes} bytes is more than the run may still take in`);
  }
  return findRedirectRefusal(head, admitted, rules);
}

async function passOn(
  { head, body }: Answer,
  input: ExchangeInput,
  budget: ByteBudget,
): Promise<{ readonly bytesIn: number; readonly refusal?: Refusal }> {
  const { status, framing, headers } = head;
  const isChunked = framing.kind === "chunked" || framing.kind === "close";
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Other"}`, ...answerLines(headers)];
  const length = headers.get("content-length");
  if (isChunked) lines.push("transfer-encoding: chunked");
  else if (length !== undefined && status !== 204) lines.push(`content-length: ${length}`);
  // The connection ends with a request that had a body; a client that is not told would send its next one into it.
  if (input.admitted.bodyBytes > 0) lines.push("connection: close");
  const mask = SecretMask.of(input.admitted.rule.credential?.secret);
  const plain = `${lines.join("\r\n")}\r\n\r\n`;
  const text = mask === undefined ? plain : mask.text(plain);
  input.client.write(text, "latin1");
  const { bytesIn, refusal } = await pump(body, input, { isChunked, budget, mask });
  return { bytesIn: bytesIn + text.length, ...(refusal && { refusal }) };
}

/** How far upstream may be ahead of a client that reads slowly. Less makes both sides wait for each other. */
const AHEAD_BYTES_MAX = 262_144;

interface Passing {
  readonly isChunked: boolean;
  readonly budget: ByteBudget;
  readonly mask: SecretMask | undefined;
}

/** Moves a body; the slower side sets the pace, and little piles up here. */
async function pump(
  body: AnswerBody,
  { client, onProgress }: ExchangeInput,
  { isChunked, budget, mask }: Passing,
): Promise<{ readonly bytesIn: number; readonly refusal?: Refusal }> {
  let bytesIn = 0;
  let isSpent = false;
  const resume = () => {
    onProgress();
    body.resume();
  };
  client.on("drain", resume);
  const isWhole = await body.read((piece, done) => {
    onProgress();
    bytesIn += piece.length;
    isSpent ||= !budget.takeIn(piece.length);
    if (isSpent) {
      done();
      return body.destroy();
    }
    const passed = mask === undefined ? piece : mask.take(piece);
    // A chunk of no bytes would be the last one.
    if (passed.length === 0) done();
    else if (isChunked) writeChunk(client, passed, done);
    else client.write(passed, done);
    if (client.writableLength > AHEAD_BYTES_MAX) body.pause();
  });
  client.off("drain", resume);
  if (isWhole && !isSpent) {
    const rest = mask?.end();
    if (rest !== undefined && rest.length > 0) {
      if (isChunked) writeChunk(client, rest, () => {});
      else client.write(rest);
    }
    if (isChunked) client.write("0\r\n\r\n");
    return { bytesIn };
  }
  // Half an answer is told by cutting it: a client must not take it for the whole.
  client.destroy();
  const refusal = isSpent
    ? refuse("budget", "the run's budget of bytes from the outside is used up")
    : refuse("upstream", "the answer broke off");
  return { bytesIn, refusal };
}

function writeChunk(client: Duplex, piece: Buffer, done: () => void): void {
  client.cork();
  client.write(`${piece.length.toString(16)}\r\n`);
  client.write(piece, done);
  client.write("\r\n");
  client.uncork();
}
