import { isUnreadTest } from "../kind/index.ts";

/** How tests are marked in a language that nothing here parses, line by line. */
interface Language {
  readonly endings: readonly string[];
  readonly test: RegExp;
  /** Where the name stands in a line below the mark. */
  readonly name?: RegExp;
  readonly skip: RegExp;
  /** Whether tests stand beside the program, in files that are not called tests. */
  readonly isInline?: true;
}

const LANGUAGES: readonly Language[] = [
  {
    endings: ["go"],
    test: /^func (?:\([^)]*\) )?(?!TestMain\()((?:Test|Fuzz|Example)\w*)\(/,
    skip: /\.Skip(?:f|Now)?\(/,
  },
  {
    endings: ["rs"],
    test: /^\s*#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test|quickcheck)\b/,
    name: /\bfn\s+(\w+)/,
    skip: /^\s*#\[\s*ignore\b/,
    isInline: true,
  },
  {
    endings: ["zig"],
    test: /^\s*test\s+("[^"]*"|\w+)/,
    skip: /error\.SkipZigTest/,
    isInline: true,
  },
  {
    endings: ["java", "kt", "kts", "scala", "groovy"],
    test: /^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/,
    name: /\b(?:void|fun|def)\s+(`[^`]+`|\w+)\s*\(/,
    skip: /^\s*@(?:Disabled|Ignore)\b/,
  },
  {
    endings: ["cs", "fs", "vb"],
    test: /^\s*\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/,
    name: /\b(?:void|Task)\s+(\w+)\s*\(/,
    skip: /^\s*\[\s*(?:Ignore|Explicit)\b|\bSkip\s*=/,
  },
  {
    endings: ["rb"],
    test: /^\s*(?:it|specify|scenario|test|example)\s+("[^"]*"|'[^']*')|^\s*def\s+(test_\w+)/,
    skip: /^\s*(?:xit|xspecify|xdescribe|xcontext|pending|skip)\b/,
  },
  {
    endings: ["php"],
    test: /^\s*(?:(?:final|public|static)\s+)*function\s+(test\w*)\s*\(|^\s*(?:it|test)\(("[^"]*"|'[^']*')|^\s*#\[Test\b/,
    skip: /markTest(?:Skipped|Incomplete)\(|->skip\(/,
  },
  {
    endings: ["exs"],
    test: /^\s*(?:test|property)\s+("[^"]*")/,
    skip: /^\s*@(?:module)?tag\s+(?::skip\b|skip:)/,
  },
  {
    endings: ["dart"],
    test: /^\s*(?:test|testWidgets)\(\s*("[^"]*"|'[^']*')/,
    skip: /\bskip:/,
  },
  {
    endings: ["swift"],
    test: /^\s*(?:\w+\s+)*func\s+(test\w*)\s*\(|^\s*@Test\b/,
    skip: /\bXCTSkip\b|\.disabled\(/,
  },
  {
    endings: ["c", "cc", "cpp", "cxx"],
    test: /^\s*(?:TYPED_)?(?:TEST(?:_[FP]|_CASE)?|SCENARIO|BOOST_AUTO_TEST_CASE|START_TEST)\s*\(\s*([^)]*)/,
    skip: /\bGTEST_SKIP\(|\bDISABLED_\w/,
  },
  {
    endings: ["sh", "bats"],
    test: /^@test\s+("[^"]*"|'[^']*')|^(?:function\s+)?(test\w*)\s*\(\)/,
    skip: /^\s*skip\b/,
  },
  { endings: ["lua"], test: /^\s*it\(\s*("[^"]*"|'[^']*')/, skip: /^\s*pending\(/ },
  {
    // Each of these counts as one where it is run.
    endings: ["t"],
    test: /^\s*(?:is|isnt|ok|like|unlike|is_deeply|cmp_ok|subtest)\b[ (]/,
    skip: /\bskip\b/,
  },
];
const BY_ENDING = new Map(LANGUAGES.flatMap((one) => one.endings.map((end) => [end, one])));

const LINE_CHARS_MAX = 400;
/** How far below its mark a test's name may stand: other marks come between. */
const NAME_LINES_MAX = 8;

/** A line that begins a test, or that keeps one from running. */
export interface Mark {
  readonly line: number;
  readonly name: string | undefined;
}

/** What the marks of one file come to. */
export interface Marks {
  readonly tests: readonly Mark[];
  readonly skips: readonly Mark[];
}

/** What tests of a file are counted by; undefined where nothing here knows how, or they are parsed. */
export function languageOfMarks(path: string): string | undefined {
  const language = BY_ENDING.get(/\.([a-z]+)$/.exec(path)?.[1] ?? "");
  return language?.isInline || isUnreadTest(path) ? language?.endings[0] : undefined;
}

/** The tests of a file by their marks alone: a comment over several lines can hide one, and show one. */
export function marksIn(path: string, text: string): Marks {
  const language = BY_ENDING.get(languageOfMarks(path) ?? "");
  const [tests, skips]: [Mark[], Mark[]] = [[], []];
  if (language === undefined) return { tests, skips };
  const lines = text.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX));
  for (const [at, line] of lines.entries()) {
    const found = language.test.exec(line);
    if (found !== null) tests.push({ line: at + 1, name: nameOf(found, language, lines, at) });
    if (language.skip.test(line)) skips.push({ line: at + 1, name: line.trim() });
  }
  return { tests, skips };
}

function nameOf(
  found: RegExpExecArray,
  { name }: Language,
  lines: readonly string[],
  at: number,
): string | undefined {
  if (name === undefined) return found.slice(1).find((one) => one !== undefined);
  const below = lines.slice(at, at + NAME_LINES_MAX).map((line) => name.exec(line)?.[1]);
  return below.find((one) => one !== undefined);
}
