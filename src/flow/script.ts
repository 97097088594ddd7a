import { createReadStream } from "node:fs";
import { decodeUtf8, messageOf, parseJson, SwornError } from "../base/index.ts";
import { EventRequest, LINE_BYTES_MAX } from "../schema/index.ts";
import type { Refusal } from "../view/index.ts";
import type { Place } from "./place.ts";
import { Recorder } from "./recorder.ts";

/** Most requests in one commit: enough to share the cost of the disk, few enough to stay live. */
const GROUP_MAX = 256;

/** What came of a script. */
export interface ScriptOutcome {
  readonly trace: string | null;
  readonly entries: number;
  readonly head: string | null;
  readonly recorded: number;
  readonly refused?: Refusal & { readonly line: number };
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
    for await (const lines of linesOf(options.open())) lines.forEach(toRequest);
  const recorder =
    options.trace === undefined ? Recorder.start(place) : Recorder.resume(place, options.trace);
  try {
    return await recordLines(recorder, options);
  } finally {
    recorder.close();
  }
}

async function recordLines(recorder: Recorder, options: ScriptOptions): Promise<ScriptOutcome> {
  let recorded = 0;
  for await (const lines of untilAborted(linesOf(options.open()), options.signal)) {
    const outcome = await recorder.record(lines.map(toRequest), options);
    recorded += outcome.recorded;
    options.onRecorded?.(recorder.head.size);
    if (outcome.refusal) {
      const line = lines[outcome.recorded]?.number ?? 0;
      return { ...summary(recorder), recorded, refused: { ...outcome.refusal, line } };
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

function toRequest({ number, bytes }: ScriptLine): EventRequest {
  try {
    const parsed = EventRequest.safeParse(parseJson(decodeUtf8(bytes), LINE_BYTES_MAX));
    if (parsed.success) return parsed.data as EventRequest;
    const issue = parsed.error.issues[0];
    throw new SwornError(
      "INPUT_INVALID",
      `${issue?.path.join(".") || "the line"}: ${issue?.message}`,
    );
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "INPUT_INVALID";
    throw new SwornError(code, `line ${number}: ${messageOf(cause)}`, { cause });
  }
}
