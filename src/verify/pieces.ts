import { createHash, type Hash } from "node:crypto";
import { LINE_BYTES_MAX } from "../schema/index.ts";
import type { TraceSource } from "./source.ts";

const PIECE_LINES_MAX = 2_000;

/** A line that is too long to be kept. It still has its place, and its hash counts. */
export interface OverlongLine {
  readonly hash: Buffer;
}

/**
 * Cuts what a source gives into pieces that end with a line, so that each can be checked alone. Of
 * a line that does not end where a line must, nothing is kept but its hash.
 */
export async function* wholeLines(source: TraceSource): AsyncGenerator<Buffer | OverlongLine> {
  const carry = new Carry();
  for await (const chunk of source.lines()) {
    const from = carry.isOverlong ? chunk.indexOf(10) + 1 : 0;
    if (from > 0) yield carry.endOverlong(chunk.subarray(0, from - 1));
    const end = carry.isOverlong ? 0 : chunk.lastIndexOf(10) + 1;
    if (end > from) yield* cutByLines(join([...carry.take(), chunk.subarray(from, end)]));
    carry.add(chunk.subarray(Math.max(from, end)));
  }
  if (carry.isOverlong) yield carry.endOverlong();
  else yield* cutByLines(join(carry.take()));
}

/** The beginning of a line whose end has not come yet. */
class Carry {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #overlong: Hash | undefined;

  get isOverlong(): boolean {
    return this.#overlong !== undefined;
  }

  add(chunk: Buffer): void {
    if (this.#overlong) {
      this.#overlong.update(chunk);
      return;
    }
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= LINE_BYTES_MAX) return;
    this.#overlong = createHash("sha256");
    for (const one of this.take()) this.#overlong.update(one);
  }

  take(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    return chunks;
  }

  endOverlong(rest: Buffer = Buffer.alloc(0)): OverlongLine {
    const hash = (this.#overlong ?? createHash("sha256")).update(rest).digest();
    this.#overlong = undefined;
    return { hash };
  }
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
  if (from === 0 && bytes.length > 0) yield bytes;
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
