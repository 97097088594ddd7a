import { fenceBehind } from "./fence-line.ts";
import { headerLine } from "./header-line.ts";
import { heredocLine } from "./heredoc-line.ts";
import type { LineCursor } from "./line-cursor.ts";

const LINE_CHARS_MAX = 10_000;

/** What ends the HTML that begins on a line, where Markdown inside of it is none. */
export function htmlEnd(line: string): string | undefined {
  const begin = /^ {0,3}<(!--|(?:pre|script|style|textarea)(?=[\s>]|$))/i
    .exec(line)?.[1]
    ?.toLowerCase();
  if (begin === undefined) return undefined;
  const end = begin === "!--" ? "-->" : `</${begin}>`;
  return line.toLowerCase().includes(end) ? undefined : end;
}

/**
 * Passes over HTML to its end. Whoever reads the response as it is rendered sees no block in there,
 * so what looks like one is reported and never taken.
 */
export function readHidden(cursor: LineCursor, end: string): { content: string; problem?: string } {
  const from = cursor.next;
  let isSuspect = false;
  while (cursor.advance()) {
    const line = cursor.line;
    if (line.length <= LINE_CHARS_MAX) isSuspect ||= looksLikeFile(line);
    if (line.toLowerCase().includes(end)) break;
  }
  const content = cursor.text.slice(from, cursor.next);
  if (!isSuspect) return { content };
  return {
    content,
    problem: `it stands inside HTML up to ${end}, where no reader of the page sees a file`,
  };
}

function looksLikeFile(line: string): boolean {
  return (
    fenceBehind(line) !== undefined ||
    headerLine(line)?.kind === "begin" ||
    heredocLine(line)?.path !== undefined
  );
}
