import type { Expression } from "../program.ts";
import { PROTOTYPE_POLLUTION } from "../rules/prototype-pollution.ts";
import { accessPath } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";

type Assignment = Extract<Expression, { kind: "assign" }>;

/**
 * `a[key] = merge(a[key], b[key])`: what another function does with both is a merge of them, so that
 * with `__proto__` as the key the next step of it writes to a prototype.
 */
export function reportMergeStep({ target, value }: Assignment, scope: Scope, machine: Interpreter) {
  if (target.kind !== "element" || value.kind !== "call") return;
  const [path, key] = [accessPath(target), accessPath(target.index)];
  if (path === undefined || key === undefined || isOfThisFile(value.callee, scope)) return;
  const own = value.args.find((argument) => accessPath(argument) === path);
  const other = value.args.find(
    (one) => one.kind === "element" && accessPath(one) !== path && accessPath(one.index) === key,
  );
  if (own === undefined || other === undefined) return;
  machine.report({
    rule: PROTOTYPE_POLLUTION,
    at: target.at,
    what: path,
    value: machine.evaluate(target.index, scope),
    base: machine.evaluate(own, scope),
  });
}

/** A function of this file is followed instead. */
function isOfThisFile(callee: Expression, scope: Scope): boolean {
  const path = accessPath(callee);
  return path !== undefined && scope.get(path)?.definition !== undefined;
}
