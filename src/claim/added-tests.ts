import { sentencesOf } from "./said-work.ts";

/** Somebody's word that there are tests which were not there before. */
export interface AddedTests {
  readonly text: string;
  readonly count: number;
}

const CLAIMS_MAX = 100;
const NUMBERS = [
  "a",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];
const ADDED = new RegExp(
  String.raw`\b(?:add(?:s|ed|ing)?|wr(?:ote|ites|itten)|creat(?:es|ed|ing)|includ(?:es|ed|ing)|cover(?:s|ed) (?:it|this|that) (?:with|by))\s+(?:(?<count>\d{1,6}|${NUMBERS.join("|")}|some|several|more|new)\s+)?(?:[\p{L}-]+\s+){0,3}?(?:tests?|specs?|test cases?)\b(?!\s+(?:files?|suite|helper|runner|setup|data|script|command|config))`,
  "iu",
);
/** Wishes, conditions and orders are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make sure|will|need to|so that|todo|to do|later)\b|\?\s*$/i;
const DENIED = /(?:\b(?:no|not|never|without|instead of)|n['’]t)\b[^,;:]*$/i;

/** Reads a text for the word that tests were added. Where no number is said, one would do. */
export function addedTests(text: string): AddedTests[] {
  return sentencesOf(text)
    .filter((one) => !NOT_SAID.test(one))
    .flatMap((one) => {
      const found = ADDED.exec(one);
      const isSaid = found !== null && !DENIED.test(one.slice(0, found.index));
      return isSaid ? [{ text: one, count: countOf(found.groups?.["count"]) }] : [];
    })
    .slice(0, CLAIMS_MAX);
}

function countOf(word: string | undefined): number {
  if (word === undefined) return 1;
  const number = NUMBERS.indexOf(word.toLowerCase());
  return /^\d/.test(word) ? Number(word) : Math.max(number, 1);
}
