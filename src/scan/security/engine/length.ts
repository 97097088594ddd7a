import { maskOf } from "../category.ts";
import type { Expression } from "../program.ts";
import { accessPath, subjects } from "./access-path.ts";
import { facts } from "./fact.ts";
import type { Proof } from "./value.ts";

type Comparison = Extract<Expression, { kind: "compare" }>;

/** A bound is written out or called one; a counter that runs up to the length bounds nothing. */
const BOUND_NAME = /max|limit|longest|^[A-Z][A-Z\d_]+$/i;

/** What comparing a length with a bound shows; undefined when no length is compared. */
export function lengthProof({ how, left, right }: Comparison): Proof | undefined {
  const [onLeft, onRight] = [measuredBy(left), measuredBy(right)];
  const measured = onLeft ?? onRight;
  if (measured === undefined) return undefined;
  const bound = onLeft === undefined ? left : right;
  if (!isBound(bound)) return { yes: [], no: [], always: [] };
  const bounded = facts(subjects(measured), maskOf("redos"));
  const isAbove = onLeft === undefined ? /^[<]/.test(how) : /^[>]/.test(how);
  const isDenied = isAbove || how === "!=";
  return { yes: isDenied ? [] : bounded, no: isDenied ? bounded : [], always: [] };
}

/** What `x.length` or `len(x)` measures. */
export function measuredBy(side: Expression): Expression | undefined {
  if (side.kind === "member" && /^(?:length|size|byteLength)$/.test(side.property))
    return side.object;
  const isCount = side.kind === "call" && side.callee.kind === "name" && side.callee.name === "len";
  return isCount ? side.args[0] : undefined;
}

export function isBound(expression: Expression): boolean {
  if (expression.kind === "constant") return /^\d/.test(expression.value);
  const name = expression.kind === "arithmetic" ? undefined : accessPath(expression);
  if (name === undefined) return expression.kind === "arithmetic";
  return BOUND_NAME.test(name.slice(name.lastIndexOf(".") + 1));
}
