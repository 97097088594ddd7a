import { aboutWords } from "./about-words.ts";
import { isNameLike } from "./name-like.ts";
import { partialWords, splitWords } from "./partial-words.ts";

/** What the words right before a block say about it. */
export interface LeadIn {
  /** The names in backticks that could be the block's. One is an answer, several are none. */
  readonly names: readonly string[];
  /** Set where the words announce a piece of a file or a change to one, or do not hand it over at all. */
  readonly partial?: string;
}

/** A longer paragraph introduces nothing. */
const CHARS_MAX = 1_000;

interface Span {
  readonly text: string;
  /** Where it begins and ends in the paragraph, backticks included. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the paragraph before a block: `Create file \`a\`:`, `The file \`a\` should have the following
 * content:`, `File named \`a\` with this code:`, `Update file \`a\`:`, a name alone, and kin. A name
 * that is said to be a file's counts before names that are merely mentioned.
 */
export function readLeadIn(paragraph: string): LeadIn {
  const { spans, chosen } = spansIn(paragraph);
  const names = namesOf(chosen);
  // Of a paragraph that is too long to introduce anything, the end can still take something back.
  const words = spans.length === 0 ? paragraph.slice(-CHARS_MAX) : paragraph;
  const plain = blanked(words, spans, chosen);
  const about = chosen.length === 0 ? undefined : aboutWords(plain);
  const partial = splitWords(words) ?? partialWords(plain) ?? about;
  if (partial === undefined) return { names };
  return { names, partial: partial.replace("NAME", () => names[0] ?? "it") };
}

/** The names alone, where nothing is taken anyway. */
export function leadNames(paragraph: string): string[] {
  return namesOf(spansIn(paragraph).chosen);
}

function namesOf(spans: readonly Span[]): string[] {
  return [...new Set(spans.map(({ text }) => text))];
}

function spansIn(paragraph: string): { spans: readonly Span[]; chosen: readonly Span[] } {
  if (paragraph.length > CHARS_MAX || !paragraph.includes("`")) return { spans: [], chosen: [] };
  const spans = codeSpans(paragraph);
  const said = spans.filter((span) => isSaidFile(paragraph, span));
  const named = spans.filter(({ text }) => isNameLike(text));
  const lastLine = paragraph.lastIndexOf("\n") + 1;
  const near = named.filter(({ from }) => from >= lastLine);
  return { spans, chosen: [said, near, named].find(({ length }) => length > 0) ?? [] };
}

const FILE_WORD =
  /\b(?:file|files|filename|filepath|path)\s*(?:named|called|at|is|to|path)?\s*:?\s*$/i;

/** Whether the words say that a file is called so. */
function isSaidFile(paragraph: string, { text, from }: Span): boolean {
  if (text === "" || /[<>|]|\(\)$|^[-$]|:\/\//.test(text)) return false;
  const before = paragraph.slice(Math.max(0, from - 40), from).replace(/[*_"“]/g, "");
  return FILE_WORD.test(before);
}

/** The paragraph with the name as `NAME` and all other code gone: only the words around it count. */
function blanked(paragraph: string, spans: readonly Span[], names: readonly Span[]): string {
  let [text, at] = ["", 0];
  for (const span of spans) {
    text += paragraph.slice(at, span.from) + (names.includes(span) ? "NAME" : "CODE");
    at = span.to;
  }
  return (text + paragraph.slice(at)).replace(/[*_]/g, "").replace(/\s+/g, " ").trim();
}

/** Code in backticks, as CommonMark pairs them: a run of backticks ends at the next one as long. */
function codeSpans(paragraph: string): Span[] {
  const runs = [...paragraph.matchAll(/`+/g)];
  const spans: Span[] = [];
  for (let open = 0; open < runs.length; open += 1) {
    const begin = runs[open];
    const close = runs.findIndex((run, at) => at > open && run[0].length === begin?.[0].length);
    const end = runs[close];
    if (begin === undefined || end === undefined) continue;
    const inner = paragraph.slice(begin.index + begin[0].length, end.index);
    const text = /^ .*[^ ].* $/s.test(inner) ? inner.slice(1, -1) : inner;
    spans.push({ text, from: begin.index, to: end.index + end[0].length });
    open = close;
  }
  return spans;
}
