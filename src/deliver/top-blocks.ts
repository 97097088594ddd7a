import { fromMarkdown } from "mdast-util-from-markdown";

/** What is parsed in one go. The parser's time grows with the square of it, so that pieces stay small. */
const PIECE_CHARS = 4_096;
/** What stands inside lines decides about no block, and costs the parser most of its time. */
const INLINE_OFF = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];
const OPTIONS = { extensions: [{ disable: { null: INLINE_OFF } }] };
/** Characters that can tell blocks apart behind the first letter of a line: HTML, fences, definitions, hashes. */
const TELLING = /[<>[\]]|```|~~~|#\s*$/;
const FRONT = /^[^A-Za-z]{0,40}[A-Za-z]/;

/** A block of the outermost level, with its lines as they are written. */
export interface TopBlock {
  readonly type: string;
  readonly source: string;
}

interface Piece {
  readonly blocks: readonly TopBlock[];
  /** The line the next piece starts with, counted from zero. */
  readonly end: number;
}

/**
 * Takes a Markdown document apart at its outermost level, in time that grows with its length: piece
 * by piece, each cut where the parser itself says that a block starts. A long list may come in parts.
 */
export function* topBlocks(text: string): Generator<TopBlock> {
  const lines = text.split(/\r\n|\n|\r/);
  for (let start = 0; start < lines.length; ) {
    if (lines[start]?.trim() === "") {
      start += 1;
      continue;
    }
    const piece = nextPiece(lines, start);
    yield* piece.blocks;
    start = piece.end;
  }
}

function nextPiece(lines: readonly string[], start: number): Piece {
  for (let chars = PIECE_CHARS; ; chars *= 2) {
    const end = cutAfter(lines, start, chars);
    const { children } = fromMarkdown(
      lines
        .slice(start, end + 1)
        .map(shortened)
        .join("\n"),
      OPTIONS,
    );
    const isEnd = end >= lines.length;
    const last = children.at(-1);
    const isCut = last !== undefined && startsAt(last, end - start + 1);
    if (!isEnd && !isCut) continue;
    const whole = isEnd || isInList(last, end - start + 1) ? children : children.slice(0, -1);
    const until = isEnd ? lines.length : end;
    const blocks = withDefinitions(whole).map(({ type, from, to }) => ({
      type,
      source: lines.slice(start + from - 1, Math.min(start + to, until)).join("\n"),
    }));
    return { blocks, end };
  }
}

/**
 * The lines of each block. Definitions stay with the block right below them: what comes after one may
 * not be what it would be by itself.
 */
function withDefinitions(nodes: readonly Node[]): { type: string; from: number; to: number }[] {
  const blocks: { type: string; from: number; to: number }[] = [];
  for (const [index, { type, position }] of nodes.entries()) {
    const from = position?.start.line ?? 1;
    // A fence that a list leaves open is said to end where the next block starts.
    const next = nodes[index + 1]?.position?.start.line ?? Number.POSITIVE_INFINITY;
    const to = Math.min(position?.end.line ?? from, next - 1);
    const before = blocks.at(-1);
    const isBelow = before?.type === "definition" && before.to + 1 === from;
    if (isBelow) blocks.pop();
    blocks.push({ type, from: isBelow ? before.from : from, to });
  }
  return blocks;
}

type Node = ReturnType<typeof fromMarkdown>["children"][number];

/** Whether a block starts at a line, or the last item of a list does: the items before it are whole. */
function startsAt(node: Node, line: number): boolean {
  return node.position?.start.line === line || isInList(node, line);
}

function isInList(node: Node | undefined, line: number): boolean {
  if (node?.type !== "list" || node.position?.start.line === line) return false;
  return node.children.at(-1)?.position?.start.line === line;
}

/** The first line beyond so many characters that could start a block of the outermost level. */
function cutAfter(lines: readonly string[], start: number, chars: number): number {
  let seen = 0;
  for (let index = start; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (seen >= chars && /^\S/.test(line) && mayStart(line, lines[index - 1])) return index;
    seen += line.length + 1;
  }
  return lines.length;
}

function mayStart(line: string, before = ""): boolean {
  return before.trim() === "" || /^(?:#{1,6}\s|[-*+]\s+\S|<!--)/.test(line);
}

/** A line without its middle, for the parser; the blocks themselves are given as they are written. */
function shortened(line: string): string {
  const front = TELLING.test(line) ? undefined : FRONT.exec(line)?.[0].length;
  const end = line.trimEnd().length - 1;
  return front === undefined || end - front < 2 ? line : line.slice(0, front) + line.slice(end);
}
