import type { Citation } from "../../schema/finding.ts";
import type { SourceFile } from "../reviewer.ts";

/** Longest quotation from one line; a line can be a megabyte, a report cannot. */
const LINE_QUOTE_CHARS_MAX = 2_000;
/** Most lines in one quotation. */
const QUOTE_LINES_MAX = 20;

/** The lines of a file by number and by offset. Only the offsets are kept, not the lines. */
export class SourceLines {
  readonly #file: SourceFile;
  readonly #starts: number[] = [0];

  constructor(file: SourceFile) {
    this.#file = file;
    const { text } = file;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  /** The number of the line that holds this offset; the first line is 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Where a line begins; past the last line, where the text ends. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#file.text.length;
  }

  /** A line without its end, be that `\n` or `\r\n`. */
  textOf(line: number): string {
    const start = this.startOf(line);
    const next = this.#starts[line];
    const end = next === undefined ? this.#file.text.length : next - 1;
    const text = this.#file.text.slice(start, end);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  /**
   * These lines as a citation, quoted exactly as they stand. Of a line too long to quote only its
   * beginning is quoted, and nothing after it. A blank line is cited without a quotation.
   */
  cite(line: number, endLine: number = line): Citation {
    const last = Math.min(endLine, line + QUOTE_LINES_MAX - 1, this.count);
    let end = line;
    while (end < last && this.textOf(end).length <= LINE_QUOTE_CHARS_MAX) end += 1;
    const start = this.startOf(line);
    const stop = this.startOf(end) + Math.min(this.textOf(end).length, LINE_QUOTE_CHARS_MAX);
    const quote = this.#file.text.slice(start, stop).slice(0, QUOTE_LINES_MAX * 900);
    return {
      file: this.#file.path,
      line,
      ...(end > line ? { end_line: end } : {}),
      ...(quote.trim() === "" ? {} : { quote }),
    };
  }
}
