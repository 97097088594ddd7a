/** A part of a line of prose. Offsets are into the text it was read from. */
export type Span =
  | { readonly kind: "text"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "code"; readonly start: number; readonly end: number; readonly text: string }
  | {
      readonly kind: "comment";
      readonly start: number;
      readonly end: number;
      readonly text: string;
    }
  | {
      readonly kind: "link";
      readonly start: number;
      readonly end: number;
      readonly text: string;
      readonly url: string;
    };

const LINK =
  /\[([^[\]\n]{1,300})\]\(\s{0,9}<?([^()\s<>]{1,2000})>?(?:\s{1,9}"[^"\n]{0,300}")?\s{0,9}\)/y;
/** Everything at which something other than plain text can begin. */
const STARTS = /\\[\s\S]|`+|<!--|\[/g;

/**
 * Finds code, comments and links in prose, in linear time. Emphasis stays in the text: reviewers
 * leave it unbalanced, and its exact rules decide nothing here.
 */
export function readInline(text: string): Span[] {
  const closers = new Closers(text);
  const spans: Span[] = [];
  let from = 0;
  STARTS.lastIndex = 0;
  for (let hit = STARTS.exec(text); hit !== null; hit = STARTS.exec(text)) {
    const span = spanAt(text, hit.index, hit[0], closers);
    if (span === undefined) continue;
    if (span.start > from) spans.push(textSpan(text, from, span.start));
    spans.push(span);
    from = span.end;
    STARTS.lastIndex = span.end;
  }
  if (from < text.length) spans.push(textSpan(text, from, text.length));
  return spans;
}

const textSpan = (text: string, start: number, end: number): Span => ({
  kind: "text",
  start,
  end,
  text: text.slice(start, end),
});

function spanAt(text: string, at: number, token: string, closers: Closers): Span | undefined {
  if (token.startsWith("`")) return codeAt(text, at, token.length, closers);
  if (token === "<!--") return commentAt(text, at, closers);
  return token === "[" ? linkAt(text, at) : undefined;
}

function codeAt(text: string, start: number, length: number, closers: Closers): Span | undefined {
  const close = closers.ticksAfter(start, length);
  if (close === undefined) return undefined;
  const inner = text.slice(start + length, close).replaceAll("\n", " ");
  const isPadded = inner.length > 2 && inner.startsWith(" ") && inner.endsWith(" ");
  return { kind: "code", start, end: close + length, text: isPadded ? inner.slice(1, -1) : inner };
}

function commentAt(text: string, start: number, closers: Closers): Span | undefined {
  if (start + 4 > closers.lastCommentEnd) return undefined;
  const close = text.indexOf("-->", start + 4);
  return { kind: "comment", start, end: close + 3, text: text.slice(start + 4, close).trim() };
}

function linkAt(text: string, start: number): Span | undefined {
  LINK.lastIndex = start;
  const [whole, label = "", url = ""] = LINK.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { kind: "link", start, end: start + whole.length, text: label, url };
}

/** Where things can end, so that an unmatched beginning costs no scan of its own. */
class Closers {
  readonly lastCommentEnd: number;
  /** Runs of backticks by their length. */
  readonly #starts = new Map<number, { at: number[]; next: number }>();

  constructor(text: string) {
    this.lastCommentEnd = text.lastIndexOf("-->");
    for (const { 0: run, index } of text.matchAll(/`+/g)) {
      const known = this.#starts.get(run.length);
      if (known === undefined) this.#starts.set(run.length, { at: [index], next: 0 });
      else known.at.push(index);
    }
  }

  /** The next run of this length behind a place. Places must be asked for in ascending order. */
  ticksAfter(start: number, length: number): number | undefined {
    const runs = this.#starts.get(length);
    if (runs === undefined) return undefined;
    while ((runs.at[runs.next] ?? Number.POSITIVE_INFINITY) <= start) runs.next += 1;
    return runs.at[runs.next];
  }
}

/** The text with its comments cut out, and what the comments say. */
export function splitComments(text: string): { prose: string; comments: string[] } {
  if (!text.includes("<!--")) return { prose: text, comments: [] };
  const spans = readInline(text);
  const comments = spans.filter((span) => span.kind === "comment").map((span) => span.text);
  const kept = spans.filter((span) => span.kind !== "comment");
  return { prose: kept.map((span) => text.slice(span.start, span.end)).join(""), comments };
}

/** The same for HTML, where backticks are no code and hide nothing. */
export function splitHtmlComments(html: string): { prose: string; comments: string[] } {
  const comments: string[] = [];
  const kept: string[] = [];
  let from = 0;
  for (let open = html.indexOf("<!--"); open >= 0; open = html.indexOf("<!--", from)) {
    const close = html.indexOf("-->", open + 4);
    if (close < 0) break;
    kept.push(html.slice(from, open));
    comments.push(html.slice(open + 4, close).trim());
    from = close + 3;
  }
  return { prose: [...kept, html.slice(from)].join(""), comments };
}

/** The text with its code blanked out, at the same length: for looking at words, not at code. */
export function withoutCode(text: string): string {
  if (!text.includes("`")) return text;
  return readInline(text)
    .map((span) => {
      const raw = text.slice(span.start, span.end);
      return span.kind === "code" ? raw.replace(/[^\n]/g, " ") : raw;
    })
    .join("");
}

/** Prose without bold and italic marks, on one line; code keeps its backticks. */
export function plain(text: string): string {
  const pieces = readInline(text).map((span) => {
    if (span.kind === "code") return text.slice(span.start, span.end);
    if (span.kind === "link") return span.text;
    return span.kind === "text" ? unmarked(span.text) : "";
  });
  return pieces.join("").replace(/\s+/g, " ").trim();
}

function unmarked(text: string): string {
  return text
    .replace(/\*\*|__|~~/g, "")
    .replace(/(^|\s)[*_](?=\S)/g, "$1")
    .replace(/[*_](?=$|[\s:.,;)])/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}
