import type { Expression } from "../program.ts";
import type { Node, Tree } from "./tree.ts";

/** What a call is given. A tag gets the values of its template apart from the text, and puts them together its own way. */
export function lowerArguments(given: Node | null, tree: Tree): Expression[] {
  if (given === null) return [];
  if (given.kind() === "arguments") return tree.named(given).map((one) => tree.expression(one));
  return tree
    .named(given)
    .filter((part) => part.kind() === "template_substitution")
    .map((part) => tree.inner(part));
}

/** Compilers write `(0, module.f)(x)` for `module.f(x)`, so that nothing is `this`. */
export function calledBy(callee: Expression): Expression {
  if (callee.kind !== "other" || callee.parts.length !== 2) return callee;
  const [first, last] = callee.parts;
  return first?.kind === "constant" && last !== undefined ? last : callee;
}
