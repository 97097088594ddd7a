import type { Node } from "../syntax/index.ts";
import { kindOf } from "./reading.ts";
import type { Hold } from "./test-case.ts";

const FUNCTION =
  /^(?:arrow_function|function_expression|generator_function|function_declaration|function_definition|lambda)$/;
const LATER =
  /^(?:(?:globalThis|process|window)\.)?(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)$/;
const TEXT_CHARS_MAX = 20_000;
const HEAD_CHARS_MAX = 200;
const ABOVE_MAX = 500;

export function isFunctionNode(kind: string): boolean {
  return FUNCTION.test(kind);
}

/** `function* () {}`, and in Python a body with a `yield` of its own. */
export function isGenerator(root: Node): boolean {
  const kind = kindOf(root);
  if (/^generator_function/.test(kind)) return true;
  if (kind !== "block") return false;
  return root
    .findAll({ rule: { kind: "yield" } })
    .some((one) => functionAround(one, root) === undefined);
}

/** An empty list, written where it is used. */
export function isNothing(node: Node | null): boolean {
  return (
    /^(?:array|list|tuple|dictionary|object)$/.test(kindOf(node)) &&
    /^[[({]\s*[\])}]$/.test(node?.text() ?? "")
  );
}

/** What becomes of the demands in a function within a test: nobody may call it, or only when the test is over. */
export function holdOfFunction(node: Node): Hold {
  const above = outside(node.parent());
  const name = nameOf(node, above);
  if (name !== undefined) return isMentionedAgain(name, node) ? "certain" : "unreachable";
  if (isCallee(node, above)) return isAsync(node) && isDropped(above) ? "swallowed" : "certain";
  const call = kindOf(above) === "arguments" ? above?.parent() : undefined;
  const callee = call?.field("function") ?? undefined;
  if (callee === undefined) return "certain";
  const text = callee.text().slice(0, HEAD_CHARS_MAX);
  if (LATER.test(text)) return "conditional";
  return isNothing(callee.field("object")) ? "unreachable" : "certain";
}

function outside(node: Node | null | undefined): Node | undefined {
  let found = node ?? undefined;
  for (let step = 0; step < ABOVE_MAX && kindOf(found) === "parenthesized_expression"; step += 1) {
    found = found?.parent() ?? undefined;
  }
  return found;
}

function nameOf(node: Node, above: Node | undefined): string | undefined {
  if (/^function_(?:declaration|definition)$/.test(kindOf(node))) return node.field("name")?.text();
  if (kindOf(above) !== "variable_declarator") return undefined;
  const name = above?.field("name");
  return kindOf(name) === "identifier" ? name?.text() : undefined;
}

/** Whether a function's name stands anywhere in the function around it, but where it gets it. */
function isMentionedAgain(name: string, node: Node): boolean {
  const around = functionAround(node, undefined);
  const text = around?.text() ?? "";
  // What is too long to be looked through may mention it.
  if (around === undefined || text.length > TEXT_CHARS_MAX) return true;
  const word = name.replaceAll("$", "\\$");
  return [...text.matchAll(new RegExp(`(?<![\\w$])${word}(?![\\w$])`, "g"))].length > 1;
}

function functionAround(node: Node, root: Node | undefined): Node | undefined {
  let above = node.parent();
  for (let step = 0; step < ABOVE_MAX && above !== null && above.id() !== root?.id(); step += 1) {
    if (isFunctionNode(kindOf(above))) return above;
    above = above.parent();
  }
  return undefined;
}

function isCallee(node: Node, above: Node | undefined): boolean {
  const callee = kindOf(above) === "call_expression" ? above?.field("function") : undefined;
  return callee?.text().includes(node.text()) === true;
}

function isAsync(node: Node): boolean {
  return /^async\b/.test(node.text().slice(0, HEAD_CHARS_MAX));
}

function isDropped(call: Node | undefined): boolean {
  return kindOf(call?.parent()) === "expression_statement";
}
