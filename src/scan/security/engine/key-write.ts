import type { Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import { PROTOTYPE_POLLUTION } from "../rules/prototype-pollution.ts";
import type { Interpreter } from "./interpreter.ts";

/** Calls that give an object a property by a key: `Object.defineProperty(target, key, …)`. */
const BY_KEY =
  /^(?:_*define_?-?prop(?:erty)?|_*(?:base)?assign(?:Merge)?Value|Reflect\.(?:set|defineProperty)|Object\.defineProperty)$/i;

/** Calls that copy all properties of the others to the first: `Object.assign(target, source)`. */
const COPYING =
  /^(?:Object\.assign|_*(?:extend|assign|merge|mixin)(?:Deep|In)?|(?:lodash|_)\.\w+)$/;

/** Reports a call that writes to an object which was itself reached by a key from outside. */
export function reportKeyWrite(call: Call, { at }: Expression, machine: Interpreter): void {
  const [base, second] = call.args;
  if (base === undefined || second === undefined || call.isLocal) return;
  const isByKey = BY_KEY.test(call.api) || BY_KEY.test(call.name);
  if (!isByKey && !COPYING.test(call.api)) return;
  const given = isByKey ? [second] : call.args.slice(1);
  for (const value of given)
    if (value.flows.length > 0)
      machine.report({ rule: PROTOTYPE_POLLUTION, at, what: call.name, value, base });
}
