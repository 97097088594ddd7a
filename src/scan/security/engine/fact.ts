import { type Mask, maskOf, OWN_PROPERTY, PLAIN_OBJECT } from "../category.ts";
import type { Polarity } from "../rules/guard.ts";
import { fieldOf } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import { memberOf } from "./member.ts";
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
  markAddress(path, safe, scope);
  for (const [name, related] of relatives(path, value, scope)) scope.set(name, made(related, safe));
}

/** What was taken from a property before the property was found to be an own one. */
function clearCopies(path: string, safe: Mask, scope: Scope): void {
  if ((safe & OWN_PROPERTY) === 0) return;
  for (const [name, copy] of [...scope.visible()])
    if (name !== path && copy.from?.includes(path))
      scope.set(name, { ...copy, flows: contained(copy.flows) });
}

/** An address whose host was checked leads nowhere else. */
function markAddress(path: string, safe: Mask, scope: Scope): void {
  const address = /^(.+)\.(?:host|hostname|origin)$/.exec(path)?.[1] ?? "";
  const whole = scope.get(address);
  if (whole !== undefined) scope.set(address, made(whole, safe & maskOf("ssrf", "open-redirect")));
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
  const field = fieldOf(path);
  if (field !== undefined && machine.fields.has(field)) return machine.fields.get(field);
  const cut = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  if (cut <= 0) return undefined;
  const holder = path.slice(0, cut);
  const object = scope.get(holder) ?? memberValue(holder, scope, machine);
  if (object === undefined) return undefined;
  const at = object.flows[0]?.origin.at;
  if (path[cut] !== "." || at === undefined) return { flows: object.flows };
  const named = { ...object, from: [...(object.from ?? []).slice(-3), holder] };
  const { flows } = memberOf(named, path.slice(cut + 1), at, machine);
  return { flows };
}

/** Gives members that a condition is about an entry of their own before the ways part. */
export function settleMembers(shown: readonly Fact[], scope: Scope, machine: Interpreter): void {
  for (const { path } of shown) {
    if (scope.get(path) !== undefined) continue;
    const value = memberValue(path, scope, machine);
    if (value !== undefined && value.flows.length > 0) scope.set(path, value);
  }
}
