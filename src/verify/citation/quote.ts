import { FINDING_TEXT_CHARS_MAX } from "../../schema/finding.ts";

/** Parts beyond this are not told apart: each is looked for by itself. */
const PARTS_MAX = 50;
/** A line that stands for others that were left out, with or without the marks of a comment. */
const ELISION = /^(?:\/\/|\/\*|#|--|<!--|;|%)? ?[[(<{]?(?:\.{3}|…)[\])>}]? ?(?:\*\/|-->)?$/;

/** What somebody says is written in a file. */
export interface Quote {
  readonly whole: string;
  /** Without the lines that say "and so on"; one part when there are none. */
  readonly parts: readonly string[];
}

/** Undefined when nothing but white space or "and so on" was quoted. */
export function readQuote(written: string | undefined): Quote | undefined {
  const lines = (written ?? "").replaceAll("\r\n", "\n").split("\n");
  // Whoever read it in has cut it here, perhaps within a word.
  if ((written?.length ?? 0) >= FINDING_TEXT_CHARS_MAX && lines.length > 1) lines.pop();
  const whole = trimBlankLines(lines);
  const parts = /\.{3}|…/.test(whole) ? partsOf(lines) : [whole].filter((part) => part !== "");
  if (parts.length === 0) return undefined;
  return { whole, parts: parts.length > PARTS_MAX ? [whole] : parts };
}

function partsOf(lines: readonly string[]): string[] {
  const parts: string[][] = [[]];
  for (const line of lines) {
    if (ELISION.test(line.trim())) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(trimBlankLines).filter((part) => part !== "");
}

/** A bracket alone stands on any line; to have it right proves nothing. */
export function saysSomething(quote: Quote): boolean {
  return /[\p{L}\p{N}]/u.test(quote.whole);
}

/** White space at the very end is lost in copying, and so are empty lines around a block. */
function trimBlankLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== "");
  return first < 0 ? "" : lines.slice(first).join("\n").trimEnd();
}
