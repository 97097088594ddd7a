import { type FenceLine, fenceBehind, fenceOn } from "./fence-line.ts";
import { headerLine } from "./header-line.ts";
import type { HeredocLine } from "./heredoc-line.ts";
import type { LineCursor } from "./line-cursor.ts";
import { contentOf } from "./read-fence.ts";

/** What was read, and what stands in the way of taking it. */
interface Read {
  readonly content: string;
  readonly problem?: string;
}

const INDENT = 4;
const TAB = 9;
const LINE_CHARS_MAX = 10_000;

/** The text below a `--- name ---` line, up to the next such line. */
export function readRaw(cursor: LineCursor): Read {
  const from = cursor.next;
  let isFenced = false;
  while (cursor.advance()) {
    const header = headerLine(cursor.line);
    if (header === undefined) {
      isFenced ||= fenceOn(cursor) !== undefined;
      continue;
    }
    const read = contentOf(cursor.text.slice(from, cursor.start), 0);
    if (header.kind === "begin") cursor.unread();
    if (!isFenced) return read;
    return {
      ...read,
      problem:
        "a fence stands in the text below the header, so that it can be read in two ways; put all of it into a longer fence",
    };
  }
  const content = cursor.text.slice(from, cursor.next);
  return {
    content,
    problem:
      "the text below the header has no end; close it with --- end ---, since a response that was cut off looks the same",
  };
}

/** A command with its text outside of any fence. */
export function readHeredoc(cursor: LineCursor, opened: HeredocLine): Read {
  const from = cursor.start;
  let isFenced = false;
  while (cursor.advance()) {
    const line = opened.dropsTabs ? cursor.line.replace(/^\t+/, "") : cursor.line;
    if (line === opened.delimiter) break;
    isFenced ||= fenceOn(cursor) !== undefined;
  }
  const content = cursor.text.slice(from, cursor.next);
  if (!isFenced) return { content };
  return {
    content,
    problem:
      "a fence stands in the heredoc, so that it can be read in two ways; put all of it into a longer fence",
  };
}

/** Lines that are indented as code is, up to the first one that is not. */
export function readIndented(cursor: LineCursor, base: number): Read {
  const indent = base + INDENT;
  const from = cursor.start;
  let [isEnded, hasTab] = [false, false];
  let last = { next: cursor.next, number: cursor.number };
  do {
    if (cursor.isBlank) continue;
    const isTab = cursor.text.charCodeAt(cursor.start) === TAB;
    isEnded = !isTab && cursor.indent < indent;
    if (isEnded) break;
    hasTab ||= isTab && base > 0;
    last = { next: cursor.next, number: cursor.number };
  } while (cursor.advance());
  cursor.rewind(last.next, last.number);
  const shift = new RegExp(`(^|\\n)(?: {${indent}}|\\t| {0,${indent}}(?=\\r?\\n))`, "g");
  const content = cursor.text.slice(from, last.next).replace(shift, "$1");
  if (isEnded && !hasTab) return { content };
  return { content, problem: OPEN_INDENT };
}

const OPEN_INDENT = "an indented block has no end of its own where the response ends; use a fence";

/** Goes to the end of what a fence in a place where it is none would have fenced in. */
export function readStray(cursor: LineCursor, char: FenceLine["char"]): Read {
  const from = cursor.next;
  const bare = new RegExp(`^[\\s>]{0,100}${char}{3,}\\s*$`);
  while (cursor.advance()) {
    if (cursor.end - cursor.start > LINE_CHARS_MAX) continue;
    const { line } = cursor;
    if (fenceBehind(line) === char && bare.test(line)) break;
  }
  const content = cursor.text.slice(from, cursor.next);
  return {
    content,
    problem:
      "the fence is quoted, or stands where Markdown sees none (behind a list's mark, a tab, or too many spaces)",
  };
}
