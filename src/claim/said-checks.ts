import { END } from "./said-tests.ts";
import { SENTENCE_START } from "./sentences.ts";

/** What can be said to have gone well beside tests, or to be so, as it is told to people. */
export type CheckName =
  | "build"
  | "linter"
  | "type check"
  | "CI"
  | "coverage"
  | "measurement"
  | "trial"
  | "test run"
  | "commit"
  | "push"
  | "pull request"
  | "tag"
  | "dependencies"
  | "scope"
  | "size";

const join = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "giu");

const WORDS: readonly (readonly [CheckName, string])[] = [
  ["build", "builds?|compilation|compiler"],
  [
    "linter",
    String.raw`lint(?:s|ers?|ing)?|eslint|oxlint|biome|ruff|flake8|pylint|clippy|rubocop|stylelint|golangci-lint|prettier|formatting|formatter|format\schecks?`,
  ],
  [
    "type check",
    String.raw`type[-\s]?check(?:s|er|ers|ing)?|types|typescript|tsc|mypy|pyright|typings`,
  ],
  ["CI", String.raw`ci|pipelines?|github\sactions|workflows?`],
];
const WORD = String.raw`(?:${WORDS.map(([, words]) => words).join("|")})`;
/** Beside the words above in a list of which the same is said. */
const ANY = String.raw`(?:${WORD}|(?:unit\s)?tests?|test\ssuite|specs?)`;
const KIND = String.raw`(?:\s(?:runs?|steps?|checks?|jobs?|script|command|errors))?`;
const LIST = String.raw`(?<![\p{L}\p{N}_/.-])(?:(?:${ANY}${KIND})(?:,?\s(?:and|&|\+)\s|,\s|\s?\/\s?)(?:the\s|all\s)?){0,5}${ANY}${KIND}(?:\*\*|__)?`;
const NONE = String.raw`(?:no|zero|0|without(?:\sany)?)\s(?:\p{L}{1,20}\s){0,2}(?:errors?|warnings?|issues?|problems?|failures?|violations?|complaints?|findings?)`;
const GOOD =
  "(?:pass(?:es|ed|ing)?|succeed(?:s|ed|ing)?|green|clean|fine|okay|ok|good|successful|happy|works?|working)";
const IS = String.raw`(?:(?:is|are|was|were|now|still|also|all|both|again|remains?|stays?|has|have|been|comes?|came|back)\s){0,4}`;
const WENT =
  "(?:runs?|ran|complet(?:es|ed?)|finish(?:es|ed)|exit(?:s|ed)|end(?:s|ed)|reports?|reported|shows?|finds?|found|gives?|gave|has|have|produces?|produced|with)";
const WELL = [
  join(LIST, String.raw`\s${IS}${GOOD}`, END),
  join(LIST, String.raw`\s${IS}(?:${WENT}\s)?(?:with\s)?${NONE}`),
  join(LIST, String.raw`\s${IS}${WENT}\s(?:through\s)?(?:cleanly|successfully|fine|clean)`, END),
  join(
    String.raw`(?:✅|✔|☑|\[[xX]\])\uFE0F?\s*(?:\*\*|__)?(?:(?:the|full|production)\s)?${LIST}(?:\s${GOOD})?\s*\|?\s*$`,
  ),
  join(
    LIST,
    String.raw`\s?(?:[|:=–—-]\s?)(?:\*\*|__)?\s?(?:all\s)?(?:✅|✔|☑|${GOOD}${END}|(?:0|no)\s(?:errors?|warnings?|issues?|problems?))`,
  ),
];
/** What somebody says of a work as a whole, or of themselves. */
const DID = String.raw`(?:\b(?:I|we)(?:\shave|['’]ve)?\s(?:also\s|then\s|now\s)?|\b(?:everything|all(?:\s(?:the\s)?(?:changes|work))?|changes|work|it|branch)\s(?:(?:is|are|was|were|has|have|been|now|all)\s){1,3}|\band\s)`;
const T = String.raw`(?:tests?|test\ssuites?|specs?|test\scases?|suite)`;
const TESTS = String.raw`(?:(?:the|our|my|all|every|each|these|those|existing|new|automated|unit|integration|regression|e2e|end-to-end|whole|entire|full|complete|failing|relevant|affected|related|of|\d{1,6})\s){0,5}${T}`;
/** What was run is over here: "the test script" is something else. */
const RUN_END = String.raw`(?=\s*(?:$|[.,;:!|*_)–—])|\s-\s|\s(?:again|before|after|and|with|in|on|for|using|via|against|under|twice|locally|manually|once|several|to|as|too|myself|here|at|successfully)\b)`;
const OTHERS: readonly (readonly [CheckName, RegExp])[] = [
  [
    "build",
    join(
      String.raw`\b(?:it|this|everything|code|project|app|application|package|crate|all(?:\sof\sit)?)\s(?:now\s|still\s|all\s|also\s){0,2}(?:compiles?|compiled|builds?|built)(?:\s(?:cleanly|successfully|fine|correctly)|\s${NONE}|\swith\s${NONE})?`,
      END,
    ),
  ],
  [
    "build",
    join(
      String.raw`\b(?:compiles?|compiled|builds?|built)\s(?:cleanly|successfully|with\s${NONE}|without\s(?:any\s)?(?:errors?|warnings?|problems?|issues?))`,
    ),
  ],
  [
    "build",
    join(
      String.raw`\b(?:no|zero|0)\s(?:build|compile|compiler|compilation)\s(?:errors?|warnings?|failures?|issues?)`,
    ),
  ],
  [
    "linter",
    join(
      String.raw`\b(?:no|zero|0)\s(?:lint(?:er|ing)?|eslint|ruff|clippy|style|formatting)\s(?:errors?|warnings?|violations?|issues?|problems?)`,
    ),
  ],
  [
    "type check",
    join(
      String.raw`\b(?:no|zero|0)\s(?:type|typescript|typing|mypy|pyright|tsc)\s(?:errors?|warnings?|issues?|problems?)`,
    ),
  ],
  [
    "coverage",
    join(
      String.raw`\bcoverage\b[^.!?;]{0,60}?\d{1,3}(?:\.\d{1,3})?\s?%|\d{1,3}(?:\.\d{1,3})?\s?%\s(?:(?:test|code|line|branch|statement|function)\s){0,2}coverage\b`,
    ),
  ],
  [
    "measurement",
    join(
      String.raw`\b\d{1,6}(?:\.\d{1,3})?\s?(?:x|×|%|times|-fold)\s(?:faster|slower|quicker|smaller|less\smemory|fewer|speed-?\s?up|improvement|reduction)`,
    ),
  ],
  [
    "trial",
    join(
      String.raw`\b(?:(?:has|have)\sbeen\s(?:\p{L}{1,20}ly\s)?tested|(?:manually|thoroughly|fully|locally)\stested|tested\s(?:and\s(?:it\s|verified\s)?work(?:s|ing)|(?:it|this|everything)\b|manually|locally|end[- ]to[- ]end)|I\s(?:have\s)?tested)`,
    ),
  ],
  [
    "commit",
    join(
      String.raw`(?:\b(?:I|we)\s(?:have\s|['’]ve\s)?(?:also\s|then\s|now\s)?|\b(?:everything|all(?:\s(?:the\s)?(?:changes|work))?|changes|work|it|branch)\s(?:(?:is|are|was|were|has|have|been|now|all)\s){1,3}|\band\s)(?:committed|merged|deployed|released)\b`,
    ),
  ],
  ["push", join(String.raw`${DID}pushed\b(?!\s(?:back|down|onto|an?\s|into|items?|values?))`)],
  [
    "pull request",
    join(
      String.raw`${DID}(?:opened|created|raised|filed|submitted)\s(?:(?:an?|the|its|new|draft|separate)\s){0,3}(?:pull\srequest|merge\srequest|PR|MR)\b`,
    ),
  ],
  [
    "tag",
    join(
      String.raw`${DID}tagged\s(?:it|this|them|the\s(?:\p{L}{1,20}\s)?(?:release|commit|version|merge))\s(?:as|with)\s`,
    ),
  ],
  [
    "test run",
    join(
      String.raw`(?:${SENTENCE_START}(?:(?:now|also|then|finally),?\s)?|\b(?:I|we|and|then|also)\s|,\s)(?:(?:have|also|then|just|now|successfully)\s|['’]ve\s){0,3}(?:re-?)?(?:ran|executed)\s${TESTS}${RUN_END}`,
    ),
  ],
  [
    "test run",
    join(
      String.raw`\b(?:I|we)(?:\shave|['’]ve)\s(?:also\s|just\s|now\s)?(?:re-?)?run\s${TESTS}${RUN_END}`,
    ),
  ],
  [
    "test run",
    join(
      String.raw`(?:${SENTENCE_START}|[,;]\s|\band\s)(?:(?:the|all|our|full|whole|unit|existing|new)\s){0,4}${T}\s(?:were|was|have\sbeen|has\sbeen)\s(?:all\s|also\s|then\s)?(?:re-?)?(?:run|executed)${RUN_END}`,
    ),
  ],
  [
    "dependencies",
    join(
      String.raw`\b(?:no|zero|without(?:\s(?:adding|introducing|installing))?(?:\sany)?)\s(?:(?:new|additional|extra|further|other|external|third-party|added|runtime)\s){0,3}(?:dependenc(?:y|ies)|packages|libraries)\b`,
    ),
  ],
  [
    "scope",
    join(
      String.raw`\b(?:nothing\selse|no\sother\s(?:files?|code|changes?|places?|modules?)|no\s(?:files?|code)\s(?:was|were)\s(?:deleted|removed|changed|touched))\b|\b(?:only|solely|exclusively)\s(?:(?:I\s)?(?:changed|touched|modified|edited|updated)|changes|touches|modifies|edits)\b|\b(?:changed|touched|modified|edited|updated)\s(?:only|nothing\sbut)\b`,
    ),
  ],
  [
    "size",
    join(
      String.raw`\b(?:has|is|from|to|down\sto|at|contains|counts|spans|added|removed|deleted|wrote)\s(?:now\s|only\s|just\s|about\s|exactly\s|\d{1,7}\sto\s)?\d{1,7}\slines\b`,
    ),
  ],
];
/** Each form needs one of these; forms are costly to make ready. */
const MAY_SAY =
  /build|built|compil|lint|biome|ruff|flake8|clippy|rubocop|prettier|format|type|tsc|mypy|pyright|\bci\b|pipeline|action|workflow|coverage|%|faster|slower|quicker|smaller|fewer|memory|speed|tested|committed|pushed|merged|deployed|released|pull request|merge request|tagged|\bPR\b|\bMR\b|\bran\b|\brun\b|executed|rerun|dependenc|package|librar|nothing|no other|no file|no code|only|solely|exclusively|lines/iu;

/** What a sentence says went well, or is so, that is neither of tests nor of a file. */
export function checksIn(plain: string): CheckName[] {
  if (!MAY_SAY.test(plain)) return [];
  const well = WELL.flatMap((form) => [...plain.matchAll(form)].map(([said]) => said));
  const named = WORDS.filter(([, words]) => {
    const word = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, "iu");
    return well.some((one) => word.test(one));
  });
  const others = OTHERS.filter(([, form]) => plain.search(form) >= 0);
  return [...new Set([...named, ...others].map(([name]) => name))];
}
