import { type Node, parseSource } from "../syntax/index.ts";
import { argumentsOf } from "./javascript-chain.ts";
import { kindOf, lineOf, partsOf } from "./reading.ts";
import { type ChangedSource, shown, type WeakenedTest } from "./weakened-test.ts";

const FILE_CHARS_MAX = 2_000_000;
const NODES_MAX = 20_000;
const FOUND_MAX = 20;
const TEXT_CHARS_MAX = 200;
/** What tests and their runner share with the code that they test, as modules. */
const MODULE =
  /^["'`](?:node:)?(?:assert(?:\/strict)?|test|chai|vitest|expect|@jest\/globals|@vitest\/\w{1,20}|mocha|tap|ava)["'`]$/;
/** The same where any function is given it: `createRequire(…)("node:assert")`. */
const GIVEN =
  /["'`](?:node:(?:assert(?:\/strict)?|test)|assert(?:\/strict)?|chai|vitest|@jest\/globals)["'`]/;
const MENTIONED = /\b(?:assert|chai|vitest|expect|globals|mocha|node:test|unittest|pytest)\b/;
/** What gives a member of an object another meaning, by a call. */
const SETTING =
  /^(?:Object\.(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\.(?:set|defineProperty)|setattr)$/;
const PYTHON_OWN =
  /(?:^|\.)(?:TestCase|TestResult|TextTestResult|TextTestRunner|TestLoader|unittest|pytest)$/;

/**
 * Where code that is no test gives what its tests demand another meaning: it runs in the process of the tests,
 * and `assert.equal = () => {}` in it lets each of them pass.
 */
export function replacedInSource({ path, before = "", after = "" }: ChangedSource): WeakenedTest[] {
  const known = new Set(replacedIn(path, before).map(({ name }) => name));
  return replacedIn(path, after)
    .filter(({ name }) => !known.has(name))
    .slice(0, FOUND_MAX)
    .map(({ name, line }) => ({
      kind: "replaced",
      severity: "weakened",
      path,
      line,
      side: "after",
      message: `${shown(name)} was the test runner's own before, and is replaced in ${path} now: what it demands stands elsewhere`,
    }));
}

function replacedIn(
  path: string,
  text: string,
): { readonly name: string; readonly line: number }[] {
  if (text.length > FILE_CHARS_MAX || !MENTIONED.test(text)) return [];
  const parsed = parseSource(path, text);
  if (parsed === undefined) return [];
  const { root, language } = parsed;
  const isOwn = language === "python" ? isPythonOwn : isBoundTo(boundIn(root));
  return nodesOf(root, CHANGES[language]).flatMap((node) => {
    const changed = changedBy(node);
    const name = changed?.text().slice(0, TEXT_CHARS_MAX);
    return name !== undefined && isOwn(name) ? [{ name, line: lineOf(node) }] : [];
  });
}

const CHANGES = {
  javascript: ["assignment_expression", "call_expression"],
  python: ["assignment", "call"],
} as const;

function nodesOf(root: Node, kinds: readonly string[]): Node[] {
  return root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).slice(0, NODES_MAX);
}

/** The object whose member is set; undefined where none is. */
function changedBy(node: Node): Node | undefined {
  const left = node.field("left");
  if (left !== null) {
    const isMember = /^(?:member_expression|subscript_expression|attribute)$/.test(kindOf(left));
    return isMember ? (left.field("object") ?? undefined) : undefined;
  }
  return SETTING.test(node.field("function")?.text() ?? "") ? argumentsOf(node)[0] : undefined;
}

const isPythonOwn = (name: string): boolean => PYTHON_OWN.test(name);

const isBoundTo =
  (names: ReadonlySet<string>) =>
  (text: string): boolean =>
    names.has(/^[\w$]+/.exec(text)?.[0] ?? "") || GIVEN.test(text);

/** The names under which a file has a runner or a library of assertions. */
function boundIn(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root, ["import_statement", "variable_declarator"])) {
    const isImport = kindOf(node) === "import_statement";
    const isOne = isImport
      ? MODULE.test(node.field("source")?.text() ?? "")
      : isLoaded(node.field("value"));
    const bound = isImport
      ? partsOf(node).find((one) => kindOf(one) === "import_clause")
      : node.field("name");
    for (const name of (isOne && bound?.text().match(/[\w$]+/g)) || []) names.add(name);
  }
  return names;
}

/** `require("x")`, `await import("x")`, and whatever else gives what a name of a module stands for. */
function isLoaded(value: Node | null): boolean {
  const text = value?.text().slice(0, TEXT_CHARS_MAX) ?? "";
  const [, given] =
    /^\(?(?:await\s+)?(?:require|import)\s*\(\s*("[^"]*"|'[^']*'|`[^`]*`)/.exec(text) ?? [];
  const isCall = /^(?:call|await|member|parenthesized)_expression$/.test(kindOf(value));
  return given === undefined ? isCall && GIVEN.test(text) : MODULE.test(given);
}
