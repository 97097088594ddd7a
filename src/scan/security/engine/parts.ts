import type { Expression } from "../program.ts";
import { BIASED_RANDOM, isBiased } from "../rules/weak-crypto.ts";
import { accessPath } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { noteType } from "./type-test.ts";
import { UNKNOWN, type Value } from "./value.ts";

const BIASED = "the rest of a random byte";

/** Comparisons, sums and the like: their parts take effect, and nothing of them is left in the end. */
export function evaluateParts(expression: Expression, scope: Scope, machine: Interpreter): Value {
  switch (expression.kind) {
    case "compare": {
      const left = machine.evaluate(expression.left, scope);
      const right = machine.evaluate(expression.right, scope);
      noteType(left.typeOf, right.text, scope);
      noteType(right.typeOf, left.text, scope);
      return UNKNOWN;
    }
    case "typeof": {
      machine.evaluate(expression.value, scope);
      const path = accessPath(expression.value);
      return path === undefined ? UNKNOWN : { flows: [], typeOf: path };
    }
    case "not":
      machine.evaluate(expression.value, scope);
      return UNKNOWN;
    case "arithmetic":
      for (const part of expression.parts) machine.evaluate(part, scope);
      if (isBiased(expression))
        machine.reportPlain({
          rule: BIASED_RANDOM,
          at: expression.at,
          priority: "P2",
          what: BIASED,
        });
      return UNKNOWN;
    case "other": {
      const values = expression.parts.map((part) => machine.evaluate(part, scope));
      return values.at(-1) ?? UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}
