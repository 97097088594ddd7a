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

/** Takes apart what `git cat-file --batch` writes: a header, the content, a newline. */
export class BlobAnswers {
  readonly #bytesMax: number;
  readonly #emit: (content: BlobContent) => void;
  #header = "";
  #type = "";
  #size = 0;
  /** Bytes that are still to come, the newline after them included; 0 while a header is read. */
  #left = 0;
  #kept: Buffer | undefined;

  constructor(bytesMax: number, emit: (content: BlobContent) => void) {
    this.#bytesMax = bytesMax;
    this.#emit = emit;
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
    if (newline >= 0) {
      this.#begin(this.#header);
      this.#header = "";
    }
    return end + 1;
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
    const isWanted = this.#type === "blob" && this.#size <= this.#bytesMax;
    this.#kept = isWanted ? Buffer.allocUnsafeSlow(this.#size) : undefined;
  }

  #takeContent(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left);
    // The newline at the very end falls outside the buffer and is not copied.
    this.#kept?.set(this.#within(chunk, at, end), this.#size + 1 - this.#left);
    this.#left -= end - at;
    if (this.#left === 0) this.#finish();
    return end;
  }

  #within(chunk: Buffer, at: number, end: number): Buffer {
    const room = this.#left - 1;
    return chunk.subarray(at, Math.min(end, at + room));
  }

  #finish(): void {
    const bytes = this.#kept;
    this.#kept = undefined;
    this.#emit(bytes === undefined ? this.#unread() : { state: "content", bytes });
  }

  #unread(): BlobContent {
    return this.#type === "blob"
      ? { state: "too-large", size: this.#size }
      : { state: "other", type: this.#type };
  }
}

function odd(header: string): SwornError {
  const what = JSON.stringify(header.slice(0, 100));
  return new SwornError("STORE_UNREADABLE", `git cat-file gave an answer we cannot read: ${what}`);
}
