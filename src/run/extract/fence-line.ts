import type { LineCursor } from "./line-cursor.ts";

/** A line that opens or closes a fenced block. */
export interface FenceLine {
  /** Spaces before it. */
  readonly indent: number;
  readonly char: "`" | "~";
  readonly length: number;
  /** What stands behind the fence; empty on a line that can close a block. */
  readonly info: string;
}

const LENGTH_MIN = 3;
const SPACE = 32;
const BACKTICK = 96;
const TILDE = 126;

/**
 * The fence on the cursor's line, as CommonMark tells one; how far it may stand to the right is the
 * caller's to say. Backticks behind backticks are code within a sentence.
 */
export function fenceOn({ text, start, end }: LineCursor): FenceLine | undefined {
  let at = start;
  while (at < end && text.charCodeAt(at) === SPACE) at += 1;
  const code = text.charCodeAt(at);
  if (at >= end || (code !== BACKTICK && code !== TILDE)) return undefined;
  const from = at;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  const length = at - from;
  if (length < LENGTH_MIN) return undefined;
  const info = text.slice(at, end).trim();
  if (code === BACKTICK && info.includes("`")) return undefined;
  return { indent: from - start, char: code === BACKTICK ? "`" : "~", length, info };
}

/** Whether a fence line could close what another one opened, its place aside. */
export function closes(line: FenceLine, open: FenceLine): boolean {
  return line.info === "" && line.char === open.char && line.length >= open.length;
}

/** A fence behind a tab, a quotation mark or too many spaces: no block, and not to be passed over. */
export function fenceBehind(line: string): FenceLine["char"] | undefined {
  const found = /^[\s>]{0,100}(```|~~~)/.exec(line)?.[1];
  if (found === undefined) return undefined;
  return found === "```" ? "`" : "~";
}
