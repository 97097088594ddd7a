import type { Language } from "./language.ts";

export type TokenKind = "plain" | "comment" | "text" | "number" | "word";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /\d[\d_a-zA-Z.]*/y;

/**
 * Cuts source into tokens, enough for colours. Every character comes out once and in order; code that
 * is cut off or wrong only has wrong colours. Takes time in proportion to the length.
 */
export function highlight(source: string, language: Language): Token[] {
  const tokens: Token[] = [];
  let plain = "";
  let at = 0;
  while (at < source.length) {
    const token = tokenAt(source, at, language);
    const text = token?.text ?? source.charAt(at);
    at += text.length;
    if (token === undefined || token.kind === "plain") {
      plain += text;
      continue;
    }
    if (plain !== "") tokens.push({ kind: "plain", text: plain });
    plain = "";
    tokens.push(token);
  }
  return plain === "" ? tokens : [...tokens, { kind: "plain", text: plain }];
}

/** Tokens line by line; one that goes over lines is cut at their ends. */
export function highlightLines(lines: readonly string[], language: Language): Token[][] {
  const result: Token[][] = [[]];
  for (const { kind, text } of highlight(lines.join("\n"), language)) {
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) result.push([]);
      if (piece !== "") result.at(-1)?.push({ kind, text: piece });
    }
  }
  return result;
}

function tokenAt(source: string, at: number, language: Language): Token | undefined {
  // Plain text has no keywords, and nothing of it is looked at.
  if (language.keywords.size === 0) return { kind: "plain", text: source.slice(at) };
  return (
    comment(source, at, language) ?? quoted(source, at, language) ?? named(source, at, language)
  );
}

function comment(source: string, at: number, language: Language): Token | undefined {
  const { lineComment, blockComment } = language;
  if (source.startsWith(lineComment, at)) {
    return { kind: "comment", text: source.slice(at, endOfLine(source, at)) };
  }
  if (blockComment === undefined || !source.startsWith(blockComment[0], at)) return undefined;
  const end = source.indexOf(blockComment[1], at + blockComment[0].length);
  const stop = end < 0 ? source.length : end + blockComment[1].length;
  return { kind: "comment", text: source.slice(at, stop) };
}

function quoted(source: string, at: number, language: Language): Token | undefined {
  const long = language.longQuotes.find((quote) => source.startsWith(quote, at));
  const quote = long ?? language.quotes.find((each) => source.startsWith(each, at));
  if (quote === undefined) return undefined;
  let end = at + quote.length;
  while (end < source.length && !source.startsWith(quote, end)) {
    if (long === undefined && source[end] === "\n")
      return { kind: "text", text: source.slice(at, end) };
    end += source[end] === "\\" ? 2 : 1;
  }
  return { kind: "text", text: source.slice(at, end + quote.length) };
}

function named(source: string, at: number, { keywords }: Language): Token | undefined {
  const number = matchAt(NUMBER, source, at);
  if (number !== undefined) return { kind: "number", text: number };
  const name = matchAt(NAME, source, at);
  if (name === undefined) return undefined;
  return { kind: keywords.has(name) ? "word" : "plain", text: name };
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

function endOfLine(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end;
}
