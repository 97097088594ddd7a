import type { Node } from "../syntax/index.ts";
import { kindOf, lineOf, partsOf } from "./reading.ts";
import { isManner } from "./strength.ts";
import type { TestFile } from "./test-case.ts";

type Replaced = TestFile["replaced"][number];

const WORDS = /^(?:expect|assert|test|it|describe|suite)$/;
const FOUND_MAX = 100;
const TEXT_CHARS_MAX = 300;

/** Where a file declares, imports from the project or assigns what is the test runner's own. */
export function javascriptReplaced(root: Node): readonly Replaced[] {
  const found: Replaced[] = [];
  for (const node of root.findAll({ rule: { any: JAVASCRIPT.map((kind) => ({ kind })) } })) {
    const name = javascriptName(node);
    if (name === undefined) continue;
    const isImported = kindOf(node) === "import_specifier";
    found.push({ name, line: lineOf(node), ...(isImported ? { isImported } : {}) });
    if (found.length === FOUND_MAX) break;
  }
  return found;
}

const JAVASCRIPT = [
  "function_declaration",
  "variable_declarator",
  "import_specifier",
  "assignment_expression",
  "call_expression",
];

function javascriptName(node: Node): string | undefined {
  switch (kindOf(node)) {
    case "function_declaration":
      return ownWord(node.field("name")?.text());
    case "variable_declarator":
      return isMade(node.field("value")) ? ownWord(node.field("name")?.text()) : undefined;
    case "import_specifier":
      return isOfProject(node)
        ? ownWord((node.field("alias") ?? node.field("name"))?.text())
        : undefined;
    case "assignment_expression":
      return assigned(node.field("left"));
    default:
      return extended(node);
  }
}

function ownWord(name: string | undefined): string | undefined {
  return name !== undefined && WORDS.test(name) ? name : undefined;
}

/** A function or object of the file's own, and not the runner's word under this name. */
function isMade(value: Node | null): boolean {
  return /^(?:arrow_function|function_expression|object|new_expression)$/.test(kindOf(value));
}

function isOfProject(node: Node): boolean {
  const from = node.ancestors().find((one) => kindOf(one) === "import_statement");
  return /^["']\.{1,2}\//.test(from?.field("source")?.text() ?? "");
}

/** `globalThis.expect = …`, `assert.equal = …` */
function assigned(left: Node | null): string | undefined {
  const text = left?.text().slice(0, TEXT_CHARS_MAX) ?? "";
  const [, word, method] =
    /^(?:global(?:This)?\.)?(expect|assert|test|it|describe)(?:\.(\w{1,60}))?$/.exec(text) ?? [];
  return word === undefined ? undefined : method === undefined ? word : `${word}.${method}`;
}

/** `expect.extend({ toBe: … })` gives a matcher that everybody knows another meaning. */
function extended(node: Node): string | undefined {
  if (node.field("function")?.text() !== "expect.extend") return undefined;
  const [object] = partsOf(node.field("arguments"));
  const names = partsOf(object).map((one) => (one.field("key") ?? one.field("name"))?.text() ?? "");
  return names.find((name) => isManner(name));
}

/** `def assertEqual(self, …)` in a class of tests, and `TestCase.assertEqual = …`. */
export function pythonReplaced(root: Node): readonly Replaced[] {
  const kinds = [{ kind: "function_definition" }, { kind: "assignment" }];
  return root
    .findAll({ rule: { any: kinds } })
    .slice(0, FOUND_MAX * FOUND_MAX)
    .flatMap((node) => {
      const isFunction = kindOf(node) === "function_definition";
      const left = isFunction ? node.field("name") : node.field("left");
      const name = (isFunction ? left : left?.field("attribute"))?.text() ?? "";
      const isWord = /^(?:assert[A-Z]|raises$|fail$)/.test(name) && isManner(name);
      // With it a module says itself which of its tests there are.
      return isWord || (isFunction && name === "load_tests") ? [{ name, line: lineOf(node) }] : [];
    });
}
