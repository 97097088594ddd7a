import { type Mask, OWN_PROPERTY, PLAIN_OBJECT } from "../category.ts";
import type { Polarity } from "../rules/guard.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { checked, contained, type Fact, made, type Proof, UNKNOWN, type Value } from "./value.ts";

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

/** What holds of this very spelling and says nothing about what it was computed from. */
const OF_PATH = PLAIN_OBJECT | OWN_PROPERTY;

/** Marks what was shown, also on variables that were computed from the checked one or gave it. */
export function applyFacts(shown: readonly Fact[], scope: Scope, machine: Interpreter): void {
  for (const fact of shown) applyFact(fact, scope, machine);
}

function applyFact({ path, safe, alone }: Fact, scope: Scope, machine: Interpreter): void {
  const isOfPath = (safe & OF_PATH) !== 0;
  const known = scope.get(path) ?? memberValue(path, scope, machine);
  const value = known ?? (isOfPath ? UNKNOWN : undefined);
  if (value === undefined) return;
  scope.set(path, checked(value, safe));
  if (isOfPath) clearCopies(path, safe, scope);
  if (isOfPath || alone) return;
  for (const [name, related] of relatives(path, value, scope)) scope.set(name, made(related, safe));
}

/** What was taken from a property before the property was found to be an own one. */
function clearCopies(path: string, safe: Mask, scope: Scope): void {
  if ((safe & OWN_PROPERTY) === 0) return;
  for (const [name, copy] of [...scope.visible()])
    if (name !== path && copy.from?.includes(path))
      scope.set(name, { ...copy, flows: contained(copy.flows) });
}

/** What the checked value was computed from, also around this function, and what comes from it. */
function relatives(path: string, value: Value, scope: Scope): [string, Value][] {
  const list = LIST_OF.exec(path)?.[1];
  const given = new Set([...(value.from ?? []), ...(list === undefined ? [] : [list])]);
  const found = new Map<string, Value>();
  for (const name of given) {
    const source = scope.get(name);
    if (source !== undefined) found.set(name, source);
  }
  for (const [name, other] of scope.visible())
    if (other.from?.some((one) => one === path || one === list)) found.set(name, other);
  found.delete(path);
  return [...found].filter(([, other]) => other.flows.length > 0);
}

/** A check of `list[i]` in a loop is one of the whole list, other than one of `list[0]`. */
const LIST_OF = /^(.+)\[[A-Za-z_$][\w$.]*\]$/;

/** A member or element that has no entry of its own yet takes what its object has. */
function memberValue(path: string, scope: Scope, machine: Interpreter): Value | undefined {
  if (/^(?:this|self)\./.test(path)) return machine.fields.get(path.slice(path.indexOf(".") + 1));
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  if (cut <= 0) return undefined;
  const object = scope.get(path.slice(0, cut)) ?? memberValue(path.slice(0, cut), scope, machine);
  return object === undefined ? undefined : { flows: object.flows };
}
