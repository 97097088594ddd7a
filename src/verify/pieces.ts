import { LINE_BYTES_MAX } from "../schema/index.ts";
import type { TraceSource } from "./source.ts";

const PIECE_LINES_MAX = 2_000;

/**
 * Cuts what a source gives into pieces that end with a line, so that each can be checked alone. A
 * line that never ends is handed on once it is too long to be one: it then fails as a line.
 */
export async function* wholeLines(source: TraceSource): AsyncGenerator<Buffer> {
  let carry: Buffer[] = [];
  let carryBytes = 0;
  for await (const chunk of source.lines()) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end === 0 && carryBytes + chunk.length <= LINE_BYTES_MAX) {
      carry.push(chunk);
      carryBytes += chunk.length;
      continue;
    }
    const cut = end === 0 ? chunk.length : end;
    yield* cutByLines(join([...carry, chunk.subarray(0, cut)]));
    carry = cut < chunk.length ? [chunk.subarray(cut)] : [];
    carryBytes = chunk.length - cut;
  }
  if (carryBytes > 0) yield* cutByLines(join(carry));
}

/** A piece of nothing but newlines is a great many lines: what each costs must stay bounded too. */
function* cutByLines(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    lines += 1;
    if (lines % PIECE_LINES_MAX !== 0) continue;
    yield join([bytes.subarray(from, at + 1)]);
    from = at + 1;
  }
  if (from === 0) yield bytes;
  else if (from < bytes.length) yield join([bytes.subarray(from)]);
}

/** A piece owns its memory: a view would drag the whole underlying buffer to the thread that checks it. */
function join(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.from(
    new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0)).buffer,
  );
  let at = 0;
  for (const part of parts) at += part.copy(bytes, at);
  return bytes;
}
