import type { Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { SwornError } from "../base/index.ts";
import { type Block, depthOf, type Item, toBlocks } from "./block.ts";
import { shortenLines } from "./shorten-lines.ts";

/** What is parsed in one go. The parser's time grows with the square of it, so that pieces stay small. */
const PIECE_CHARS = 4 * 1024;
/** The longest block of several lines. Longer ones cannot be read in pieces. */
const BLOCK_CHARS_MAX = 64 * 1024;
/** The most work for blocks longer than a piece, in squared pieces: the parser's worst case, bounded. */
const WORK_MAX = 4_096;
/** Deeper lists and quotes are refused: no reviewer writes them. */
const DEPTH_MAX = 64;

/**
 * Inline marks, link definitions and underlined headings are switched off: the parser needs
 * quadratic time for them, `[SEC-001]: x` would vanish as a definition, and the rule that closes a
 * Seal would make a heading of it.
 */
const INLINE_OFF = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "definition",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
  "setextUnderline",
];
const OPTIONS = {
  extensions: [gfmTable(), { disable: { null: INLINE_OFF } }],
  mdastExtensions: [gfmTableFromMarkdown()],
};

/**
 * Reads the block structure of a Markdown document, in time that grows with its length: piece by
 * piece, each cut where the parser itself says that a block of the outermost level starts.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for nesting or blocks beyond any report.
 */
export function readBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  const work = { done: 0 };
  let start = 0;
  let isListCut = false;
  while (start < lines.length) {
    if (lines[start]?.trim() === "") {
      start += 1;
      continue;
    }
    const piece = nextPiece(lines, start, work);
    append(blocks, piece.blocks, isListCut);
    isListCut = piece.isListCut;
    start = piece.end;
  }
  return underlinedHeadings(blocks);
}

interface Piece {
  readonly blocks: readonly Block[];
  /** The line the next piece starts with, counted from zero. */
  readonly end: number;
  /** The last list goes on in the next piece. */
  readonly isListCut: boolean;
}

function append(blocks: Block[], more: readonly Block[], isListCut: boolean): void {
  const [last, first] = [blocks.at(-1), more[0]];
  if (isListCut && last?.kind === "list" && first?.kind === "list") {
    // Pushed in place: a list of many pieces would else be copied once for each.
    (last.items as Item[]).push(...first.items);
    blocks.push(...more.slice(1));
  } else {
    blocks.push(...more);
  }
}

function nextPiece(lines: readonly string[], start: number, work: { done: number }): Piece {
  for (let chars = PIECE_CHARS; ; chars *= 2) {
    const end = cutAfter(lines, start, chars);
    const source = lines.slice(start, end + 1);
    assertBounded(source, start, work);
    const { lines: short, restore } = shortenLines(source);
    const root = parse(short, start);
    const isEnd = end >= lines.length;
    const whole = isEnd ? root.children : withoutLast(root.children, end - start + 1);
    if (whole === undefined) continue;
    const isListCut = !isEnd && whole.length === root.children.length;
    return { blocks: toBlocks(whole, { lines: source, before: start, restore }), end, isListCut };
  }
}

/** The first line beyond so many characters that could start a block of the outermost level. */
function cutAfter(lines: readonly string[], start: number, chars: number): number {
  // Indented lines mostly belong to an item; they are tried only where nothing else was found.
  const starts = chars > 2 * PIECE_CHARS ? /^ {0,3}\S/ : /^\S/;
  let seen = 0;
  for (let index = start; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (seen >= chars && starts.test(line) && mayStart(line, lines[index - 1])) return index;
    seen += line.length + 1;
  }
  return lines.length;
}

function mayStart(line: string, before = ""): boolean {
  return before.trim() === "" || /^ {0,3}(?:#{1,6}\s|[-*+]\s|\d{1,9}[.)]\s)/.test(line);
}

/**
 * What comes before the block that starts at the given line. Undefined if no block of the outermost
 * level starts there: then the line belongs to a fence, a quote or a comment that is still open.
 */
function withoutLast(nodes: RootContent[], line: number): RootContent[] | undefined {
  const last = nodes.at(-1);
  if (last === undefined) return undefined;
  if (last.position?.start.line === line) return nodes.slice(0, -1);
  if (last.type !== "list") return undefined;
  if (last.children.at(-1)?.position?.start.line !== line) return undefined;
  return [...nodes.slice(0, -1), { ...last, children: last.children.slice(0, -1) }];
}

function parse(source: readonly string[], start: number): Root {
  const root = fromMarkdown(source.join("\n"), OPTIONS);
  if (depthOf(root) > DEPTH_MAX + 2) throw tooDeep(start + 1);
  return root;
}

/** Many marks in front of one line nest as deeply, and cost the parser the square of it. */
const NESTING = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){65}/;

function assertBounded(source: readonly string[], start: number, work: { done: number }): void {
  const deep = source.findIndex((line) => NESTING.test(line) && !isRule(line));
  if (deep >= 0) throw tooDeep(start + deep + 1);
  const chars = source.reduce((sum, line) => sum + line.length + 1, 0);
  // Nothing nests or repeats in two lines, so that even very long ones are cheap.
  if (chars <= 2 * PIECE_CHARS || source.length <= 2) return;
  work.done += (chars / PIECE_CHARS) ** 2;
  const isLong = chars > BLOCK_CHARS_MAX && longestLine(source) < chars / 2;
  if (isLong || work.done > WORK_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `line ${start + 1} starts a block that goes on for more than ${source.length - 1} lines; ` +
        `expected blocks of at most ${BLOCK_CHARS_MAX} characters: quote less, or close the fence`,
    );
  }
}

const longestLine = (lines: readonly string[]): number =>
  lines.reduce((most, line) => Math.max(most, line.length), 0);

/** A line of nothing but one mark is a rule, or drawing in quoted code, and nests nothing. */
const isRule = (line: string): boolean => /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/.test(line);

function tooDeep(line: number): SwornError {
  const limit = `expected lists and quotes nested at most ${DEPTH_MAX} deep`;
  return new SwornError("LIMIT_EXCEEDED", `line ${line} nests deeper; ${limit}`);
}

/** Puts back the underlined headings that are meant as such: one line of text, no Seal. */
function underlinedHeadings(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const before = result.at(-1);
    if (isUnderline(block) && before?.kind === "paragraph" && isTitle(before.text)) {
      if (before.line + 1 === block.line) {
        result[result.length - 1] = { ...before, kind: "heading", depth: 2 };
        continue;
      }
    }
    result.push(doubleUnderlined(block));
  }
  return result;
}

const isUnderline = (block: Block): boolean => block.kind === "break" && block.isDashes;
const isTitle = (text: string): boolean => !/[\n{}]|^\s*\**SEAL\b/.test(text);

function doubleUnderlined(block: Block): Block {
  if (block.kind !== "paragraph") return block;
  const [title, underline, ...more] = block.text.split("\n", 3);
  if (underline === undefined || more.length > 0 || !/^=+\s*$/.test(underline)) return block;
  return { kind: "heading", line: block.line, depth: 1, text: title ?? "" };
}
