import { isUtf8 } from "node:buffer";
import { TextView } from "./text-view.ts";

/** As git does it: a zero byte this early makes a file binary. */
const BINARY_PROBE_BYTES = 8_000;
const CARRIAGE_RETURN = 0x0d;
const DOCUMENT = /\.(md|markdown|mdx|txt|rst|adoc)$/i;
/** Marks that can stand one in another: a list in a quotation in a list. */
const MARKS_MAX = 8;
const MARK = /^(?:>[ \t]?|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t])/;

/** A file's text, made ready for comparing once. Lines end with LF, whatever the file has. */
export class SourceText {
  readonly plain: TextView;
  readonly isLatin1: boolean;
  readonly isDocument: boolean;
  #unmarked: TextView | undefined;

  private constructor(path: string, bytes: Buffer, isLatin1: boolean) {
    this.plain = new TextView(withLineFeeds(bytes));
    this.isLatin1 = isLatin1;
    this.isDocument = DOCUMENT.test(path);
  }

  /** Undefined for a binary file. What is no UTF-8 is read byte by byte, which matches all ASCII in it. */
  static decode(path: string, bytes: Uint8Array): SourceText | undefined {
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (buffer.subarray(0, BINARY_PROBE_BYTES).includes(0)) return undefined;
    const isText = isUtf8(buffer);
    const read = isText ? buffer : Buffer.from(buffer.toString("latin1"));
    return new SourceText(path, read, !isText);
  }

  /** For a document: the same lines without what makes them lists and quotations. */
  get unmarked(): TextView | undefined {
    if (this.isDocument) {
      this.#unmarked ??= new TextView(Buffer.from(withoutMarks(this.plain.bytes.toString())));
    }
    return this.#unmarked;
  }

  /** About what it holds in memory, with what may still be made of it. */
  get cost(): number {
    return 2 * this.plain.bytes.length + 1_000;
  }
}

function withLineFeeds(bytes: Buffer): Buffer {
  if (!bytes.includes(CARRIAGE_RETURN)) return bytes;
  return Buffer.from(bytes.toString().replaceAll("\r\n", "\n"));
}

export function withoutMarks(text: string): string {
  return text.split("\n").map(withoutMark).join("\n");
}

function withoutMark(line: string): string {
  let rest = line.trimStart();
  for (let marks = 0; marks < MARKS_MAX && MARK.test(rest); marks += 1) {
    rest = rest.replace(MARK, "").trimStart();
  }
  return rest;
}
