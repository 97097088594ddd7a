import type { Node } from "../syntax/index.ts";
import type { Fault, Rule } from "./rule.ts";
import { isKind, parts, type SourceView } from "./source-view.ts";

/** Conditions that ask something else than they seem to: an assignment, or a promise. */
export const condition: Rule = {
  kinds: ["if_statement", "while_statement", "do_statement", "ternary_expression"],
  check: (node, view) => {
    const test = node.field("condition");
    if (!test) return [];
    // The parentheses belong to `if`; a second pair says that the assignment is meant.
    const asked = isKind(test, "parenthesized_expression") ? parts(test)[0] : test;
    if (!asked) return [];
    return [...assigned(node, asked), ...promised(asked, view)];
  },
};

function assigned(node: Node, asked: Node): Fault[] {
  if (asked.kind() !== "assignment_expression" || isKind(node, "ternary_expression")) return [];
  const value = asked.field("right");
  const isLiteral = isKind(value, "number", "string", "true", "false", "null", "undefined");
  // A loop or a branch that takes a call's result along is an old and common way to write.
  if (!isLiteral && !isKind(value, "identifier")) return [];
  return [
    {
      at: asked,
      priority: isLiteral ? "P2" : "P3",
      category: "assignment-in-condition",
      title: "This condition assigns instead of comparing",
      issue: "`=` gives the variable a new value, and that value decides.",
      fix: "Write `===`, or put the assignment on a line of its own.",
    },
  ];
}

/** A promise is always true; only what it becomes can be false. */
function promised(asked: Node, view: SourceView): Fault[] {
  const sides = operands(asked);
  return sides.flatMap((side) => {
    const callee = side.kind() === "call_expression" ? side.field("function") : null;
    if (!isKind(callee, "identifier")) return [];
    const name = callee?.text() ?? "";
    if (!view.asyncFunctions.named.has(name)) return [];
    return [
      {
        at: side,
        priority: "P2" as const,
        category: "promise-in-condition",
        title: `\`${name}\` is not awaited, so this is always true`.slice(0, 200),
        issue: `The async function \`${name}\` gives a promise, and a promise is never false.`,
        fix: "Write `await` before the call.",
      },
    ];
  });
}

/** What a condition asks, with `!`, `&&` and `||` taken apart to a small depth. */
function operands(node: Node, depth = 0): Node[] {
  if (depth > 8) return [];
  if (isKind(node, "parenthesized_expression", "unary_expression")) {
    const isNot = node.kind() !== "unary_expression" || node.field("operator")?.text() === "!";
    return isNot ? parts(node).flatMap((one) => operands(one, depth + 1)) : [];
  }
  if (node.kind() !== "binary_expression") return [node];
  const how = node.field("operator")?.text() ?? "";
  if (how !== "&&" && how !== "||") return [];
  return parts(node).flatMap((one) => operands(one, depth + 1));
}
