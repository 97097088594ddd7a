import { createReadStream } from "node:fs";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../../base/index.ts";
import { EVENT_TYPES, EventRequest, LINE_BYTES_MAX } from "../../schema/index.ts";
import type { Refusal } from "../../view/index.ts";
import type { Place } from "../place.ts";
import { issueWords } from "../words/issue-words.ts";
import { storeArtifacts } from "./artifact-input.ts";
import { isOpen, Recorder } from "./recorder.ts";

/** Most requests in one commit: enough to share the cost of the disk, few enough to stay live. */
const GROUP_MAX = 256;

/** What came of a script. */
export interface ScriptOutcome {
  readonly trace: string | null;
  readonly entries: number;
  readonly head: string | null;
  readonly recorded: number;
  readonly refused?: Refusal & { readonly line: number; readonly agent: string };
  /** Who can end the session, while it can still be ended. */
  readonly operator?: string;
  /** Set when the recording was stopped from outside; what is recorded stays valid. */
  readonly interrupted?: boolean;
}

export interface ScriptOptions {
  /** Where the script comes from: opened anew for each reading. */
  readonly open: () => AsyncIterable<Buffer>;
  /** Whether it can be read twice; then nothing is recorded unless all of it is well formed. */
  readonly isRepeatable: boolean;
  /** An existing trace to continue. */
  readonly trace?: string | undefined;
  readonly artifactRoots: readonly string[];
  /** Called after each commit with what is on disk now. */
  readonly onRecorded?: (entries: number) => void;
  /** Stops the recording after the commit that is under way. */
  readonly signal?: AbortSignal;
}

/**
 * Records a session from a script, one request a line, as if it happened live.
 *
 * @throws SwornError `INPUT_INVALID` naming the line and the field.
 */
export async function recordScript(place: Place, options: ScriptOptions): Promise<ScriptOutcome> {
  if (options.isRepeatable)
    for await (const lines of linesOf(options.open())) assertWellFormed(lines);
  const recorder =
    options.trace === undefined ? Recorder.start(place) : Recorder.resume(place, options.trace);
  try {
    return await recordLines(place, recorder, options);
  } finally {
    recorder.close();
  }
}

async function recordLines(
  place: Place,
  recorder: Recorder,
  options: ScriptOptions,
): Promise<ScriptOutcome> {
  let recorded = 0;
  for await (const lines of untilAborted(linesOf(options.open()), options.signal)) {
    const outcome = await recordGroup(place, recorder, lines, options);
    recorded += outcome.recorded;
    if (outcome.recorded > 0) options.onRecorded?.(recorder.head.size);
    if (outcome.refusal) {
      const { number: line, request } = outcome.next;
      const refused = { ...outcome.refusal, line, agent: request.actor.agent };
      return { ...summary(recorder), recorded, refused, ...operatorOf(recorder) };
    }
  }
  if (recorded === 0 && !options.signal?.aborted) {
    throw new SwornError("INPUT_INVALID", "the script has no lines: expected one request a line");
  }
  return {
    ...summary(recorder),
    recorded,
    ...(options.signal?.aborted ? { interrupted: true } : {}),
  };
}

async function recordGroup(
  place: Place,
  recorder: Recorder,
  lines: readonly ScriptLine[],
  options: ScriptOptions,
) {
  const requests = lines.map(toRequest);
  try {
    const outcome = await recorder.record(requests, options);
    const at = Math.min(outcome.recorded, lines.length - 1);
    const next = { number: lines[at]?.number ?? 0, request: requests[at] as EventRequest };
    return { ...outcome, next };
  } catch (cause) {
    const at = requests.findIndex((request) => !hasUsableArtifacts(place, request, options));
    if (at < 0 || !(cause instanceof SwornError)) throw cause;
    const { size } = recorder.head;
    const kept = size === 0 ? "" : `; ${recorder.id} keeps the ${size} entries it has`;
    const message = `line ${lines[at]?.number}: ${cause.message}${kept}`;
    throw new SwornError(cause.code, message, { cause });
  }
}

/** Asked only after a group failed, to name its line: what could be stored then is stored already. */
function hasUsableArtifacts(place: Place, request: EventRequest, options: ScriptOptions): boolean {
  try {
    storeArtifacts(place, request.artifacts ?? [], options.artifactRoots);
    return true;
  } catch {
    // The error that is reported is the one the recorder met.
    return false;
  }
}

/** Ends where the signal says so: between two commits, or while waiting for more input. */
async function* untilAborted<T>(
  groups: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  try {
    for await (const group of groups) {
      if (signal?.aborted) return;
      yield group;
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

function summary(recorder: Recorder): Pick<ScriptOutcome, "trace" | "entries" | "head"> {
  const { size, hash } = recorder.head;
  return size === 0
    ? { trace: null, entries: 0, head: null }
    : { trace: recorder.id, entries: size, head: hash };
}

function operatorOf({ session }: Recorder): Pick<ScriptOutcome, "operator"> {
  if (!session || !isOpen(session)) return {};
  const operator = [...session.agents].find(([, { roles }]) => roles.includes("operator"))?.[0];
  return operator === undefined ? {} : { operator };
}

interface ScriptLine {
  readonly number: number;
  readonly bytes: Buffer;
}

/** A file as a script that can be read twice. */
export function fileScript(path: string): () => AsyncIterable<Buffer> {
  return () => createReadStream(path) as AsyncIterable<Buffer>;
}

/** Lines as they come, in groups of what is at hand; blank lines are passed over. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<ScriptLine[]> {
  let rest = Buffer.alloc(0);
  let number = 0;
  for await (const chunk of chunks) {
    const { lines, left } = cutLines(Buffer.concat([rest, chunk]), number);
    number += lines.length;
    if (left.length > LINE_BYTES_MAX) throw tooLong(number + 1);
    rest = left;
    const filled = lines.filter(({ bytes }) => !isBlank(bytes));
    for (let at = 0; at < filled.length; at += GROUP_MAX) yield filled.slice(at, at + GROUP_MAX);
  }
  if (!isBlank(rest)) yield [{ number: number + 1, bytes: rest }];
}

function cutLines(bytes: Buffer<ArrayBuffer>, numberBefore: number) {
  const lines: ScriptLine[] = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    lines.push({ number: numberBefore + lines.length + 1, bytes: bytes.subarray(from, end) });
    from = end + 1;
  }
  return { lines, left: bytes.subarray(from) };
}

function tooLong(line: number): SwornError {
  return new SwornError(
    "LIMIT_EXCEEDED",
    `line ${line}: longer than ${LINE_BYTES_MAX} bytes; give large content as an artifact path`,
  );
}

function isBlank(bytes: Buffer): boolean {
  return bytes.toString("latin1").trim() === "";
}

function assertWellFormed(lines: readonly ScriptLine[]): void {
  for (const line of lines) toRequest(line);
}

function toRequest({ number, bytes }: ScriptLine): EventRequest {
  try {
    const input = parseLine(number === 1 ? withoutMark(bytes) : bytes);
    const parsed = EventRequest.safeParse(input);
    if (parsed.success) return parsed.data as EventRequest;
    const words = issueWords(parsed.error.issues, { shape: EventRequest, input });
    throw new SwornError("INPUT_INVALID", `${words}${typeWords(input)}`);
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "INPUT_INVALID";
    throw new SwornError(code, `line ${number}: ${messageOf(cause)}`, { cause });
  }
}

function parseLine(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes);
  try {
    const input = parseJson(text, LINE_BYTES_MAX);
    if (!Array.isArray(input)) return input;
  } catch (cause) {
    if (cause instanceof SwornError && cause.code === "LIMIT_EXCEEDED") throw cause;
    if (!/^\s*(\[|\{\s*$)/.test(text)) throw cause;
  }
  throw new SwornError(
    "INPUT_INVALID",
    "expected one whole request on each line, found a part of one or an array; " +
      'write each request on a line of its own, without line breaks, "[" and commas',
  );
}

/** Some editors begin a file with a byte order mark; in UTF-8 it says nothing. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The kind of request a line wants to be, so that its fields can be looked up. */
function typeWords(input: unknown): string {
  const type = (input as { type?: unknown } | null)?.type;
  return EVENT_TYPES.some((known) => known === type) ? ` (in ${String(type)})` : "";
}
