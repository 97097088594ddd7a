import { foldAlike } from "../base/index.ts";

const ESCAPE = "\u001B";
const BELL = "\u0007";
/** What colours a text, and links in it, as terminals take them. */
const ESCAPES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]|\\][^${BELL}${ESCAPE}]{0,2048}(?:${BELL}|${ESCAPE}\\\\))`,
  "g",
);
/** Nobody sees them, and words are no longer found with one inside. */
const UNSEEN = /[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]/g;
/** Some put all that they say between fences, and name it what it is. Any other block is what they show. */
const FENCED = /^\s*(`{3,}|~{3,})(?:markdown|md)[ \t]*\n([\s\S]*)\n[ \t]*\1[ \t]*\s*$/i;
const CODE = /(`[^`\n]{1,300}`)/;

/** What an agent says as a person would see it: without what colours it, hides in it, or is around all of it. */
export function plainAnswer(answer: string): string {
  const shown = answer.replace(ESCAPES, "").replace(UNSEEN, "");
  const [, fence = "", inside] = FENCED.exec(shown) ?? [];
  // Of several blocks the first one's end is in between.
  const isOne = inside !== undefined && !inside.split("\n").some((line) => line.trim() === fence);
  return isOne ? inside : shown;
}

/** A sentence with letters of other alphabets taken for ours, but for its code: names are what they are. */
export function plainLetters(sentence: string): string {
  return sentence
    .split(CODE)
    .map((part, at) => (at % 2 === 0 ? foldAlike(part) : part))
    .join("");
}
