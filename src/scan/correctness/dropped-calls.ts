import type { Node } from "../syntax/index.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

/** A name as calls are compared by; what is longer is no plain name. */
const NAME_CHARS_MAX = 100;

interface Calls {
  dropped: number;
  all: number;
}

/** Counted once for each file, however many calls are asked about. */
const counted = new WeakMap<SourceView, ReadonlyMap<string, Calls>>();

/**
 * Whether a file calls this function twice or more and never takes the promise. One that is waited
 * for everywhere else was forgotten here; one that nobody ever waits for is left to itself on purpose.
 */
export function isAlwaysDropped(call: Node, view: SourceView): boolean {
  const calls = counted.get(view) ?? countCalls(view.root);
  counted.set(view, calls);
  const { dropped = 0, all = 0 } = calls.get(calleeOf(call) ?? "") ?? {};
  return all > 1 && dropped === all;
}

function countCalls(root: Node): Map<string, Calls> {
  const calls = new Map<string, Calls>();
  const of = (name: string) => {
    const known = calls.get(name) ?? { dropped: 0, all: 0 };
    calls.set(name, known);
    return known;
  };
  for (const call of root.findAll({ rule: { kind: "call_expression" } })) {
    const name = calleeOf(call);
    if (name !== undefined) of(name).all += 1;
  }
  // From the statement down: asking a node for its parent costs as much as the tree is wide.
  for (const statement of root.findAll({ rule: { kind: "expression_statement" } })) {
    const [call] = parts(statement);
    const name = isKind(call, "call_expression") && call ? calleeOf(call) : undefined;
    if (name !== undefined) of(name).dropped += 1;
  }
  return calls;
}

function calleeOf(call: Node): string | undefined {
  const callee = call.field("function");
  if (!callee || !isKind(callee, "identifier", "member_expression")) return undefined;
  const { start, end } = callee.range();
  return end.index - start.index > NAME_CHARS_MAX ? undefined : callee.text();
}
