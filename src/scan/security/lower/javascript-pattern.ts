import type { Entry, Expression } from "../program.ts";
import type { Node, Tree } from "./tree.ts";

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** The text of a string, key or template part, with the escapes that matter to rules resolved. */
export function textOfString(node: Node, tree: Tree): string {
  const raw = tree.text(node);
  const bare = node.kind() === "string" ? raw.slice(1, -1) : raw;
  return bare.replace(/\\([^ux])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped);
}

/** The left side of an assignment or a parameter; destructuring becomes records and lists. */
export function lowerPattern(node: Node, tree: Tree): Expression {
  const at = tree.place(node);
  switch (node.kind()) {
    case "object_pattern":
      return {
        kind: "record",
        entries: tree.named(node).map((child) => lowerPatternEntry(child, tree)),
        at,
      };
    case "array_pattern":
      return { kind: "list", items: tree.named(node).map((item) => tree.pattern(item)), at };
    case "assignment_pattern":
      return tree.pattern(node.field("left"));
    case "rest_pattern":
      return { kind: "spread", value: tree.pattern(tree.named(node)[0]), at };
    case "shorthand_property_identifier_pattern":
      return { kind: "name", name: tree.text(node), at };
    default:
      return tree.expression(node);
  }
}

function lowerPatternEntry(child: Node, tree: Tree): Entry {
  switch (child.kind()) {
    case "pair_pattern":
      return {
        ...lowerKey(child.field("key"), tree),
        value: tree.pattern(child.field("value")),
      };
    case "object_assignment_pattern": {
      const value = tree.pattern(child.field("left"));
      return value.kind === "name" ? { key: value.name, value } : { value };
    }
    case "shorthand_property_identifier_pattern":
      return { key: tree.text(child), value: tree.pattern(child) };
    default:
      return { value: tree.pattern(child) };
  }
}

/** A key that is written out is known; a computed one is an expression of its own. */
export function lowerKey(key: Node | null, tree: Tree): { key?: string; computed?: Expression } {
  if (key === null) return {};
  if (key.kind() !== "computed_property_name") return { key: textOfString(key, tree) };
  const computed = tree.inner(key);
  return computed.kind === "text" ? { key: computed.value } : { computed };
}
