import type { Node } from "../syntax/index.ts";
import type { Rule } from "./rule.ts";
import { isKind, type SourceView } from "./source-view.ts";

const CHANGING =
  /^(?:append|extend|insert|add|update|setdefault|pop|popitem|remove|discard|clear|sort|reverse)$/;

/** A default that all calls share, and that a call changes. */
export const mutableDefault: Rule = {
  kinds: ["default_parameter", "typed_default_parameter"],
  check: (node, view) => {
    const name = (node.field("name") ?? node.namedChildren()[0])?.text() ?? "";
    // Shared on purpose: such a default is the function's memory.
    if (/^_|cache|memo|seen|visited/i.test(name)) return [];
    const body = node.parent()?.parent()?.field("body");
    if (!isMutable(node.field("value"), view) || !body) return [];
    const change = changeOf(name, body);
    if (!change || isInner(node)) return [];
    return [
      {
        at: node,
        also: change,
        priority: "P2",
        category: "mutable-default",
        title: `The default of \`${name}\` is shared by all calls and changed here`.slice(0, 200),
        issue: `Python makes the default once. Line ${change.range().start.line + 1} changes it for every later call.`,
        fix: "Use None as the default and make the value in the body.",
      },
    ];
  },
};

/** A function inside another one is made anew with each call; there, a default is often its state. */
function isInner(parameter: Node): boolean {
  const own = parameter.parent()?.parent();
  for (let one = own?.parent(); one; one = one.parent()) {
    if (isKind(one, "function_definition")) return true;
  }
  return false;
}

function isMutable(value: Node | null, view: SourceView): boolean {
  if (isKind(value, "list", "dictionary", "set")) return true;
  return /^(?:list|dict|set|defaultdict)\(\w{0,40}\)$/.test(view.shortText(value) ?? "");
}

/** Where the body changes the value; nowhere if the body gives the name another one. */
function changeOf(name: string, body: Node): Node | undefined {
  const kinds = ["assignment", "augmented_assignment", "call", "delete_statement"];
  const nodes = body.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
  const isOther = nodes.some(
    (one) => isKind(one, "assignment") && one.field("left")?.text() === name,
  );
  return isOther ? undefined : nodes.find((one) => changes(one, name));
}

function changes(node: Node, name: string): boolean {
  if (isKind(node, "call")) {
    const callee = node.field("function");
    const method = callee?.field("attribute")?.text() ?? "";
    return callee?.field("object")?.text() === name && CHANGING.test(method);
  }
  const target = isKind(node, "delete_statement") ? node.namedChildren()[0] : node.field("left");
  if (isKind(target, "subscript")) return target?.field("value")?.text() === name;
  return isKind(node, "augmented_assignment") && target?.text() === name;
}
