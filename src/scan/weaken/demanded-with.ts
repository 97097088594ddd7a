import { type Node, parseSource } from "../syntax/index.ts";
import { kindOf } from "./reading.ts";
import { isManner } from "./strength.ts";

const FILE_CHARS_MAX = 2_000_000;
const NODES_MAX = 20_000;
const TEXT_CHARS_MAX = 300;
const ASSERTING = /^(?:assert|expect)/i;
/** What a call stands in whose answer nobody asks for: it is there to fail. */
const DROPPED = /^(?:expression_statement|arrow_function)$/;

/**
 * The modules of the project that a file of tests demands something with, as it names them: `./assert.js` of
 * `equal(add(1, 2), 3)`. Whoever writes those decides what a test lets through.
 */
export function demandedWith(path: string, text: string): readonly string[] {
  if (text.length > FILE_CHARS_MAX) return [];
  const parsed = parseSource(path, text);
  if (parsed === undefined) return [];
  const { root, language } = parsed;
  const from = language === "python" ? boundInPython(root) : boundInJavascript(root);
  if (from.size === 0) return [];
  const calls = nodesOf(root, [language === "python" ? "call" : "call_expression"]);
  const modules = calls.filter(isDropped).flatMap((call) => {
    const [, first = "", rest = ""] =
      /^([\w$]+)((?:\.[\w$]+)*)\s*\(/.exec(call.text().slice(0, TEXT_CHARS_MAX)) ?? [];
    const names = [first, ...rest.split(".").filter((name) => name !== "")];
    const isDemand = ASSERTING.test(first) || isManner(names.at(-1) ?? "");
    return isDemand ? (from.get(first) ?? []) : [];
  });
  return [...new Set(modules)];
}

function nodesOf(root: Node, kinds: readonly string[]): Node[] {
  return root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).slice(0, NODES_MAX);
}

function isDropped(call: Node): boolean {
  const above = call.parent();
  const outer = /^await/.test(kindOf(above)) ? above?.parent() : above;
  return DROPPED.test(kindOf(outer));
}

/** Names that come from files of the project, and from which. */
function boundInJavascript(root: Node): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of nodesOf(root, ["import_statement", "variable_declarator"])) {
    const text = node.text().slice(0, TEXT_CHARS_MAX * TEXT_CHARS_MAX);
    const [, names = "", from] =
      /^(?:import\s+)?(.*?)\s*(?:from|=\s*require\s*\()\s*["'`](\.{1,2}\/[^"'`]+)["'`]/s.exec(
        text,
      ) ?? [];
    if (from === undefined) continue;
    for (const name of names.match(/[\w$]+/g) ?? []) found.set(name, from);
  }
  return found;
}

/** A module by its dotted name, and what is taken out of a package as one too. */
function boundInPython(root: Node): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of nodesOf(root, ["import_statement", "import_from_statement"])) {
    const text = node.text().slice(0, TEXT_CHARS_MAX);
    const [, from, names = ""] = /^(?:from\s+([\w.]+)\s+)?import\s+(.+)$/s.exec(text) ?? [];
    for (const one of names.split(",")) {
      const [name = "", , alias = name] = one
        .trim()
        .replace(/^\(|\)$/g, "")
        .split(/\s+/);
      found.set(alias, from ?? name);
    }
  }
  return found;
}
