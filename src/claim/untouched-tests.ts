import { isFile } from "./file-deeds.ts";
import { foreignUntouched } from "./foreign-untouched.ts";
import { isOpen } from "./not-said.ts";
import { readSentences, SENTENCE_START } from "./sentences.ts";

/** Somebody's word that the tests are as they were. */
export interface UntouchedTests {
  readonly text: string;
  /** What is denied: that some are gone, that they demand less, that what was there is changed, or new ones too. */
  readonly denied: "loss" | "weakening" | "change" | "touch";
  /** Where it is said of one file of tests, and not of all. */
  readonly path?: string;
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
const AS_IT_WAS = String.raw`(?:unchanged|untouched|unmodified|unaltered|not\s${DONE}|as\s(?:they|it)\s(?:were|was|are|is)(?:\sbefore)?)`;
const FILES = String.raw`(?:tests?|test\sfiles?|test\ssuites?|specs?|test\scases?)`;
const SORT = String.raw`(?:(?:all|the|our|of|existing|old|other|unit|integration|e2e|regression|project's)\s){0,5}`;
/** Nothing follows that says of what it is said, or of what not. */
const END = String.raw`(?=\s*(?:$|[.!,;:)|–—*_✅]|-\s|\((?!s\))|\b(?:and|in\sthis|here|too|as\swell)\b))`;
const DENIED = String.raw`(?:(?:did|do|have|has)(?:\snot|n['’]t)|never|without)`;
/** These need a beginning or an end of the sentence to mean what they say. */
const STRICT = [
  String.raw`${SENTENCE_START}${SORT}${FILES}(?:\*\*|__)?\s?(?:[:=–—-]\s?)?(?:all\s|are\s|is\s)?${AS_IT_WAS}${END}`,
  String.raw`\b${SORT}${FILES}\s(?:(?:have|has)\s(?:all\s)?not|haven['’]t|hasn['’]t)\s(?:all\s)?been\s(?:${DONE}|touched)\b`,
  String.raw`\b${SORT}${FILES}\s(?:[\p{L}-]{1,20}\s){0,4}(?:pass|passes|passed|passing|run|work|green)\swithout\s(?:any\s|a\s(?:single\s)?)?(?:further\s)?(?:modifications?|changes?|edits?|alterations?|adjustments?|being\s(?:changed|modified|touched|edited))${END}`,
  String.raw`\b(?:tests?|test\scases?)\s(?:that\s(?:were|was)\s(?:there|here)\s(?:before\s)?)(?:is|are)\s(?:all\s)?still\s(?:there|here)${END}`,
  String.raw`\b${SORT}${FILES}\s(?:(?:were|was|are|is)n['’]t)\s(?:${DONE}|touched)\b`,
  String.raw`(?:${SENTENCE_START}|\b(?:I|we|and|also)\s)(?:have\s)?(?:kept|left|leaves|keeps)\s${SORT}${FILES}\s(?:all\s)?(?:alone|as\sis|${AS_IT_WAS})${END}`,
].map((words) => new RegExp(words, "iu"));
const FILE_OF_TESTS = /(?:^|[/._-])(?:tests?|specs?|__tests__|__snapshots__|fixtures?)(?=[/._-])/i;
/** Whether a file is called like one of tests. */
export const isNamedLikeTests = (path: string): boolean => FILE_OF_TESTS.test(path);
const OF_A_FILE_NOT = new RegExp(
  String.raw`\b${DENIED}\s${DONE}\s(?:the\s(?:test\s)?(?:file\s)?)?\x60([^\x60\n]{1,300})\x60${END}`,
  "iu",
);
const OF_A_FILE = new RegExp(
  String.raw`${SENTENCE_START}(?:the\s(?:test\s)?file\s)?\x60([^\x60\n]{1,300})\x60\s?(?:[:=–—-]\s?)?(?:(?:is|was|remains|stays|has\sbeen|left|itself)\s){0,2}(?:not\sbeen\s${DONE}|${AS_IT_WAS})${END}`,
  "iu",
);
/** Who names what is not so says no more than what is left. */
const EXCEPT = /\b(?:except|apart from|aside from|other than|but for|besides|save for)\b/i;
/** Wishes, conditions and orders are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|unless|please|ensure|make sure|will|need to|so that)\b|\?\s*$/i;
/** Each form needs one of these; most sentences have neither, and forms are costly to make ready. */
const MAY_SAY_TESTS = /test|spec|fixture|snapshot|prueba|测试|テスト/iu;
const OF_ANY = /\b(?:touch|add|untouched)/i;
const OF_WHAT_WAS =
  /\b(?:existing|alone|unchanged|unmodified|unaltered|chang|modif|edit|alter|adjust|updat)/i;
const OF_LOSS = /\b(?:delet|remov|still (?:there|here))/i;
const OF_WEAKENING = /\b(?:weaken|skip|disabl)/i;

/** Reads a text for the word that no test was changed, which a change itself can show. */
export function untouchedTests(text: string): UntouchedTests[] {
  return readSentences(text)
    .filter(({ text: one }) => MAY_SAY_TESTS.test(one))
    .filter((one) => !(isOpen(one) || NOT_SAID.test(one.text) || EXCEPT.test(one.text)))
    .flatMap(({ text: one }) => {
      const [, named] = OF_A_FILE.exec(one) ?? OF_A_FILE_NOT.exec(one) ?? [];
      const path = named?.trim().replace(/^\.\//, "");
      if (path !== undefined && isFile(path) && FILE_OF_TESTS.test(path)) {
        return [{ text: one, denied: "touch" as const, path }];
      }
      const isSaid = [...WORDS, ...STRICT].some((words) => words.test(one));
      if (isSaid) return [{ text: one, denied: deniedIn(one) }];
      const denied = foreignUntouched(one);
      return denied === undefined ? [] : [{ text: one, denied }];
    })
    .slice(0, CLAIMS_MAX);
}

/** Who denies two things at once denies the greater. */
function deniedIn(sentence: string): UntouchedTests["denied"] {
  if (OF_ANY.test(sentence)) return "touch";
  if (OF_WHAT_WAS.test(sentence)) return "change";
  if (OF_WEAKENING.test(sentence)) return "weakening";
  return OF_LOSS.test(sentence) ? "loss" : "touch";
}
