/** The words of a title, in lower case. */
export function wordsOf(title) {
  return title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
