import { isOpen } from "./not-said.ts";
import { readSentences } from "./sentences.ts";

/** Somebody's word that there are tests which were not there before. */
export interface AddedTests {
  readonly text: string;
  readonly count: number;
}

const CLAIMS_MAX = 100;
const UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety";
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...UNITS.split(" ").map((word, at) => [word, at] as const),
  ...TENS.split(" ").map((word, at) => [word, 20 + 10 * at] as const),
  ...([
    ["a", 1],
    ["couple", 2],
    ["dozen", 12],
    ["hundred", 100],
    ["thousand", 1_000],
  ] as const),
]);
const ADDED =
  /\b(?:add(?:s|ed|ing)?|wr(?:ote|ites|itten)|creat(?:es|ed|ing)|includ(?:es|ed|ing)|cover(?:s|ed) (?:it|this|that) (?:with|by))\s+(?<how>(?:[\p{L}\d-]+\s+){0,5}?)(?:tests?|specs?|test cases?)\b(?!\s+(?:files?|suite|helper|runner|setup|data|script|command|config))/iu;
/** The same the other way round: "1 test added". What was added some other time, or to a list, is not meant. */
const WERE_ADDED =
  /(?<![\p{L}\d-]\s?)(?<how>(?:(?!the\b|these\b|those\b|any\b|no\b|all\b|more\b|when\b)[\p{L}\d-]{1,20}\s){0,4}?)(?:tests?|specs?|test cases?)\s(?:added(?=\s*(?:$|[.!,;)|]))|(?:(?:was|were|has been|have been|are|is)\s)(?:now\s|also\s)?added(?=\s*(?:$|[.!,;)|]|(?:for|covering|too|as well|here|that|which)\b|to\s(?:`|the (?:test )?suite|cover|check|verify|prove|show|test|the existing|the tests)|in\s`)))/iu;
/** What the same verb goes on to: "2 unit tests and 5 integration tests". */
const ALSO =
  /(?:,|\band\b|\bplus\b)\s+(?<how>(?:[\p{L}\d-]+\s+){1,5}?)(?:tests?|specs?|test cases?)\b/giu;
/** Wishes, conditions and orders are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make sure|will|need to|so that|todo|to do|later|next steps?|plan|proposal|suggestion)\b|\?\s*$/i;
const DENIED = /(?:\b(?:no|not|never|without|instead of)|n['’]t)\b[^,;:]*$/i;

/** Reads a text for the word that tests were added. Where no number is said, one would do. */
export function addedTests(text: string): AddedTests[] {
  return readSentences(text)
    .filter((one) => !(isOpen(one) || NOT_SAID.test(one.text)))
    .flatMap(({ text: one }) => {
      const found = ADDED.exec(one) ?? WERE_ADDED.exec(one);
      if (found === null || DENIED.test(one.slice(0, found.index))) return [];
      const more = [...one.slice(found.index + found[0].length).matchAll(ALSO)];
      const counts = [found, ...more].map((each) => countOf(each.groups?.["how"] ?? ""));
      const count = counts.reduce((sum, each) => sum + each, 0);
      return count === 0 ? [] : [{ text: one, count }];
    })
    .slice(0, CLAIMS_MAX);
}

/** The largest number among the words before "tests"; of one in several words that is less than it says. */
function countOf(words: string): number {
  const numbers = words
    .toLowerCase()
    .split(/[\s-]+/)
    .flatMap((word) => (/^\d{1,6}$/.test(word) ? Number(word) : (NUMBERS.get(word) ?? [])));
  return numbers.length === 0 ? 1 : Math.max(...numbers);
}
