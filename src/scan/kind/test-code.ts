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
  return isNamedTest(path) || (FOLDER.test(path) && fileKind(path, "").form === "code");
}

function isNamedTest(path: string): boolean {
  return OTHER_NAMES.some((name) => name.test(path));
}
