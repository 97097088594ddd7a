import { SwornError } from "../base/index.ts";

/**
 * Letters that break a line, hide themselves or turn the direction of text: controls, formats,
 * surrogates, unassigned and ignorable ones, and the separators of lines and paragraphs.
 */
const UNPLAIN = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/u;
const UNPLAIN_ALL = /[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu;

/**
 * Text that may stand in a prompt's own sentences: one line, nothing hidden, no backtick that could
 * end the code it stands in.
 *
 * @throws SwornError `INPUT_INVALID`, naming the field.
 */
export function plainLine(field: string, text: string): string {
  if (text.trim() === "" || UNPLAIN.test(text) || text.includes("`")) {
    throw new SwornError(
      "INPUT_INVALID",
      `${field} is ${JSON.stringify(text.slice(0, 100))}, expected one line of plain text without backticks; change it in the contract`,
    );
  }
  return text;
}

/** The same text with every hidden or line-breaking letter written out as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(UNPLAIN_ALL, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);
}
