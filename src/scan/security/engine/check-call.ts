import { maskOf, OWN_PROPERTY, PLAIN_OBJECT, SAFE, SAFE_BUT_LONG } from "../category.ts";
import { type Definition, type Expression, parameterName } from "../program.ts";
import { answerOf, containsMask, listCheck, type Polarity, patternCheck } from "../rules/guard.ts";
import { accessPath, subjects } from "./access-path.ts";
import { allowedBy, answerOf as answerOfBody } from "./answer.ts";
import { both, facts, proof } from "./fact.ts";
import type { Interpreter } from "./interpreter.ts";
import { predicateMasks } from "./predicate.ts";
import type { Scope } from "./scope.ts";
import { NO_PROOF, type Proof, type Value } from "./value.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** What a text that starts like another one is safe for. */
export const PREFIX_MASK = maskOf("path-traversal", "ssrf", "open-redirect");

const OWN = /^(?:hasOwnProperty|hasOwn|has|hasOwnProp|own|hop)$/;
const CONTAINS =
  /^(?:includes|indexOf|contains|startsWith|endsWith|startswith|endswith|has|lastIndexOf|search|find|is_relative_to|relative_to)$/;
const MATCHES = /^(?:test|exec|match|fullmatch|search|matches)$/;

/** A check that is made by a call: of the language, of this file, or of another one by its name. */
export function proofOfCall(test: Of<"call">, scope: Scope, machine: Interpreter): Proof {
  const { callee, args } = test;
  const name = callee.kind === "member" ? callee.property : (accessPath(callee) ?? "");
  const object = callee.kind === "member" ? callee.object : undefined;
  const own = ownCheck(test, name, object, scope, machine);
  if (own !== undefined) return own;
  const matched =
    MATCHES.test(name) && object ? matchProof(name, object, args, scope, machine) : undefined;
  if (matched !== undefined) return matched;
  if (CONTAINS.test(name) && object && args[0] && args[0].kind !== "function")
    return containsProof(name, object, args[0], scope, machine);
  if (/^(?:some|every|find|filter|any|all)$/.test(name))
    return proofByCallback(object, args, scope, machine);
  return proofByFunction(test, name, scope, machine);
}

function matchProof(
  name: string,
  object: Expression,
  args: readonly Expression[],
  scope: Scope,
  machine: Interpreter,
): Proof | undefined {
  const receiver = machine.evaluate(object, scope);
  const isPattern = receiver.pattern !== undefined || name === "test" || name === "exec";
  const given = args[0];
  if (given === undefined) return undefined;
  const first = machine.evaluate(given, scope);
  if (receiver.api === "re" && args[1]) {
    const source = first.pattern?.source ?? first.text;
    return proof(subjects(args[1]), patternCheck(source, name));
  }
  if (isPattern) return proof(subjects(given), patternCheck(receiver.pattern?.source, name));
  if (first.pattern === undefined && receiver.flows.length === 0) return undefined;
  return proof(subjects(object), patternCheck(first.pattern?.source ?? first.text, name));
}

function containsProof(
  name: string,
  object: Expression,
  given: Expression,
  scope: Scope,
  machine: Interpreter,
): Proof {
  const owner = ownerOfKeys(object);
  if (owner !== undefined) return ownProof(owner, given, scope, machine);
  const table = machine.evaluate(object, scope);
  const item = machine.evaluate(given, scope);
  if (item.text !== undefined && !item.text.includes("\u0000"))
    return proof(subjects(object), both(containsMask(item.text)));
  const isPrefix = /^(?:startsWith|startswith|indexOf|is_relative_to|relative_to)$/.test(name);
  const isTable = table.words !== undefined || table.flows.length === 0;
  if (isTable && item.flows.length > 0 && !isComputedPath(table))
    return proof(subjects(given), listCheck(table));
  if (isPrefix) return proof(subjects(object), both(PREFIX_MASK));
  return NO_PROOF;
}

const isComputedPath = (table: Value) => table.text !== undefined;

/**
 * Whether an object has a key of its own keeps a lookup from reaching a prototype. Asking the
 * object that the keys come from shows nothing: parsed JSON can have `__proto__` as its own key.
 */
function ownCheck(
  { args, callee }: Of<"call">,
  name: string,
  object: Expression | undefined,
  scope: Scope,
  machine: Interpreter,
): Proof | undefined {
  const spelled = accessPath(callee) ?? "";
  const viaCall = name === "call" && /hasown|own/i.test(spelled);
  if (!viaCall && !OWN.test(name)) return undefined;
  const [table, key] = viaCall || args.length >= 2 ? [args[0], args[1]] : [object, args[0]];
  if (table === undefined || key === undefined) return undefined;
  const holder = machine.evaluate(table, scope);
  if (name === "has" && (holder.bare || holder.words !== undefined)) return undefined;
  return ownProof(table, key, scope, machine);
}

/** The object whose own keys are listed here: `Object.keys(table)`. */
function ownerOfKeys(list: Expression): Expression | undefined {
  if (list.kind !== "call") return undefined;
  const name = accessPath(list.callee) ?? "";
  return /^(?:Object\.(?:keys|getOwnPropertyNames)|Reflect\.ownKeys)$/.test(name)
    ? list.args[0]
    : undefined;
}

function ownProof(table: Expression, key: Expression, scope: Scope, machine: Interpreter): Proof {
  const holder = machine.evaluate(table, scope);
  const flows = machine.evaluate(key, scope).flows;
  const isSame = flows.some(({ origin }) =>
    holder.flows.some((one) => one.origin === origin || sameParameter(one.origin, origin)),
  );
  if (isSame) return NO_PROOF;
  const mask = maskOf("prototype-pollution");
  const shown = facts(subjects(key), mask);
  const [owner, name] = [accessPath(table), accessPath(key)];
  const own = owner && name ? facts([`${owner}[${name}]`], OWN_PROPERTY) : [];
  return { yes: [...shown, ...own], no: [], always: [] };
}

const sameParameter = (a: Value["flows"][number]["origin"], b: Value["flows"][number]["origin"]) =>
  a.kind === "parameter" && b.kind === "parameter" && a.of === b.of && a.index === b.index;

/** `keys.some((key) => key === "__proto__")` is a check of all keys. */
function proofByCallback(
  object: Expression | undefined,
  args: readonly Expression[],
  scope: Scope,
  machine: Interpreter,
): Proof {
  const [callback] = args;
  if (callback === undefined || object === undefined) return NO_PROOF;
  const definition =
    callback.kind === "function"
      ? callback.definition
      : machine.evaluate(callback, scope).definition;
  if (definition === undefined) return NO_PROOF;
  const mask = predicateMasks(definition, scope, machine)[0] ?? 0;
  const { words } = machine.evaluate(object, scope);
  const excluded = words === undefined ? 0 : listCheck({ flows: [], words }).no;
  return proof(
    [...subjects(object), ...(excluded === 0 ? [] : comparedIn(definition))],
    both(mask | excluded),
  );
}

/** What a callback compares its parameter with: `DENIED.some((one) => one === key)`. */
function comparedIn({ parameters, body }: Definition): string[] {
  const [parameter] = parameters;
  const [only] = body;
  if (parameter === undefined || only?.kind !== "return") return [];
  const name = parameterName(parameter);
  const { value } = only;
  const sides = value?.kind === "compare" ? [value.left, value.right] : value ? [value] : [];
  return sides.flatMap((side) => subjects(side)).filter((one) => one !== name);
}

/** What is a number, or made of digits and letters, does no harm; what is not a number is unchecked. */
function numberPolarity(name: string): Polarity | undefined {
  if (name === "isNaN") return { yes: 0, no: SAFE };
  const isAsked =
    /^(?:isFinite|isInteger|isSafeInteger|isdigit|isalnum|isnumeric|isdecimal|isidentifier)$/.test(
      name,
    );
  return isAsked ? { yes: SAFE, no: 0 } : undefined;
}

/** `new Date(x).getTime()` is a number only for a text that is a date. */
const isDateParsing = (callee: Expression): boolean =>
  callee.kind === "member" &&
  /^(?:getTime|valueOf)$/.test(callee.property) &&
  callee.object.kind === "call" &&
  accessPath(callee.object.callee) === "Date";

function proofByFunction(
  test: Of<"call">,
  name: string,
  scope: Scope,
  machine: Interpreter,
): Proof {
  const { callee, args } = test;
  const number = numberPolarity(name);
  if (number !== undefined)
    return proof(subjects(args[0] ?? (callee.kind === "member" ? callee.object : test)), number);
  if (isDateParsing(callee)) return proof(subjects(callee), { yes: SAFE_BUT_LONG, no: 0 });
  const target = machine.evaluate(callee, scope);
  const definition =
    target.definition ?? (callee.kind === "member" ? machine.methodNamed(name) : undefined);
  if (definition !== undefined) {
    const masks = predicateMasks(definition, scope, machine);
    const offset =
      definition.parameters[0]?.target.kind === "name" &&
      definition.parameters[0].target.name === "self"
        ? 1
        : 0;
    const answer = answerOfBody(definition, scope, machine);
    const shown = (side: "yes" | "no") =>
      args.flatMap((argument, at) => {
        const mask = masks[at + offset] ?? 0;
        const told = answer === undefined ? mask : allowedBy(answer, side, at + offset);
        return facts(subjects(argument), mask & (told | PLAIN_OBJECT));
      });
    return { yes: shown("yes"), no: shown("no"), always: [] };
  }
  return proof(
    args.flatMap((argument) => subjects(argument)),
    answerOf(name),
  );
}
