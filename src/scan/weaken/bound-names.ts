import type { Node, parseSource } from "../syntax/index.ts";

const NODES_MAX = 20_000;
const TEXT_CHARS_MAX = 20_000;

/** The first nodes of some kinds; no file that people write has more. */
export function nodesOf(root: Node, kinds: readonly string[]): Node[] {
  return root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).slice(0, NODES_MAX);
}

/** The names that a file takes from elsewhere, each with the module: in JavaScript from files of the project alone. */
export function boundNames({
  root,
  language,
}: NonNullable<ReturnType<typeof parseSource>>): ReadonlyMap<string, string> {
  return language === "python" ? boundInPython(root) : boundInJavascript(root);
}

function boundInJavascript(root: Node): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const node of nodesOf(root, ["import_statement", "variable_declarator"])) {
    const text = node.text().slice(0, TEXT_CHARS_MAX);
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
