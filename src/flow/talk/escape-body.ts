/** What a reader could take for the end of a line, or does not see at all. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** What is written with a backslash, or looks as if it were. */
const MARKED = /^(?:u\{|(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])/u;
const BACKSLASHES = /\\+/g;
/** A line that a reader could take for the edge of a header, however it is indented. */
const LIKE_EDGE = /^([^\S\n]*)(\\*---)/gm;

/**
 * A text that can stand below a header: none of its lines can be taken for the edge of one, by a
 * reader that trims lines or breaks them at other characters either. Nothing is lost by it.
 */
export function escapeBody(text: string): string {
  return text
    .replace(BACKSLASHES, (run, at: number) => {
      const next = text.slice(at + run.length, at + run.length + 2);
      return MARKED.test(next) ? run + run : run;
    })
    .replace(UNSEEN, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
    .replace(LIKE_EDGE, "$1\\$2");
}

/** A value of a header: in quotes, on one line, and without what cannot be seen. */
export function headerValue(value: string): string {
  // JSON's strings are YAML's too, once nothing unseen is left in them.
  return JSON.stringify(value).replace(UNSEEN, (one) =>
    Array.from({ length: one.length }, (_, unit) => one.charCodeAt(unit))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
