/** Longer texts are judged by their beginning; the schema lets none of them be much longer. */
const JUDGED_CHARS_MAX = 65_536;

/**
 * A text as one line of small letters, without characters that show nothing, so that no phrase is
 * hidden by how it is spelt or broken over lines.
 */
export function plainWords(text: string): string {
  const cut = text.slice(0, JUDGED_CHARS_MAX);
  // Most texts are plain already, and looking is cheaper than rewriting.
  if (PLAIN.test(cut)) return cut.toLowerCase();
  return cut
    .normalize("NFKC")
    .replaceAll(/\p{DI}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}

const PLAIN = /^(?:[!-~]| (?=[!-~]))*$/;

/**
 * Text in quotes or backticks, in one piece. An apostrophe inside a word opens nothing. No piece holds
 * its own opening mark, or a row of those would be read again from each of them.
 */
const QUOTED =
  /`[^`\n]*`|"[^"\n]*"|“[^“”\n]*”|«[^«»\n]*»|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])‘[^‘’\n]*’(?![\p{L}\p{N}])/gu;

/**
 * A text without what it quotes: labels and messages of a product are not the author's own words.
 * A text that is nothing but a quotation stays, or quotes would hide anything.
 */
export function ownWords(text: string): string {
  const cut = text.slice(0, JUDGED_CHARS_MAX);
  const rest = cut.replaceAll(QUOTED, " … ");
  return /[\p{L}\p{N}]/u.test(rest) ? rest : cut;
}
