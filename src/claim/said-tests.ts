import { SENTENCE_START } from "./sentences.ts";

/** What a sentence says of how tests went. */
export interface SaidTests {
  readonly count: number | undefined;
  /** Whether it is said of all tests, and not of some. */
  readonly isOfAll: boolean;
  /** Said of all checks, of which tests are only some. */
  readonly isOfChecks?: true;
}

const join = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "iu");

const T = String.raw`(?:tests?|test\ssuites?|specs?|test\scases?|suites?)`;
const SORT = String.raw`(?:(?:of|the|our|my|its|all|every|each|these|those|them|existing|new|old|other|automated|unit|integration|regression|e2e|end-to-end|whole|entire|full|complete|current|single|project's|\d{1,7})\s){0,5}`;
const WELL = String.raw`with(?:out|\sno|\szero|\s0)\s(?:any\s|a\s(?:single\s)?|an\s)?(?:errors?|failures?|problems?|issues?|warnings?|regressions?)`;
/** Where what is said is over: anything else may be what it is said of. */
export const END = String.raw`(?=\s*(?:$|[.!,;:)|–—*_✅🎉]|-\s|\((?!s\))|\b(?:now|again|any\s?more|any\slonger|here|locally|successfully|cleanly|too|so\sfar|today|as\s(?:well|before|expected)|in\s(?:ci|full|\d)|on\s(?:ci|my|all|both|node|linux|macos|windows|this|every)|${WELL}|both|(?:and|or|nor)\s(?:no|all|the|lint|linting|types?|builds?|nothing|everything|zero|0|none|is|are))\b))`;
const FAIL = "(?:fails?|failed|failing|broken?|break|broke)";
/** Where a sentence begins, behind its marks and words that only lead in. */
const OPEN = String.raw`${SENTENCE_START}(?:(?:now|also|so|and|finally|locally|overall|(?:with|after)\s(?:this|these|the|my)(?:\s[\p{L}-]{1,20}){0,2}),?\s)?`;
const SUBJECT = String.raw`(?:(?:this|it|everything|(?:this|the|my|our|all)\s(?:(?!that\b|which\b|who\b|tests?\b)[\p{L}\p{N}-]{1,30}\s){0,2}(?!that\b|which\b|who\b)[\p{L}\p{N}-]{1,30})\s(?:(?:now|still|also|again|successfully)\s){0,2})?`;

const TESTS = join(
  String.raw`\b${T}\b[^.!?\n]{0,60}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green)\b`,
  // To pass something on, or through something, is no success.
  String.raw`(?!\s(?:an?|null|undefined|arguments?|params?|parameters?|options?|values?|props|it|them|to|into|through|along|down|over|around|by\s(?:reference|value)|the(?!\s(?:first|second|last)))\b|\s\x60)`,
  String.raw`|\bpassing\s+(?:tests?|specs?|test\scases?)\b`,
);
/** What tests are for, which is not how they went. */
const ABOUT =
  /\b(?:tests?|specs?|test cases?)\s(?:for|of|that|which|how|where|to)\b[^.!?,;]{0,60}\bpass(?:ed|ing)\s+\p{L}|\btests?\s(?:\p{L}{1,20}\s)?(?:how|whether|what)\b[^.!?,;]{0,60}\bpass(?:ed|ing)\b/iu;
const PASSES = [
  join(OPEN, SUBJECT, String.raw`pass(?:es|ed)\s`, SORT, T, String.raw`\b`, END),
  join(
    String.raw`(?:,|\band)\s(?:now\s|also\s|it\s){0,2}passes\s(?:all|the|every)\s`,
    ...[SORT, T, String.raw`\b`, END],
  ),
];
const RAN_WELL = [
  join(
    String.raw`(?:${OPEN}|\b(?:I|we|and|then|also)\s|,\s)(?:successfully\s)?(?:ran|executed|(?:have\s|['’]ve\s)run)\s${SORT}${T}\b`,
    String.raw`[^.!?;]{0,40}?\s(?:successfully|cleanly|${WELL}|and\s(?:they|it|everything|all(?:\sof\sthem)?)\s(?:pass(?:ed)?|succeeded))`,
    END,
  ),
  join(String.raw`\bsuccessfully\s(?:ran|executed)\s`, SORT, T, String.raw`\b`, END),
  join(
    String.raw`\b${T}\s(?:all\s|now\s|still\s){0,2}(?:ran|runs?|finish(?:ed|es)?|complet(?:ed|es?)|ended|executed|came\sback)\s(?:through\s)?(?:successfully|cleanly|clean|fine|${WELL})`,
    END,
  ),
];
const KIND = String.raw`(?:(?:failing|relevant|affected|related|same|corresponding|targeted|added)\s)?`;
/** What somebody says of a run of tests in the same breath, without calling it by its name again. */
const CAME_OUT_WELL = [
  String.raw`(?:it|they|that|this|everything|all(?:\sof\s(?:it|them|those))?)\s(?:(?:all|now|still|just|both|again)\s){0,2}`,
  String.raw`(?:pass(?:es|ed)?|succeed(?:s|ed)?|works?|worked|(?:is|are|was|were|looks?|came\sback|comes\sback)\s(?:(?:all|now)\s)?(?:good|fine|clean|okay|ok|green|passing|well))`,
].join("");
const RAN_AND = [
  join(
    String.raw`(?:${OPEN}|\b(?:I|we)(?:['’]ve|\shave)?\s|\b(?:and|then|also)\s|,\s)(?:also\s|just\s|then\s){0,2}(?:re-?)?(?:ran|run|executed)\s${SORT}${KIND}${T}`,
    String.raw`(?:\s(?:again|locally|twice|once\smore|afterwards|too)){0,2}\s?(?:[,;:–—-]|\band\b)\s?(?:and\s)?`,
    String.raw`(?:${CAME_OUT_WELL}|all\s(?:good|green|fine|clean|passing|passed|ok)|no\s(?:problems?|issues?|errors?))`,
    END,
  ),
  join(
    String.raw`\b(?:validated|verified|confirmed|checked)\b[^.!?;]{0,60}\bby\s(?:re-?)?running\s${SORT}${KIND}${T}\b`,
    END,
  ),
];
const GOOD = "(?:good|fine|clean|okay|ok|successful|passing|passed|green)";
const ARE_GOOD = [
  join(
    String.raw`(?:${OPEN}|[(|,;]\s?)(?:unit\s|all\s|existing\s|the\s){0,3}tests?(?:\ssuite)?(?:\*\*|__)?\s?[:=–—-](?:\*\*|__)?\s?(?:all\s)?${GOOD}(?=\s*(?:$|[.!,;)|]))`,
  ),
  join(String.raw`\ball\s`, SORT, T, String.raw`\s(?:(?:are|were)\s)?${GOOD}(?=\s*(?:$|[.!,;)|]))`),
  join(String.raw`\b${T}\sare\sall\s${GOOD}(?=\s*(?:$|[.!,;)|]))`),
];
const OF_CHECKS = [
  join(
    String.raw`(?:${OPEN}|[:;–—]\s|\band\s)all\s(?:(?:of|the|our|my|ci|required|other|status|pipeline|quality|automated)\s){0,3}checks\s(?:(?:are|have|were|now|still|also|been)\s){0,2}(?:pass(?:ed|ing)?|succeed(?:ed)?|green)`,
    END,
  ),
  join(
    ...[OPEN, SUBJECT],
    String.raw`pass(?:es|ed)\sall\s(?:(?:of|the|our|my|ci|required|other|status|pipeline|quality)\s){0,3}checks\b`,
    END,
  ),
];
const NONE = String.raw`\b(?:no|zero|0)\s`;
/** That none of them failed. */
const NO_FAILURE = [
  join(
    NONE,
    SORT,
    T,
    String.raw`\s(?:(?:is|are|was|were|have|has|now|currently|still)\s){0,2}`,
    FAIL,
    END,
  ),
  join(
    String.raw`\b(?:none|not\s(?:one|a\ssingle\sone))\s`,
    ...[
      SORT,
      T,
      String.raw`\s(?:(?:is|are|was|were|have|has|now|currently|still)\s){0,2}`,
      FAIL,
      END,
    ],
  ),
  join(
    String.raw`${NONE}(?:more\s)?(?:failing|failed|broken|red)\s`,
    ...[
      SORT,
      String.raw`(?:tests|specs|test\scases)(?:\s(?:(?:were|are)\s)?(?:found|left|remain|seen))?`,
      END,
    ],
  ),
  join(
    String.raw`\b(?:no|zero|0|without(?:\s(?:any|a(?:\ssingle)?))?)\s`,
    ...[SORT, String.raw`test\sfailures?(?:\s(?:(?:were|are)\s)?(?:found|left|remain|seen))?`, END],
  ),
];
/** The same in figures, beside the word for what they count. */
const NO_FAILURES = [
  String.raw`\b\d{1,7}\s(?:\p{L}{1,20}\s){0,2}(?:tests?|specs?|test\scases?)\b[^.!?]{0,60}?`,
  String.raw`\b(?:tests?|test\s(?:runs?|results?|suite|summary|report))\s?(?:[:=–—-]|\()[^.!?]{0,60}?`,
  String.raw`\b(?:tests?|suite)\s(?:run\s|results?\s)?(?:ran|runs|finish(?:es|ed)|complet(?:es|ed)|ended|reports?|reported|shows|showed|has|have|had|gave|produced)\b[^.!?]{0,30}?`,
].map((front) => join(front, NONE, "(?:failures?|failed|failing)", String.raw`\b`, END));
/** As runners sum up, and people after them. */
const SUMS =
  /\b\d{1,7}\spassed\b(?=(?:,\s\d{1,7}\s\p{L}{1,20}){0,4}\s+in\s\d|,\s0\s(?:failed|failures))|\btests?(?:\s(?:results?|runs?|suite|summary))?(?:\*\*|__)?\s?[:=|–—-]\s?(?:\*\*|__)?\s?(\d{1,7})\s?\/\s?\1(?!\d)/iu;
const NO_FAILURES_IN = join(
  NONE,
  String.raw`(?:failures?|failed)\s(?:in|across|of|out\sof|among)\s`,
  ...[SORT, T, String.raw`\b`, END],
);

/** How many pass, in the ways in which runners and people say so; the first that fits counts. */
const COUNTS = [
  /\b(\d{1,7})\s*(?:\/|\bof\b|\bout of\b)\s*\d{1,7}\b/iu,
  /\b(\d{1,7})\s+(?:\p{L}+\s+){0,3}?(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful|green)\b/iu,
  /\bpass(?:ed|ing|es)?\s*[:=]\s*(\d{1,7})\b/iu,
  /\b(\d{1,7})\s+(?:\p{L}+\s+){0,3}?(?:tests?|specs?|test cases?)\b/iu,
];
/** Counted are tests alone: how many files or suites pass is another figure. */
const OTHER_COUNT =
  /\b\d{1,7}\s*(?:(?:\/|of|out of)\s*\d{1,7}\s+)?(?:test\s+)?(?:files?|suites?|packages?|modules?|projects?)\b/iu;
const OF_ALL = /\b(?:all|every|everything|entire|whole|full|complete)\b/iu;
/** Said of all of it, where what "all" is stands in the sentence before or nowhere. */
const ALL_PASS =
  /\b(?:everything|all(?:\s+of\s+(?:it|them|those))?|the\s+(?:whole\s+|full\s+|entire\s+)?suite)\s+(?:(?:is|are|was|were|now|still)\s+){0,2}(?:pass(?:es|ed|ing)?|green)(?=\s*(?:$|[.!,;:)–—]|now\b|again\b|here\b|locally\b|and\b|with(?:out)?\b|as\s(?:before|expected)\b))/iu;
/** A mark beside the word, as in a list of what was done. */
const MARKED =
  /(?:✅|✔️?|☑️?|:white_check_mark:)\s*(?:all\s+)?(?:the\s+)?(?:unit\s+)?tests?\s*$|\btests?\s*[:=–—-]?\s*(?:✅|✔️?|☑️?|:white_check_mark:|pass\b|ok\b|green\b)/iu;
/** That nothing failed is no failure: it is said with nearly every report. */
const NONE_FAILED =
  /\b(?:0|no|zero|none|without(?: any)?)\s+(?:\p{L}+\s+)?(?:fail(?:s|ed|ing|ures?)?)\b/giu;

/** What each form of the two above needs. Forms are costly to make ready, and most sentences need none. */
const MAY_SAY_FAILURE = /fail|break|broke|red/iu;
/** And what each form needs that says something of tests. */
const MAY_SAY_TESTS = /test|spec|suite|pass|green|check/iu;

/** How a test was before, of which is said how it is now. */
const FAILED_BEFORE = join(
  String.raw`\b(?:(?:previously|formerly|originally|initially|earlier)[\s-])?(?:failing|failed|broken)\s(?=`,
  String.raw`${T}\s(?:(?:now|all|both|again|is|are|has|have)\s){0,3}(?:pass(?:es|ed|ing)?|succeeds?|green)\b`,
  String.raw`|${T}\s(?:(?:again|now|locally)\s)?(?:and|,)\s?(?:it|they)\s)`,
);

/** A sentence without its words that nothing failed, or that something did before, which say nothing bad. */
export function withoutNoFailure(plain: string): string {
  if (!MAY_SAY_FAILURE.test(plain)) return plain;
  const now = plain.replace(FAILED_BEFORE, "");
  return NO_FAILURE.reduce((text, one) => text.replace(one, " "), now).replace(NONE_FAILED, "");
}

/**
 * What a sentence reports of tests; undefined where it reports nothing of them.
 *
 * @param plain the same without what it quotes as code
 */
export function testsIn(sentence: string, plain: string): SaidTests | undefined {
  if (!MAY_SAY_TESTS.test(sentence) && !MAY_SAY_TESTS.test(plain)) return undefined;
  const count = countIn(withoutNoFailure(plain));
  const has = (...forms: readonly RegExp[]) => forms.some((one) => one.test(plain));
  const isSaid = (TESTS.test(sentence) && !ABOUT.test(plain)) || has(ALL_PASS, MARKED);
  const isMore = has(
    ...PASSES,
    ...RAN_WELL,
    ...RAN_AND,
    ...ARE_GOOD,
    ...NO_FAILURES,
    NO_FAILURES_IN,
    SUMS,
  );
  if (isSaid || isMore) return { count, isOfAll: OF_ALL.test(plain) };
  if (has(...NO_FAILURE)) return { count, isOfAll: true };
  return has(...OF_CHECKS) ? { count: undefined, isOfAll: true, isOfChecks: true } : undefined;
}

function countIn(plain: string): number | undefined {
  if (OTHER_COUNT.test(plain)) return undefined;
  const found = COUNTS.map((form) => form.exec(plain)?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : Number(found);
}
