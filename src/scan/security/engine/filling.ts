import { isSafeFor, maskOf } from "../category.ts";
import type { Definition, Expression } from "../program.ts";
import { PROTOTYPE_POLLUTION } from "../rules/prototype-pollution.ts";
import { accessPath } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import { reportMergeStep } from "./merge-step.ts";
import type { Scope } from "./scope.ts";

type Assignment = Extract<Expression, { kind: "assign" }>;

/** Reports an assignment by which an object is merged or built from data. */
export function reportBuilding(assignment: Assignment, scope: Scope, machine: Interpreter): void {
  if (assignment.target.kind !== "element") return;
  reportMergeStep(assignment, scope, machine);
  reportFilling(assignment, scope, machine);
}

/**
 * Whoever builds an object from data, as parsers and deep copies do, gives it another prototype with
 * the key `__proto__`. Objects that are filled only one level deep are left out: nearly every file
 * has some.
 */
function reportFilling(assignment: Assignment, scope: Scope, machine: Interpreter): void {
  const { target, value } = assignment;
  if (target.kind !== "element") return;
  const into = functionsCalledBy(value, accessPath(target), scope);
  if (into.length === 0 && !isPair(target.index, value)) return;
  const base = machine.evaluate(target.object, scope);
  const key = machine.evaluate(target.index, scope);
  const flows = key.flows.filter(({ safe }) => !isSafeFor(safe, POLLUTION, true));
  if (!base.literal || flows.length === 0) return;
  const what = accessPath(target) ?? "a property by its key";
  machine.report({
    rule: PROTOTYPE_POLLUTION,
    at: target.at,
    what,
    value: { ...key, flows },
    ...(into.length === 0 ? {} : { within: machine.current, into }),
  });
}

const POLLUTION = maskOf("prototype-pollution");

/** The functions of this file that make the value anew; one that gets the old value merges. */
function functionsCalledBy(
  value: Expression,
  path: string | undefined,
  scope: Scope,
): Definition[] {
  if (value.kind === "either")
    return value.options.flatMap((option) => functionsCalledBy(option, path, scope));
  if (value.kind !== "call" || value.args.some((one) => accessPath(one) === path)) return [];
  const { definition } = scope.get(accessPath(value.callee) ?? "") ?? {};
  return definition === undefined ? [] : [definition];
}

/** `object[list[i]] = list[i + 1]`: a list of keys and values by turns. */
function isPair(key: Expression, value: Expression): boolean {
  if (key.kind !== "element" || value.kind !== "element" || value.index.kind !== "joined")
    return false;
  const list = accessPath(key.object);
  return list !== undefined && list === accessPath(value.object);
}
