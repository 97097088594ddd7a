import { proseBlocks, proseSpans } from "./prose.ts";
import { oneLine } from "./visible-text.ts";

const FENCE_LENGTH_MIN = 3;

function longestBacktickRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Words inside a line: nothing in them is markup, a link, or a mention that would call a person.
 * Expects a single line without hidden characters.
 */
export function escapeWords(words: string): string {
  return words
    .replace(/[\\`*_[\]<>&|~$]/g, "\\$&")
    .replace(/:(?=\/\/)/g, "\\:")
    .replace(/\b(www)\./gi, "$1\\.")
    .replace(/(?<![\p{L}\p{N}_])@(?=[\p{L}\p{N}])/gu, "`@`");
}

/** Prose as one line of Markdown, for a heading, a list item or a label. */
export function markdownLine(text: string): string {
  return proseLine(oneLine(text));
}

/** Prose for a cell of a table. A pipe is written as an entity: readers disagree about `\\|`. */
export function markdownCell(text: string): string {
  return escapeWords(oneLine(text)).replaceAll("\\|", "&#124;");
}

/** A code span that its content cannot close. Expects a single line without hidden characters. */
export function codeSpan(text: string): string {
  const ticks = "`".repeat(longestBacktickRun(text) + 1);
  const isPadded = /^[` ]|[` ]$/.test(text);
  return isPadded ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`;
}

/** A fenced block, longer than any fence in it. The language comes from a closed list of ours. */
export function codeFence(lines: readonly string[], language = ""): string[] {
  const length = Math.max(FENCE_LENGTH_MIN, longestBacktickRun(lines.join("\n")) + 1);
  const fence = "`".repeat(length);
  return [`${fence}${language}`, ...lines, fence];
}

/** Prose of several lines after a label that we write: paragraphs, and its fenced code as code. */
export function markdownProse(label: string, text: string): string[] {
  const [first, ...rest] = proseBlocks(text);
  if (first === undefined) return [];
  const head =
    first.kind === "code"
      ? [label, "", ...codeFence(first.lines)]
      : joinLabel(label, first.lines.map(proseLine));
  return [...head, ...rest.flatMap((block) => ["", ...blockMarkdown(block)])];
}

/** Lines moved into a list item, where no line of theirs can end it. */
export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}

/** Folds to one line what `encodeURIComponent` leaves readable, and nothing that could end a comment. */
export function commentValue(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll("%2F", "/")
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/-(?=-)|-$/g, "%2D");
}

function joinLabel(label: string, [first = "", ...rest]: readonly string[]): string[] {
  return [`${label} ${first}`, ...rest];
}

function blockMarkdown(block: ReturnType<typeof proseBlocks>[number]): string[] {
  return block.kind === "code" ? codeFence(block.lines) : block.lines.map(proseLine);
}

function proseLine(line: string): string {
  let joined = "";
  for (const { kind, text } of proseSpans(line)) {
    const piece = kind === "code" ? codeSpan(text) : escapeWords(text);
    // Two code spans side by side would melt into one with the wrong content.
    joined += joined.endsWith("`") && piece.startsWith("`") ? ` ${piece}` : piece;
  }
  return escapeLineStart(joined);
}

/** A heading, a list, a rule, an underline or a table would start with one of these. */
function escapeLineStart(line: string): string {
  return line.replace(/^[#+=:-]/, "\\$&").replace(/^(\d+)([.)])/, "$1\\$2");
}
