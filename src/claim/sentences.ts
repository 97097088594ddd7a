/** A sentence as it was written, in one line, with what is around it. */
export interface Sentence {
  readonly text: string;
  /** The one before it in the same paragraph or item. */
  readonly before: string | undefined;
  /** What leads in to the list that it is an item of: "Before merging:". */
  readonly lead: string | undefined;
}

/** Where a sentence begins: what may stand before its first word, as the source of an expression. */
export const SENTENCE_START = String.raw`^(?:[\s>*+•✅✔☑🎉_-]|\uFE0F){0,12}(?:\d{1,3}[.)]\s)?(?:\[[xX]\]\s)?(?:[✅✔☑*_\s]|\uFE0F){0,6}`;

const TEXT_CHARS_MAX = 1_000_000;
const SENTENCE_CHARS_MAX = 1_000;
/** Shorter lines were ended by somebody, longer ones more likely by a margin. */
const MARGIN_CHARS_MIN = 60;

/** The info behind backticks has none: a line like "```x``` is it" is prose. */
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^\s*#{1,6}(?:\s|$)/;
const ITEM = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/;
const QUOTE = /^\s*(?:>\s?)+/;
const HTML = /^\s*<[a-z!/]/i;
/** "FLAW: none" says something of its own, whatever stands above it. */
const LABEL = /^\s*(?:\*\*|__)?\p{Lu}[\p{L}\p{N}_/-]*(?: [\p{L}\p{N}_/-]+){0,2}(?:\*\*|__)?:/u;
const CODE = /`[^`]*`/g;
/** A line that ends with one of these goes on, whatever the next one begins with. */
const GOES_ON =
  /(?:,|&|\b(?:a|an|the|this|that|these|those|all|any|each|every|no|our|my|its|of|in|on|at|to|for|from|by|with|without|into|and|or|but|than|as|is|are|was|were|be|been|has|have|had|if|when|once|until|unless|should|would|could|must|will|may|might|can|existing|unit|also))$/i;
/** And with one of these, where code follows. */
const TAKES_CODE =
  /\b(?:file|files|created?s?|add(?:s|ed)|wrote|update[ds]|modified|modifies|change[ds]|edit(?:s|ed)|fix(?:es|ed)|delete[ds]|remove[ds]|rename[ds]|move[ds]|introduce[ds]|ran|new|old)$/i;
const ENDED = /[.!?:;|]["'”’)\]*_]{0,3}$/;
/** The number of an item ends nothing. */
const SENTENCE_END = /\n\n|(?<=[.!?]["'”’)\]*_]{0,3})(?<!(?:^|\n)[ \t>]{0,24}\d{1,3}\.)\s+/;

interface Block {
  text: string;
  readonly kind: "prose" | "item" | "quote" | "single";
  readonly lead: string | undefined;
  lastLine: string;
}

/** Sentences without what is around them. */
export function sentencesOf(text: string): string[] {
  return readSentences(text).map((one) => one.text);
}

/**
 * The sentences of a text in Markdown, each as it was written. They go on over the ends of lines within
 * a paragraph; code blocks are what it shows, not what it says.
 */
export function readSentences(text: string): Sentence[] {
  return blocksOf(text.slice(0, TEXT_CHARS_MAX)).flatMap(({ text: block, lead }) => {
    const sentences = block.split(SENTENCE_END).flatMap(shortened);
    return sentences.map((one, at) => ({ text: one, before: sentences[at - 1], lead }));
  });
}

/** A sentence as one line; what is too long for one is read line by line, and lines are cut. */
function shortened(sentence: string): string[] {
  const parts = sentence.length <= SENTENCE_CHARS_MAX ? [sentence] : sentence.split("\n");
  return parts
    .map((one) => one.trim().slice(0, SENTENCE_CHARS_MAX).replace(/\s+/g, " "))
    .filter((one) => one !== "");
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lead = new Lead();
  let open: Block | undefined;
  for (const line of withoutCode(text.split(/\r?\n/))) {
    const kind = blockOf(line);
    if (kind === undefined) open = undefined;
    else if (open !== undefined && doesGoOn(open, line)) goOn(open, line);
    else {
      open = { text: line, kind, lead: lead.before(kind, line, blocks.at(-1)), lastLine: line };
      blocks.push(open);
    }
  }
  return blocks;
}

/** Blank lines in place of blocks of code and the fences around them. */
function withoutCode(lines: readonly string[]): string[] {
  let fence = "";
  return lines.map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    const isInside = fence !== "";
    if (!isInside) fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    return isInside || mark !== "" ? "" : line;
  });
}

/** What a line would begin; undefined where it is blank or a rule. */
function blockOf(line: string): Block["kind"] | undefined {
  if (isRule(line) || line.replace(QUOTE, "").trim() === "") return undefined;
  if (QUOTE.test(line)) return "quote";
  if (HEADING.test(line) || isRow(line)) return "single";
  return ITEM.test(line) ? "item" : "prose";
}

const isRule = (line: string): boolean => /^[\s:|=*_-]+$/.test(line) && line.trim() !== "";

const isRow = (line: string): boolean =>
  /^\s*\|/.test(line) || /\s\|\s/.test(line.replace(CODE, "x"));

function doesGoOn(open: Block, line: string): boolean {
  const isQuoted = QUOTE.test(line);
  if (open.kind === "single" || (open.kind === "quote") !== isQuoted) return false;
  if (isQuoted && depthOf(line) !== depthOf(open.lastLine)) return false;
  const own = line.replace(QUOTE, "");
  return !(HEADING.test(own) || isRow(own) || ITEM.test(own) || HTML.test(own) || LABEL.test(own));
}

const depthOf = (line: string): number => (QUOTE.exec(line)?.[0] ?? "").split(">").length;

function goOn(open: Block, line: string): void {
  const own = line.replace(QUOTE, "");
  open.text += `${isSoftBreak(open.lastLine.trim(), own.trim()) ? "\n" : "\n\n"}${own}`;
  open.lastLine = line;
}

/** Whether a sentence goes on in the next line. Many write one sentence a line, and no full stop. */
function isSoftBreak(line: string, next: string): boolean {
  if (/^[\p{Ll}(]/u.test(next)) return true;
  if (ENDED.test(line)) return false;
  if (GOES_ON.test(line) || (next.startsWith("`") && TAKES_CODE.test(line))) return true;
  if (line.length < MARGIN_CHARS_MIN || /[`*_]$/.test(line)) return false;
  return /^[\p{L}\p{N}`*_"“]/u.test(next);
}

/** What leads in to a list: the text above it, or an item that it stands below. */
class Lead {
  #list: string | undefined;
  #item: { readonly indent: number; readonly text: string } | undefined;

  before(kind: Block["kind"], line: string, above: Block | undefined): string | undefined {
    const isOpen = above !== undefined && /:[*_]{0,3}$/.test(above.text.trimEnd());
    const isHeading = above !== undefined && HEADING.test(above.text);
    const indent = indentOf(line);
    if (kind !== "item") {
      [this.#list, this.#item] = [undefined, undefined];
      return undefined;
    }
    if (above?.kind !== "item") this.#list = isOpen || isHeading ? above?.text : undefined;
    else if (isOpen) this.#item = { indent: indentOf(above.text), text: above.text };
    if (this.#item !== undefined && indent <= this.#item.indent) this.#item = undefined;
    return this.#item?.text ?? this.#list;
  }
}

const indentOf = (line: string): number => (ITEM.exec(line)?.[1] ?? "").length;
