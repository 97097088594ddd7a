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
    names.has(/^[\w$]+/.exec(text)?.[0] ?? "");

/** The names under which a file has a runner or a library of assertions. */
function boundIn(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root, ["import_statement", "variable_declarator"])) {
    const [from, bound] =
      kindOf(node) === "import_statement"
        ? [node.field("source"), partsOf(node).find((one) => kindOf(one) === "import_clause")]
        : [requiredBy(node.field("value")), node.field("name")];
    if (!MODULE.test(from?.text() ?? "")) continue;
    for (const name of bound?.text().match(/[\w$]+/g) ?? []) names.add(name);
  }
  return names;
}

/** What `require("x")` or `await import("x")` names, also where a member of it is taken. */
function requiredBy(value: Node | null): Node | null {
  const [, word] = /^\(?(?:await\s+)?(require|import)\s*\(/.exec(value?.text() ?? "") ?? [];
  if (word === undefined || value === null) return null;
  return value.find({ rule: { kind: "string" } });
}
