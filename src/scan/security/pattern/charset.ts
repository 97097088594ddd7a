/**
 * A set of characters: one bit for each of ASCII, one for all other characters, one for white space
 * beyond ASCII, and two for the ends of the text, which anchors read like characters.
 */
export type Charset = bigint;

const bit = (index: number): Charset => 1n << BigInt(index);
export const START: Charset = bit(130);
export const END: Charset = bit(131);
export const ANY: Charset = (1n << 130n) - 1n;
export const NEWLINE: Charset = bit(10) | bit(13);
export const NONE: Charset = 0n;

export function charOf(code: number): Charset {
  if (code < 128) return bit(code);
  const isSpace = code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200a);
  return bit(isSpace ? 129 : 128);
}

export function rangeOf(from: number, to: number): Charset {
  let set = NONE;
  for (let code = from; code <= Math.min(to, 127); code += 1) set |= bit(code);
  return to > 127 ? set | bit(128) | (to >= 0x2000 ? bit(129) : NONE) : set;
}

const DIGIT = rangeOf(48, 57);
const WORD = DIGIT | rangeOf(65, 90) | rangeOf(97, 122) | bit(95);
const SPACE = rangeOf(9, 13) | bit(32) | bit(129);

/** `\d` and its like; undefined when the letter stands for no class. */
export function classOf(letter: string): Charset | undefined {
  switch (letter) {
    case "d":
      return DIGIT;
    case "D":
      return ANY & ~DIGIT;
    case "w":
      return WORD;
    case "W":
      return ANY & ~WORD;
    case "s":
      return SPACE;
    case "S":
      return ANY & ~SPACE;
    default:
      return undefined;
  }
}

/** The set with the other case of its ASCII letters. */
export function foldCase(set: Charset): Charset {
  const upper = rangeOf(65, 90);
  const lower = rangeOf(97, 122);
  return set | ((set & upper) << 32n) | ((set & lower) >> 32n);
}
