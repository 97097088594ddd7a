import type { Node } from "../syntax/index.ts";
import type { Rule } from "./rule.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

/** A coroutine that is made and dropped: its body never runs. */
export const floatingCoroutine: Rule = {
  kinds: ["expression_statement"],
  where: { has: { kind: "call" } },
  check: (statement, view) => {
    const [call] = parts(statement);
    if (call?.kind() !== "call") return [];
    const name = coroutineName(call, view);
    if (name === undefined) return [];
    return [
      {
        at: call,
        priority: "P2",
        category: "floating-promise",
        title: `The coroutine of ${name} is never awaited`.slice(0, 200),
        issue: `Calling the async function \`${name}\` only makes a coroutine. Without \`await\` its body does not run.`,
        fix: "Await it, or hand it to the event loop as a task that somebody keeps.",
      },
    ];
  },
};

function coroutineName(call: Node, view: SourceView): string | undefined {
  const callee = call.field("function");
  const { named, methods } = view.asyncFunctions;
  if (isKind(callee, "identifier")) {
    const name = callee?.text() ?? "";
    return named.has(name) ? name : undefined;
  }
  if (!isKind(callee, "attribute") || callee?.field("object")?.text() !== "self") return undefined;
  const method = callee.field("attribute")?.text() ?? "";
  if (![...methods.values()].some((one) => one.has(method))) return undefined;
  return methods.get(classBlock(call) ?? -1)?.has(method) ? method : undefined;
}

function classBlock(node: Node): number | undefined {
  for (let one = node.parent(); one; one = one.parent()) {
    if (one.kind() === "block" && one.parent()?.kind() === "class_definition") return one.id();
  }
  return undefined;
}
