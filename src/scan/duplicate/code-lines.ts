import type { CommentSyntax } from "./comment-syntax.ts";

/** The lines of a file that have code in them, as numbers that can be compared. */
export interface CodeLines {
  /** A hash of the line without white space and comments. */
  readonly hashes: Uint32Array;
  /** The number of the line in the file. */
  readonly numbers: Uint32Array;
  readonly tokens: Uint32Array;
}

const HASH_START = 0x811c9dc5;
const HASH_STEP = 0x01000193;
const NEWLINE = 10;

/** Lines that every file of a project has in common. */
const IMPORT =
  /\s{0,200}(?:import\b|from\s+["'.\w]|export\s+(?:\*|type\s*\{|\{)[^=\n]{0,300}\bfrom\b|using\s+[\w.]+;|#include\b|#import\b|require(?:_once|_relative)?[\s(]|package\s+[\w.]+;?\s*$|use\s+[\w:\\]+|extern crate\b|(?:const|let|var)\s[^=\n]{1,200}=\s*require\()/my;

/** Reads the lines in one pass; whatever the text is, each character is looked at a few times at most. */
export function codeLines(text: string, syntax: CommentSyntax): CodeLines {
  const reader = new LineReader(text, syntax);
  return reader.read();
}

class LineReader {
  readonly #text: string;
  readonly #syntax: CommentSyntax;
  /** Which characters could start a comment or a quotation. */
  readonly #starters: ReadonlySet<number>;
  readonly #rows: { hash: number; number: number; tokens: number }[] = [];
  #hash = HASH_START;
  #tokens = 0;
  #inWord = false;
  #number = 1;
  #lineStart = 0;
  /** What ends an import over several lines, while in one. */
  #importEnd = "";

  constructor(text: string, syntax: CommentSyntax) {
    this.#text = text;
    this.#syntax = syntax;
    const starts = [...syntax.line, ...syntax.block.map(([open]) => open), ...syntax.longQuotes];
    this.#starters = new Set([...starts.map((one) => one.charCodeAt(0)), ...codes(syntax.quotes)]);
  }

  read(): CodeLines {
    let at = 0;
    while (at < this.#text.length) {
      const code = this.#text.charCodeAt(at);
      at = this.#starters.has(code) ? this.#special(at) : this.#plain(at, code);
    }
    this.#endLine(at);
    return {
      hashes: Uint32Array.from(this.#rows, ({ hash }) => hash),
      numbers: Uint32Array.from(this.#rows, ({ number }) => number),
      tokens: Uint32Array.from(this.#rows, ({ tokens }) => tokens),
    };
  }

  #plain(at: number, code: number): number {
    if (code === NEWLINE) this.#endLine(at);
    else this.#take(code);
    return at + 1;
  }

  /** A comment is passed over, a quotation is taken as it is; anything else is one character. */
  #special(at: number): number {
    const { line, block, longQuotes, quotes } = this.#syntax;
    if (line.some((mark) => this.#text.startsWith(mark, at)) && this.#mayBeComment(at)) {
      return endOr(this.#text.indexOf("\n", at), this.#text.length);
    }
    const opened = block.find(([open]) => this.#text.startsWith(open, at));
    if (opened) return this.#skipTo(at + opened[0].length, opened[1]);
    const long = longQuotes.find((quote) => this.#text.startsWith(quote, at));
    if (long) return this.#quotation(at, long, true);
    const quote = this.#text[at] ?? "";
    if (quotes.includes(quote)) return this.#quotation(at, quote, false);
    return this.#plain(at, this.#text.charCodeAt(at));
  }

  /** In shells and in addresses the mark of a comment can be part of a word. */
  #mayBeComment(at: number): boolean {
    const before = this.#text[at - 1] ?? "\n";
    return this.#text[at] === "#" ? /[\s;)}]/.test(before) : before !== ":";
  }

  #skipTo(from: number, close: string): number {
    const end = this.#text.indexOf(close, from);
    const stop = end < 0 ? this.#text.length : end + close.length;
    for (let at = this.#text.indexOf("\n", from); at >= 0 && at < stop; ) {
      this.#endLine(at);
      at = this.#text.indexOf("\n", at + 1);
    }
    return stop;
  }

  #quotation(from: number, quote: string, isLong: boolean): number {
    let at = from + quote.length;
    this.#take(quote.charCodeAt(0));
    while (at < this.#text.length && !this.#text.startsWith(quote, at)) {
      const code = this.#text.charCodeAt(at);
      if (code === NEWLINE && !isLong) return at;
      if (code === 92) this.#take(code);
      at += code === 92 && this.#text.charCodeAt(at + 1) !== NEWLINE ? 1 : 0;
      if (at < this.#text.length) this.#plain(at, this.#text.charCodeAt(at));
      at += 1;
    }
    this.#take(quote.charCodeAt(0));
    return at + quote.length;
  }

  #take(code: number): void {
    if (code <= 32) {
      this.#inWord = false;
      return;
    }
    const isWord = isWordCode(code);
    if (!isWord || !this.#inWord) this.#tokens += 1;
    this.#inWord = isWord;
    this.#hash = Math.imul(this.#hash ^ code, HASH_STEP);
  }

  #endLine(end: number): void {
    if (this.#tokens > 0 && !this.#isImport(end)) {
      this.#rows.push({ hash: this.#hash >>> 0, number: this.#number, tokens: this.#tokens });
    }
    this.#number += 1;
    this.#lineStart = end + 1;
    this.#hash = HASH_START;
    this.#tokens = 0;
    this.#inWord = false;
  }

  #isImport(end: number): boolean {
    if (this.#importEnd !== "") {
      const closed = this.#text.slice(this.#lineStart, end).includes(this.#importEnd);
      if (closed) this.#importEnd = "";
      return true;
    }
    IMPORT.lastIndex = this.#lineStart;
    if (!IMPORT.test(this.#text) || IMPORT.lastIndex > end + 1) return false;
    const line = this.#text.slice(this.#lineStart, Math.min(end, this.#lineStart + 500)).trimEnd();
    if (line.endsWith("{")) this.#importEnd = "}";
    else if (line.endsWith("(")) this.#importEnd = ")";
    return true;
  }
}

const codes = (text: string): number[] => text.split("").map((unit) => unit.charCodeAt(0));
const endOr = (at: number, otherwise: number): number => (at < 0 ? otherwise : at);

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}
