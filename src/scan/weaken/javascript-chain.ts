import type { Node } from "../syntax/index.ts";
import { kindOf, partsOf } from "./reading.ts";

/** One step of a chain: `.toBe(5)` or `.not`. */
export interface Link {
  readonly name: string;
  /** Undefined where it is not called. */
  readonly args: readonly Node[] | undefined;
}

/** `expect(x).not.toBe(5)` taken apart: the root, what it is called with, and the steps. */
export interface Chain {
  readonly root: Node;
  readonly rootArgs: readonly Node[] | undefined;
  readonly links: readonly Link[];
}

/** Longer chains are no assertions. */
const LINKS_MAX = 60;
const WRAPPERS = new Set(["await_expression", "parenthesized_expression", "non_null_expression"]);

/** Takes a chain of calls and members apart, down to the name that it begins with. */
export function chainOf(node: Node): Chain {
  const links: Link[] = [];
  let root = node;
  let args: readonly Node[] | undefined;
  for (let step = 0; step < LINKS_MAX; step += 1) {
    const kind = kindOf(root);
    const next = nextOf(root, kind);
    if (next === undefined) break;
    if (kind === "call_expression") {
      // A call of what a call gave: `test.each(table)("title", …)`.
      if (args !== undefined) links.unshift({ name: "", args });
      args = argumentsOf(root);
    } else if (kind === "member_expression") {
      links.unshift({ name: root.field("property")?.text() ?? "", args });
      args = undefined;
    }
    root = next;
  }
  return { root, rootArgs: args, links };
}

function nextOf(node: Node, kind: string): Node | undefined {
  if (kind === "call_expression") return node.field("function") ?? undefined;
  if (kind === "member_expression") return node.field("object") ?? undefined;
  return WRAPPERS.has(kind) ? partsOf(node)[0] : undefined;
}

/** What a call is given; a tagged template counts as one. */
export function argumentsOf(call: Node): readonly Node[] {
  const args = call.field("arguments");
  return kindOf(args) === "template_string" && args ? [args] : partsOf(args);
}

/** Whether a node is a function that is written where it stands. */
export function isFunction(node: Node | null | undefined): boolean {
  return /^(?:arrow_function|function_expression|generator_function|function_declaration|generator_function_declaration|method_definition)$/.test(
    kindOf(node),
  );
}
