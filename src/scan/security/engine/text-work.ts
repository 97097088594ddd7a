import type { Definition, Expression, Statement } from "../program.ts";

const NODES_MAX = 300;

/** Calls that look at a text piece by piece or hand it to something that does. */
const WORK =
  /^(?:charAt|charCodeAt|codePointAt|map|reduce|split|forEach|encode\w*|stringify|parseInt|Number|quote|escape\w*|join|normalize|basename|resolve)$/i;

/**
 * Whether a function of this file does more with its text than to hand it on or to replace parts of
 * it. What it replaces is followed; for the rest, a name such as `escapeHtml` is believed only where
 * there is work that can bear it.
 */
export function worksOnText(definition: Definition): boolean {
  let nodes = 0;
  const anyStatement = (list: readonly Statement[]): boolean =>
    list.some((one) => inStatement(one));
  const anyExpression = (list: readonly (Expression | undefined)[]): boolean =>
    list.some((one) => one !== undefined && inExpression(one));

  function inStatement(statement: Statement): boolean {
    nodes += 1;
    if (nodes > NODES_MAX) return false;
    switch (statement.kind) {
      case "loop":
      case "switch":
        return true;
      case "expression":
      case "return":
        return anyExpression([statement.value]);
      case "if":
        return (
          anyExpression([statement.test]) ||
          anyStatement([...statement.body, ...(statement.otherwise ?? [])])
        );
      case "block":
      case "try":
        return anyStatement(statement.body);
      default:
        return false;
    }
  }

  function inExpression(expression: Expression): boolean {
    nodes += 1;
    if (nodes > NODES_MAX) return false;
    switch (expression.kind) {
      case "call":
        return isWork(expression) || anyExpression([expression.callee, ...expression.args]);
      case "member":
        return anyExpression([expression.object]);
      case "either":
        return anyExpression([expression.test, ...expression.options]);
      case "joined":
      case "other":
        return anyExpression(expression.parts);
      case "assign":
      case "not":
        return anyExpression([expression.value]);
      case "compare":
        return anyExpression([expression.left, expression.right]);
      default:
        return false;
    }
  }

  return anyStatement(definition.body);
}

function isWork({ callee, args }: Extract<Expression, { kind: "call" }>): boolean {
  const name =
    callee.kind === "member" ? callee.property : callee.kind === "name" ? callee.name : "";
  const isReplacing = name === "replace" && args[1]?.kind !== "text";
  return isReplacing || WORK.test(name);
}
