import type { Mask } from "../category.ts";
import type { Polarity } from "../rules/guard.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { type Fact, made, type Proof, type Value } from "./value.ts";

/** The same about several variables. */
export const facts = (paths: readonly string[], safe: Mask): Fact[] =>
  safe === 0 ? [] : paths.map((path) => ({ path, safe }));

/** What a check shows about variables, by its answer. */
export const proof = (paths: readonly string[], { yes, no }: Polarity): Proof => ({
  yes: facts(paths, yes),
  no: facts(paths, no),
  always: [],
});

/** A check whose answer is acted on one way or the other. */
export const both = (mask: Mask): Polarity => ({ yes: mask, no: mask });

/** Marks what was shown, also on variables that were computed from the checked one or gave it. */
export function applyFacts(shown: readonly Fact[], scope: Scope, machine: Interpreter): void {
  for (const { path, safe } of shown) {
    const value = scope.get(path) ?? memberValue(path, scope, machine);
    if (value === undefined) continue;
    scope.set(path, made(value, safe));
    for (const [name, related] of relatives(path, value, scope))
      scope.set(name, made(related, safe));
  }
}

function relatives(path: string, value: Value, scope: Scope): [string, Value][] {
  const given = new Set(value.from ?? []);
  return [...scope.visible()].filter(([name, other]) => {
    const isRelated = given.has(name) || other.from?.includes(path);
    return isRelated && name !== path && other.flows.length > 0;
  });
}

/** A member or element that has no entry of its own yet takes what its object has. */
function memberValue(path: string, scope: Scope, machine: Interpreter): Value | undefined {
  if (/^(?:this|self)\./.test(path)) return machine.fields.get(path.slice(path.indexOf(".") + 1));
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  if (cut <= 0) return undefined;
  const object = scope.get(path.slice(0, cut)) ?? memberValue(path.slice(0, cut), scope, machine);
  return object === undefined ? undefined : { flows: object.flows };
}
