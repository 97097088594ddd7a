import { sentencesOf } from "./said-work.ts";

/** Somebody's word that the tests are as they were. */
export interface UntouchedTests {
  readonly text: string;
  /** What is denied: that some are gone, that they demand less, that what was there is changed, or new ones too. */
  readonly denied: "loss" | "weakening" | "change" | "touch";
}

const CLAIMS_MAX = 100;
/** What tests are called; words such as "existing unit" may stand before them. */
const TESTS = String.raw`(?:[\p{L}-]+\s+){0,3}?(?:tests?|test files?|test suites?|specs?|test cases?|test code)`;
const DONE = `(?:chang|modif|touch|edit|alter|add|delet|remov|adjust|updat|weaken|skipp?|disabl)[a-z]*`;
const WORDS = [
  String.raw`\bno\s+${TESTS}\s+(?:(?:were|was|have been|has been|are|is|had to be|needed to be)\s+)?${DONE}\b`,
  String.raw`\bno\s+(?:changes?|modifications?|edits?)\s+(?:(?:were|was)\s+made\s+)?(?:to|in)\s+(?:the\s+|any\s+)?${TESTS}\b`,
  String.raw`\b${TESTS}\s+(?:(?:are|were|is|was|remain|stay|left|have been|has been)\s+)+(?:unchanged|untouched|unmodified|unaltered|as they were|not\s+${DONE})\b`,
  String.raw`\b(?:(?:did|do|have|has)(?:\s+not|n['’]t)|never|without)\s+${DONE}\s+(?:a|any|the|existing)?\s*${TESTS}\b`,
].map((words) => new RegExp(words, "iu"));
/** Wishes, conditions and orders are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make sure|will|need to|so that)\b|\?\s*$/i;
const OF_ANY = /\b(?:touch|add|untouched)/i;
const OF_WHAT_WAS =
  /\b(?:existing|unchanged|unmodified|unaltered|chang|modif|edit|alter|adjust|updat)/i;
const OF_LOSS = /\b(?:delet|remov)/i;
const OF_WEAKENING = /\b(?:weaken|skip|disabl)/i;

/** Reads a text for the word that no test was changed, which a change itself can show. */
export function untouchedTests(text: string): UntouchedTests[] {
  return sentencesOf(text)
    .filter((one) => !NOT_SAID.test(one) && WORDS.some((words) => words.test(one)))
    .slice(0, CLAIMS_MAX)
    .map((one) => ({ text: one, denied: deniedIn(one) }));
}

/** Who denies two things at once denies the greater. */
function deniedIn(sentence: string): UntouchedTests["denied"] {
  if (OF_ANY.test(sentence)) return "touch";
  if (OF_WHAT_WAS.test(sentence)) return "change";
  if (OF_WEAKENING.test(sentence)) return "weakening";
  return OF_LOSS.test(sentence) ? "loss" : "touch";
}
