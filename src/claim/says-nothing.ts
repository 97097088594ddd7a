/** Text that says that there is nothing to say. */
export const NOTHING =
  /^(?:\[[ x]\]\s)?[\s*_(]*(?:none|n\/a|nothing|no (?:\w+ ){0,3}(?:findings?|issues?|problems?))(?: (?:were )?(?:found|identified|reported|to report))?(?: at this (?:level|priority))?[\s*_).!]*$/i;
const LIST_MARK = /^\s{0,9}(?:[-*+>]\s{1,9})?/;
const LINE_CHARS_MAX = 200;

/**
 * Whether a report without findings says so on a line of its own, instead of saying something that
 * was not understood. In a longer sentence the words prove nothing: "no issues in a.js, but b.js".
 */
export function saysNothing(text: string): boolean {
  return text.split("\n").some((line) => {
    const words = line.replace(LIST_MARK, "").trimEnd();
    return words.length <= LINE_CHARS_MAX && NOTHING.test(words);
  });
}
