import { closes, type FenceLine, fenceOn } from "./fence-line.ts";
import type { LineCursor } from "./line-cursor.ts";

/** What was between two fences, or what stands in the way of saying so. */
export interface FenceRead {
  readonly content: string;
  readonly problem?: string;
}

const NESTED =
  "a fence of the same length stands inside, so that it can be read in two ways; give the outer fence more backticks";
/** How far a fence may stand to the right of the place where its list item's text begins. */
const SHIFT_MAX = 3;

/**
 * Reads from behind an opening fence to behind the closing one. `base` is where the text of the list
 * item begins that the block is in.
 *
 * A fence with an info string inside, as long as the outer one, is where readers part: CommonMark
 * ends the outer block at the next bare fence, and whoever wrote it meant it to nest. From there on
 * both readings are followed at once, nothing is taken, and the part ends where both are outside.
 */
export function readFence(cursor: LineCursor, open: FenceLine, base: number): FenceRead {
  const from = cursor.next;
  let isLeft = false;
  while (cursor.advance()) {
    isLeft ||= base > 0 && cursor.indent < base && !cursor.isBlank;
    const line = fenceOn(cursor);
    if (line === undefined || line.indent > base + SHIFT_MAX) continue;
    if (closes(line, open)) {
      const read = contentOf(cursor.text.slice(from, cursor.start), open.indent);
      return isLeft ? { ...read, problem: LEFT } : read;
    }
    if (isOpening(line, open)) return readTangle(cursor, open, line, from);
  }
  return { content: cursor.text.slice(from, cursor.next), problem: UNCLOSED };
}

const UNCLOSED = "the fence is never closed; a response that was cut off looks the same";
const LEFT = "a line stands left of the list item that the block is in; indent all of it alike";

function isOpening(line: FenceLine, open: FenceLine): boolean {
  return line.info !== "" && line.char === open.char && line.length >= open.length;
}

function readTangle(
  cursor: LineCursor,
  outer: FenceLine,
  inner: FenceLine,
  from: number,
): FenceRead {
  // As CommonMark reads it, the block that is open; the nest is what an author means who nests.
  let open: FenceLine | undefined = outer;
  const nest: Nest = [];
  for (const line of [outer, inner]) enter(nest, line);
  while (cursor.advance()) {
    const line = fenceOn(cursor);
    if (line === undefined || line.indent > SHIFT_MAX) continue;
    open = nextOpen(open, line);
    enter(nest, line);
    if (open === undefined && nest.length === 0) break;
  }
  return { content: cursor.text.slice(from, cursor.next), problem: NESTED };
}

function nextOpen(open: FenceLine | undefined, line: FenceLine): FenceLine | undefined {
  if (open === undefined) return line;
  return closes(line, open) ? undefined : open;
}

/** Open fences from the outermost on; fences of one kind that follow each other are counted. */
type Nest = { readonly fence: FenceLine; depth: number }[];

function enter(nest: Nest, line: FenceLine): void {
  const top = nest.at(-1);
  if (top !== undefined && closes(line, top.fence)) {
    top.depth -= 1;
    if (top.depth === 0) nest.pop();
  } else if (top?.fence.char === line.char && top.fence.length === line.length) {
    top.depth += 1;
  } else {
    nest.push({ fence: line, depth: 1 });
  }
}

const NO_NEWLINE = "\\ No newline at end of file";

/**
 * The file between two fences: the fence's own indentation taken from every line. A last line that
 * says so, in the words of diff, takes the line end before it away: a file without one could not be
 * written between fences otherwise.
 */
export function contentOf(text: string, indent: number): FenceRead {
  const shifted = indent === 0 ? { content: text } : shift(text, indent);
  const { content } = shifted;
  const end = content.endsWith(`${NO_NEWLINE}\r\n`) ? "\r\n" : "\n";
  const tail = `\n${NO_NEWLINE}${end}`;
  if (!content.endsWith(tail)) return shifted;
  // The line that says it ends as all lines of the response do, so the one before it did, too.
  const before = content.slice(0, -tail.length);
  const isWindows = end === "\r\n" && before.endsWith("\r");
  return { ...shifted, content: isWindows ? before.slice(0, -1) : before };
}

function shift(text: string, indent: number): FenceRead {
  const lines = text.split("\n");
  const spaces = new RegExp(`^ {0,${indent}}`);
  const hasTab = lines.some(
    (line) => /^ *\t/.test(line) && line.search(/\t/) < indent && /\S/.test(line),
  );
  const content = lines.map((line) => line.replace(spaces, "")).join("\n");
  if (!hasTab) return { content };
  return {
    content,
    problem: "a tab stands where the block's own indentation is; use spaces there",
  };
}
