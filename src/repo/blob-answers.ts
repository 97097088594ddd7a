import { SwornError } from "../base/index.ts";

/** What became of a question for a content. */
export type BlobContent =
  | { readonly state: "content"; readonly bytes: Buffer }
  | { readonly state: "too-large"; readonly size: number }
  | { readonly state: "missing" }
  /** A folder, commit or tag: an object, and no file's content. */
  | { readonly state: "other"; readonly type: string }
  /** The stored bytes are not the ones that the id names. */
  | { readonly state: "damaged" };

const HEADER_BYTES_MAX = 1_000;
/** A content stays in the chunk it came in when that is at most so many times as large. */
const CHUNK_SHARE = 4;

/** Hears what became of a question; with a content, the very bytes that its id is the hash of. */
export type TakeAnswer = (content: BlobContent, hashed?: Buffer) => void;

/** Takes apart what `git cat-file --batch` writes: a header, the content, a newline. */
export class BlobAnswers {
  #bytesMax: number;
  readonly #emit: TakeAnswer;
  #header = "";
  #type = "";
  #size = 0;
  /** Bytes that are still to come, the newline after them included; 0 while a header is read. */
  #left = 0;
  /** The content behind what git puts in front of it for hashing. */
  #kept: Buffer | undefined;
  #prefixBytes = 0;

  constructor(bytesMax: number, emit: TakeAnswer) {
    this.#bytesMax = bytesMax;
    this.#emit = emit;
  }

  /** For the answers that are still to come. */
  set bytesMax(bytes: number) {
    this.#bytesMax = bytes;
  }

  /** @throws SwornError `STORE_UNREADABLE` when it is not the format that was asked for. */
  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      at = this.#left > 0 ? this.#takeContent(chunk, at) : this.#takeHeader(chunk, at);
    }
  }

  #takeHeader(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(0x0a, at);
    const end = newline < 0 ? chunk.length : newline;
    this.#header += chunk.toString("latin1", at, Math.min(end, at + HEADER_BYTES_MAX));
    if (this.#header.length > HEADER_BYTES_MAX) throw odd(this.#header);
    if (newline < 0) return end;
    const header = this.#header;
    this.#header = "";
    this.#begin(header);
    return this.#takeWhole(chunk, newline) ?? newline + 1;
  }

  #begin(header: string): void {
    if (/ (missing|ambiguous)$/.test(header)) {
      this.#emit({ state: "missing" });
      return;
    }
    const match = /^[0-9a-f]+ (blob|tree|commit|tag) (\d{1,15})$/.exec(header);
    if (match === null) throw odd(header);
    this.#type = match[1] ?? "";
    this.#size = Number(match[2]);
    this.#left = this.#size + 1;
  }

  /**
   * A content that came in one piece is not copied. What stands before it, "blob", its size and a
   * newline, is what git hashes it with, but for the newline, which is a zero there.
   */
  #takeWhole(chunk: Buffer, newline: number): number | undefined {
    const end = newline + 1 + this.#size;
    const prefix = prefixOf(this.#size);
    const from = newline + 1 - prefix.length;
    const isWhole = this.#left > 0 && from >= 0 && end < chunk.length;
    if (!isWhole || !this.#isWanted() || this.#size * CHUNK_SHARE < chunk.length) return undefined;
    chunk[newline] = 0;
    this.#left = 0;
    const hashed = chunk.subarray(from, end);
    this.#emit({ state: "content", bytes: chunk.subarray(newline + 1, end) }, hashed);
    return end + 1;
  }

  #isWanted(): boolean {
    return this.#type === "blob" && this.#size <= this.#bytesMax;
  }

  #takeContent(chunk: Buffer, at: number): number {
    if (this.#left === this.#size + 1 && this.#isWanted()) this.#prepare();
    const end = Math.min(chunk.length, at + this.#left);
    // The newline at the very end falls outside the buffer and is not copied.
    const into = this.#prefixBytes + this.#size + 1 - this.#left;
    this.#kept?.set(this.#within(chunk, at, end), into);
    this.#left -= end - at;
    if (this.#left === 0) this.#finish();
    return end;
  }

  #prepare(): void {
    const prefix = prefixOf(this.#size);
    this.#prefixBytes = prefix.length;
    this.#kept = Buffer.allocUnsafeSlow(prefix.length + this.#size);
    this.#kept.write(prefix, "latin1");
  }

  #within(chunk: Buffer, at: number, end: number): Buffer {
    const room = this.#left - 1;
    return chunk.subarray(at, Math.min(end, at + room));
  }

  #finish(): void {
    const hashed = this.#kept;
    this.#kept = undefined;
    if (hashed === undefined) this.#emit(this.#unread());
    else this.#emit({ state: "content", bytes: hashed.subarray(this.#prefixBytes) }, hashed);
  }

  #unread(): BlobContent {
    return this.#type === "blob"
      ? { state: "too-large", size: this.#size }
      : { state: "other", type: this.#type };
  }
}

/** What git hashes a content with. */
function prefixOf(size: number): string {
  return `blob ${size}\0`;
}

function odd(header: string): SwornError {
  const what = JSON.stringify(header.slice(0, 100));
  return new SwornError("STORE_UNREADABLE", `git cat-file gave an answer we cannot read: ${what}`);
}
