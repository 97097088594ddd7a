import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import { pipeline } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { messageOf, SwornError } from "../../base/index.ts";

const ATTEMPTS_MAX = 4;
const FIRST_WAIT_MS = 500;
/** However long a server asks us to stay away. */
const WAIT_MS_MAX = 30_000;
/** Without a byte in either direction. */
const IDLE_MS_MAX = 30_000;
/** One attempt in all, beside the time that its bytes may take. */
const ATTEMPT_MS_MAX = 5 * 60_000;
const SLOWEST_BYTES_PER_MS = 64;
const ANSWER_BYTES_MAX = 65_536;

/** One file that is to be put to an address. */
export interface Put {
  readonly url: URL;
  readonly path: string;
  readonly token: string | undefined;
  /** More authorities than the system's own. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
  readonly onBytes: (sent: number) => void;
  /** Between two attempts; only tests have another one. */
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly idleMs?: number;
}

/**
 * Puts a file to an https address. A server that is busy or broken is asked again, a few times; a
 * redirect is an answer like any other that is no yes: who says where results go is the list.
 *
 * @throws SwornError `DELIVERY_FAILED`, naming status and host and never the token.
 */
export async function putHttps(put: Put): Promise<{ status: number; attempts: number }> {
  const pause = put.pause ?? ((ms: number) => wait(ms, undefined, { signal: put.signal }));
  for (let attempt = 1; ; attempt += 1) {
    const { status, why, waitMs } = await attemptPut(put);
    if (status !== undefined && status >= 200 && status < 300) return { status, attempts: attempt };
    if (!isWorthAgain(status) || attempt === ATTEMPTS_MAX || put.signal.aborted) {
      throw new SwornError("DELIVERY_FAILED", wordsOf(put, status, why, attempt));
    }
    const ms = Math.min(WAIT_MS_MAX, waitMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1));
    put.onStep(`${put.url.host} ${status ?? why}; again in ${Math.ceil(ms / 1_000)} s`);
    await pause(ms);
  }
}

function isWorthAgain(status: number | undefined): boolean {
  return status === undefined || status === 429 || status >= 500;
}

interface Attempt {
  readonly status?: number;
  readonly why?: string;
  readonly waitMs?: number;
}

function attemptPut(put: Put): Promise<Attempt> {
  const { path, onBytes } = put;
  const { size } = statSync(path);
  return new Promise((done) => {
    const sending = request(put.url, optionsOf(put, size));
    const file = createReadStream(path);
    const end = (attempt: Attempt) => {
      file.destroy();
      sending.destroy();
      done(attempt);
    };
    let sent = 0;
    file.on("data", (chunk) => {
      sent += chunk.length;
      onBytes(sent);
    });
    // Once it has answered, how the connection ends says nothing more.
    let answered: Attempt | undefined;
    const gone = (why: string) => end(answered ?? { why });
    sending.on("timeout", () => gone("did not answer in time"));
    sending.on("error", (error) => gone(`cannot be reached: ${messageOf(error)}`));
    sending.on("response", (answer) => {
      const attempt = toAttempt(answer, sent === size);
      answered = attempt;
      if (attempt.status === undefined) end(attempt);
      else passOver(answer, () => end(attempt));
    });
    // Whatever goes wrong here is heard above.
    pipeline(file, sending, () => {});
  });
}

function optionsOf({ token, ca, signal, idleMs }: Put, size: number): RequestOptions {
  const limitMs = ATTEMPT_MS_MAX + size / SLOWEST_BYTES_PER_MS;
  return {
    method: "PUT",
    agent: false,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(limitMs))]),
    timeout: idleMs ?? IDLE_MS_MAX,
    headers: {
      "content-length": size,
      "content-type": "application/octet-stream",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  };
}

function toAttempt(answer: IncomingMessage, isSent: boolean): Attempt {
  const { statusCode: status = 0 } = answer;
  const waitMs = askedWait(answer);
  // A yes to a part is no yes: what is stored there would be no packet.
  if (status < 300 && !isSent) return { why: "answered before it had all of it" };
  return { status, ...(waitMs === undefined ? {} : { waitMs }) };
}

/**
 * Lets a server finish its sentence, up to a length: some undo what they stored when they are cut off.
 * What it says is nobody's business, because it could echo the token.
 */
function passOver(answer: IncomingMessage, done: () => void): void {
  let heard = 0;
  answer.on("data", (chunk: Buffer) => {
    heard += chunk.length;
    if (heard > ANSWER_BYTES_MAX) done();
  });
  answer.on("end", done);
  answer.on("error", done);
}

/** Seconds alone; a date would need the server's clock to be ours. */
function askedWait({ headers }: IncomingMessage): number | undefined {
  const text = headers["retry-after"] ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}

function wordsOf(
  { url, signal }: Put,
  status: number | undefined,
  why: string | undefined,
  attempts: number,
): string {
  if (signal.aborted) return "the delivery was stopped; whether all of it arrived is not known";
  const tried = attempts === 1 ? "" : `, ${attempts} times`;
  if (status === undefined) return `${url.host} ${why}${tried}`;
  const more =
    status >= 300 && status < 400
      ? "; redirects are not followed, list the address that it leads to"
      : status === 401 || status === 403
        ? "; look at the token that token_env names"
        : "";
  return `${url.host} answered ${status}${tried}${more}`;
}
