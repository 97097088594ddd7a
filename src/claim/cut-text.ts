/** The first characters of a text, never half of one: a lone surrogate could not be recorded. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "");
}

/** A text as it is shown where something could not be read: one line, not too long. */
export function shownText(text: string): string {
  return cutText(text.slice(0, 8_000).replace(/\s+/g, " ").trim(), 2_000);
}
