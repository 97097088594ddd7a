/** A piece of a Python expression. */
export interface PythonToken {
  readonly kind: "name" | "number" | "text" | "sign" | "end";
  readonly text: string;
  /** How many brackets are open around it; a bracket itself counts as outside. */
  readonly depth: number;
}

/** What a token can be, each tried where the last one ended. */
const SPACE = /[ \t\f]+|\\\r?\n/y;
const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
const OPENING = /(?:[rbuRBU]|[fF]|[rR][bBfF]|[bBfF][rR])?(?:"""|'''|["'])/y;
const END = /\r?\n|\r/y;
const NUMBER = /\d[\w.]*|\.\d[\w.]*/y;
const SIGN = /\*\*=?|\/\/=?|==|!=|<=|>=|->|:=|<<|>>|[+\-*/%@&|^<>=~.,:;()[\]{}]/y;
const KINDS = [
  ["space", SPACE],
  // Before names: the letters in front of a text belong to it.
  ["opening", OPENING],
  ["name", NAME],
  ["number", NUMBER],
  ["sign", SIGN],
  ["end", END],
] as const;
const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const CLOSES = new Set(Object.values(CLOSING));

/**
 * Cuts a piece of Python into tokens, or says why it is none: text that does not end, a bracket that
 * does not fit. It reads expressions, not programs: a line break outside brackets is an `end`.
 */
export function pythonTokens(source: string): PythonToken[] | string {
  const tokens: PythonToken[] = [];
  const open: string[] = [];
  for (let at = 0; at < source.length; ) {
    const piece = pieceAt(source, at);
    if (typeof piece === "string") return piece;
    const { kind, text } = piece;
    at += text.length;
    if (kind === "space") continue;
    const isClosing = kind === "sign" && CLOSES.has(text);
    if (isClosing && open.pop() !== text) return `"${text}" closes nothing`;
    addToken(tokens, kind, text, open);
  }
  return open.length === 0 ? tokens : `"${open.at(-1)}" is missing`;
}

/** A line break in brackets is none, and an opening bracket says what closes it. */
function addToken(
  tokens: PythonToken[],
  kind: PythonToken["kind"],
  text: string,
  open: string[],
): void {
  if (kind === "end" && open.length > 0) return;
  tokens.push({ kind, text, depth: open.length });
  const closing = CLOSING[text];
  if (closing !== undefined) open.push(closing);
}

interface Piece {
  readonly kind: PythonToken["kind"] | "space";
  readonly text: string;
}

function pieceAt(source: string, at: number): Piece | string {
  for (const [kind, pattern] of KINDS) {
    pattern.lastIndex = at;
    if (!pattern.test(source)) continue;
    const text = source.slice(at, pattern.lastIndex);
    return kind === "opening" ? textAt(source, at, text) : { kind, text };
  }
  const found = JSON.stringify(source[at]);
  return source[at] === "#" ? "it has a comment" : `${found} is no part of an expression`;
}

function textAt(source: string, at: number, opening: string): Piece | string {
  const end = textEnd(source, at + opening.length, opening.replace(/^[a-z]+/i, ""));
  if (end === undefined) return "a text in it does not end";
  return { kind: "text", text: source.slice(at, end) };
}

/** Where the text ends that the mark opened; undefined where it does not. */
function textEnd(source: string, from: number, mark: string): number | undefined {
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === "\\") at += 1;
    else if (source.startsWith(mark, at)) return at + mark.length;
    else if (mark.length === 1 && source[at] === "\n") return undefined;
  }
  return undefined;
}
