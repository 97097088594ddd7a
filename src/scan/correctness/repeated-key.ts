import type { Node } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

/** The same key twice in one literal: the first value is lost. */
export const repeatedKey: Rule = { kinds: ["object"], check: (node, view) => repeats(node, view) };

export const repeatedKeyPython: Rule = {
  kinds: ["dictionary"],
  check: (node, view) => repeats(node, view),
};

function repeats(literal: Node, view: SourceView): Fault[] {
  const repeated: { readonly at: Node; readonly first: Node; readonly key: string }[] = [];
  let seen = new Map<string, Node>();
  for (const entry of parts(literal)) {
    // What is spread in between may be what the second one is there to overrule.
    if (isKind(entry, "spread_element", "dictionary_splat")) seen = new Map();
    const key = keyOf(entry, view);
    if (key === undefined) continue;
    const first = seen.get(key);
    if (first) repeated.push({ at: entry, first, key });
    seen.set(key, entry);
  }
  const [one, ...others] = repeated;
  return one ? [toFault(one.at, one.first, one.key, others.length)] : [];
}

/** Said once for a literal: a table with one such key often has many. */
function toFault(at: Node, also: Node, key: string, others: number): Fault {
  const more = others === 0 ? "" : ` So it is with ${others} more keys of this literal.`;
  return {
    at,
    also,
    priority: "P2",
    category: "repeated-key",
    title: `The key ${key} stands here twice`.slice(0, 200),
    issue: `Line ${also.range().start.line + 1} gives the same key a value, which this one replaces.${more}`,
    fix: "Remove one, or give it the name that was meant.",
  };
}

function keyOf(entry: Node, view: SourceView): string | undefined {
  if (view.language === "python") {
    const key = entry.kind() === "pair" ? entry.field("key") : null;
    const isPlain = isKind(key, "string", "integer", "true", "false", "none");
    return isPlain && key && !key.has({ rule: { kind: "interpolation" } })
      ? view.shortText(key)
      : undefined;
  }
  if (isKind(entry, "shorthand_property_identifier")) return view.shortText(entry);
  const key = entry.field(entry.kind() === "method_definition" ? "name" : "key");
  if (!isKind(key, "property_identifier", "string", "number")) return undefined;
  const text = view.shortText(key)?.replace(/^(["'])(.*)\1$/s, "$2");
  // A getter and a setter of one name belong together.
  const isAccessor = entry.children().some((one) => isKind(one, "get", "set"));
  return isAccessor || text === "__proto__" ? undefined : text;
}
