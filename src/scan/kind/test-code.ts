import { isReadable } from "../syntax/readable.ts";
import { fileKind } from "./file-kind.ts";

const FOLDER = /(?:^|\/)(?:tests?|__tests__|__mocks__|specs?|e2e|testing|fixtures)\//i;
const NAME =
  /(?:[._-](?:test|spec|e2e)\.[cm]?[jt]sx?|(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py)$/i;
/** How other languages call their tests: `add_test.go`, `AddTest.java`, `tests.rs`, `t/add.t`, `test_add.c`. */
const OTHER_NAMES = [
  /_(?:unit)?tests?\.(?:go|dart|exs|rb|rs|c|cc|cpp|cxx|lua|clj|cljs|jl|sh|zig|ml|erl)$/,
  /_spec\.(?:rb|lua|cr)$|_SUITE\.erl$/,
  /(?:Tests?|TestCase|IT|Spec|Suite)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|php|swift|hs|m|mm|cpp)$/,
  /(?:^|\/)Test[A-Z][^/]*\.(?:java|kt|kts|scala|groovy|cs|swift|hs)$/,
  /(?:^|\/)test[-_][^/]*\.(?:c|cc|cpp|cxx|rb|lua|ml|rs|sh|jl|php|nim|r|R)$/,
  /(?:^|\/)tests?\.(?:rs|c|cc|cpp|rb|lua|sh|zig|jl|php)$|[.-]test\.(?:sh|php|c|cc|cpp)$/,
  /\.(?:bats|feature|t)$|(?:^|\/)t\/[^/]+\.(?:sh|pl)$/,
];

/** Whether a file holds tests or what tests need, by its name. */
export function isTestCode(path: string): boolean {
  return FOLDER.test(path) || NAME.test(path) || isNamedTest(path);
}

/** Whether it is code of tests in a language that nothing here reads: what a change takes away from it stays unknown. */
export function isUnreadTest(path: string): boolean {
  if (isReadable(path)) return false;
  return isNamedTest(path) || (isTestName(path) && fileKind(path, "").form === "code");
}

function isNamedTest(path: string): boolean {
  return OTHER_NAMES.some((name) => name.test(path));
}

/** What a name has as its last word, in any language: `rotate_test.sh`, `AddTests.java`, `selftest.py`. */
const LAST = /^(?:self)?(?:tests?|specs?|testcases?)$/;
const SHELL = /\.(?:ba|da|z|k)?sh$/;
/** Where `test-code.ts` is as often about tests as one of them. */
const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Whether a file is called a test, in whatever language: also where nothing here reads what it demands. */
export function isTestName(path: string): boolean {
  if (isTestCode(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isCode = fileKind(path, "").form === "code";
  if (!isCode && name.includes(".")) return false;
  const stem = isCode ? name.slice(0, name.lastIndexOf(".")) : name;
  const words = stem.split(/[._-]+|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());
  const [first = ""] = words;
  if (LAST.test(words.at(-1) ?? "")) return true;
  if (SHELL.test(path) && first === "check") return true;
  return !SCRIPT.test(path) && words.length > 1 && LAST.test(first);
}

/** How tests are announced that stand in the same file as what they test. */
const INLINE: readonly (readonly [files: RegExp, mark: RegExp])[] = [
  [/\.rs$/, /#\[(?:cfg\(test\)|(?:\w{1,40}::){0,3}test\b)/],
  [/\.py$/, /^[ \t]{0,40}(?:async )?def test_|\bTestCase\b/m],
  [
    SCRIPT,
    /(?<![.\w])(?:test|it|describe|suite)(?:\.\w{1,20}){0,3}\(\s{0,20}["'`]|import\.meta\.vitest/,
  ],
  [/\.go$/, /^func (?:Test|Fuzz|Example)\w*\(/m],
  [/\.(?:java|kt|kts|scala|groovy)$/, /@(?:Test|ParameterizedTest|RepeatedTest)\b/],
  [/\.(?:cs|fs)$/, /\[(?:<)?(?:Fact|Theory|Test|TestCase|TestMethod)\b/],
  [
    /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|m)$/,
    /^[ \t]{0,40}(?:TEST|TEST_F|TEST_P|TEST_CASE|START_TEST)\s?\(/m,
  ],
  [/\.(?:zig|d)$/, /^[ \t]{0,40}(?:test ["{]|unittest\b)/m],
  [/\.exs?$/, /^[ \t]{0,40}(?:test|doctest) /m],
];

/** What a file has of tests beside other code: all from the first that is announced. Empty where none is. */
export function inlineTests(path: string, text: string): string {
  const mark = INLINE.find(([files]) => files.test(path))?.[1];
  const at = mark === undefined ? -1 : text.search(mark);
  return at < 0 ? "" : text.slice(at);
}
