import { isSafeFor, maskOf, PLAIN_OBJECT } from "../category.ts";
import type { Expression, Place } from "../program.ts";
import { RULES } from "../rules/index.ts";
import { sourceOfName } from "../rules/source.ts";
import { accessPath, fieldOf } from "./access-path.ts";
import { evaluateCall } from "./call.ts";
import { proofOf } from "./check.ts";
import { reportBuilding } from "./filling.ts";
import type { Interpreter } from "./interpreter.ts";
import { reportJoined } from "./joined.ts";
import { evaluateMember } from "./member.ts";
import { evaluateParts } from "./parts.ts";
import type { Scope } from "./scope.ts";
import {
  checked,
  either,
  type Flow,
  flowing,
  from,
  HELD,
  heldFlows,
  joinParts,
  made,
  mergeFlows,
  takenOut,
  textValue,
  UNKNOWN,
  type Value,
  withFlows,
} from "./value.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;
const POLLUTION = maskOf("prototype-pollution");
const WORDS_MAX = 200;

/** The value of an expression; what it assigns, calls and defines on the way takes effect. */
export function evaluate(expression: Expression, scope: Scope, machine: Interpreter): Value {
  switch (expression.kind) {
    case "text":
      return textValue(expression.value);
    case "constant":
      return textValue(expression.value);
    case "pattern": {
      const { source, flags, at } = expression;
      const pattern = { source, flags, at };
      machine.notePattern(pattern);
      return { flows: [], pattern };
    }
    case "name":
      return evaluateName(expression, scope);
    case "member":
      return evaluateMember(expression, undefined, scope, machine);
    case "element":
      return evaluateElement(expression, scope, machine);
    case "call":
      return evaluateCall(expression, scope, machine);
    case "joined":
      return evaluateJoined(expression, scope, machine);
    case "either":
      return evaluateEither(expression, scope, machine);
    case "assign":
      return evaluateAssign(expression, scope, machine);
    case "list":
      return evaluateList(expression, scope, machine);
    case "record":
      return evaluateRecord(expression, scope, machine);
    case "function":
      machine.enter(expression.definition, scope);
      return { flows: [], definition: expression.definition };
    case "class":
      return evaluateClass(expression, scope, machine);
    case "spread":
      return machine.evaluate(expression.value, scope);
    case "comprehension":
      return evaluateComprehension(expression, scope, machine);
    default:
      return evaluateParts(expression, scope, machine);
  }
}

function evaluateJoined(expression: Of<"joined">, scope: Scope, machine: Interpreter): Value {
  const value = joinParts(expression.parts.map((part) => machine.evaluate(part, scope)));
  reportJoined(value, expression.at, machine);
  return value;
}

/** Parts of the language; what has their name is them, also as `(function (Math) {…})(Math)`. */
const GLOBAL = /^(?:Math|JSON|Object|Reflect|RegExp)$/;

function evaluateName({ name, at }: Of<"name">, scope: Scope): Value {
  const known = GLOBAL.test(name) ? undefined : scope.get(name);
  if (known !== undefined) return { ...known, from: [...(known.from ?? []).slice(-3), name] };
  const source = sourceOfName(name, at);
  return source === undefined ? { flows: [], api: name } : { flows: [from(source)], api: name };
}

/**
 * A lookup by key gives what the table holds, not the key. But with a key from outside it can give
 * a prototype, which matters when the result is written to.
 */
function evaluateElement(expression: Of<"element">, scope: Scope, machine: Interpreter): Value {
  const path = accessPath(expression);
  const known = path === undefined ? undefined : scope.get(path);
  const object = machine.evaluate(expression.object, scope);
  const index = machine.evaluate(expression.index, scope);
  const held =
    expression.index.kind === "constant" ? object.members?.get(expression.index.value) : undefined;
  const found = known ?? held ?? { flows: takenOut(object.flows), ...heldFunction(object) };
  const isOwn = object.bare || found.own || isListed(index, expression);
  const reach = isOwn ? [] : reachBy(index, object, found, expression.at);
  return {
    ...found,
    ...(object.words ? { text: object.words[0] ?? "" } : {}),
    ...(object.bare ? { bare: true } : {}),
    ...(object.rooted && index.text === "0" ? { rooted: true } : {}),
    flows: mergeFlows(found.flows, reach),
    from: [...(object.from ?? []).slice(-2), ...(path === undefined ? [] : [path])],
  };
}

/** A function that is chosen from a table by key: one of them stands for all. */
function heldFunction({ members }: Value): Pick<Value, "definition"> {
  for (const { definition } of members?.values() ?? [])
    if (definition !== undefined) return { definition };
  return {};
}

/** `for (key in object) object[key]` gives what the object holds. */
const isListed = ({ keyOf }: Value, { object }: Of<"element">): boolean =>
  keyOf !== undefined && keyOf === accessPath(object);

function reachBy(index: Value, object: Value, found: Value, at: Place): readonly Flow[] {
  const key = index.flows.filter((flow) => !isSafeFor(flow.safe, POLLUTION));
  if (key.length === 0 || key.every((flow) => flow.origin.kind === "reach")) return [];
  const deep = object.flows.some(({ shape }) => (shape & HELD) === 0);
  const reach = from({ kind: "reach", key, deep, at });
  return [found.plain ? { ...reach, safe: PLAIN_OBJECT } : reach];
}

function evaluateEither(expression: Of<"either">, scope: Scope, machine: Interpreter): Value {
  const { test, how, options } = expression;
  const proof = test === undefined ? undefined : proofOf(test, scope, machine);
  if (test !== undefined) machine.evaluate(test, scope);
  const values: Value[] = [];
  const branch = scope.fork();
  options.forEach((option, at) => {
    if (proof !== undefined) {
      const side = scope.fork();
      applyTo(side, at === 0 ? proof.yes : proof.no, machine);
      values.push(machine.evaluate(option, side));
      return;
    }
    values.push(machine.evaluate(option, branch));
    const shown = proofOf(option, branch, machine);
    applyTo(branch, how === "and" ? shown.yes : shown.no, machine);
  });
  scope.joinExit(branch);
  const last = values.at(-1) ?? UNKNOWN;
  if (how === "and") return last;
  return values.reduce((a, b) => either(a, b));
}

function applyTo(
  scope: Scope,
  facts: readonly { path: string; safe: number }[],
  machine: Interpreter,
) {
  for (const { path, safe } of facts) {
    const value = scope.get(path);
    if ((safe & PLAIN_OBJECT) !== 0) scope.set(path, checked(value ?? UNKNOWN, safe));
    else if (value !== undefined) scope.set(path, made(value, safe));
    else {
      const field = machine.fields.get(fieldOf(path) ?? "");
      if (field !== undefined) scope.set(path, made(field, safe));
    }
  }
}

function evaluateAssign(expression: Of<"assign">, scope: Scope, machine: Interpreter): Value {
  const { target, adds, declares } = expression;
  const around = machine.around;
  const named = accessPath(target);
  if (named !== undefined) machine.around = `${around} ${named}`.slice(-200);
  const given = machine.evaluate(expression.value, scope);
  reportBuilding(expression, scope, machine);
  machine.around = around;
  const proof = proofOf(expression.value, scope, machine);
  const shows = proof.yes.length + proof.no.length + proof.always.length > 0;
  const value = adds ? joinParts([machine.evaluate(target, scope), given]) : given;
  machine.assign(target, shows ? { ...value, proves: proof } : value, scope, declares);
  return value;
}

function evaluateList(expression: Of<"list">, scope: Scope, machine: Interpreter): Value {
  const values = expression.items.map((item) => machine.evaluate(item, scope));
  const words = values.flatMap(
    ({ text, words: inner }) => inner ?? (text === undefined ? [] : [text]),
  );
  const flows = values.reduce<readonly Flow[]>(
    (all, value) => mergeFlows(all, heldFlows(value.flows)),
    [],
  );
  const members = new Map(values.slice(0, 20).map((value, at) => [String(at), value]));
  return {
    flows,
    members,
    literal: false,
    ...(words.length > 0 ? { words: words.slice(0, WORDS_MAX) } : {}),
  };
}

function evaluateRecord(expression: Of<"record">, scope: Scope, machine: Interpreter): Value {
  const members = new Map<string, Value>();
  let flows: readonly Flow[] = [];
  for (const { key, computed, value: written } of expression.entries) {
    if (computed !== undefined) machine.evaluate(computed, scope);
    const value = machine.evaluate(written, scope);
    flows = mergeFlows(flows, heldFlows(value.flows));
    if (key === undefined) for (const [name, one] of value.members ?? []) members.set(name, one);
    else {
      members.set(key, value);
      holdMember(key, written.at, value, machine);
    }
  }
  const isBare = members.get("__proto__")?.text === "null";
  const kind = isBare ? { bare: true } : { literal: true };
  return { flows, members, words: [...members.keys()], ...kind };
}

/** A function in a record can be called by whoever holds the record. */
function holdMember(key: string, at: Place, value: Value, machine: Interpreter): void {
  reportProperty(key, key, at, value, machine);
  if (value.definition === undefined) return;
  machine.addMethod(key, value.definition);
  machine.publish(value);
}

/** Some properties do harm with any value they get, in a record as well as by assignment. */
export function reportProperty(
  property: string,
  path: string,
  at: Place,
  value: Value,
  machine: Interpreter,
): void {
  if (value.flows.length === 0) return;
  for (const rule of RULES)
    if (rule.properties?.includes(property) || rule.assigned?.test(path))
      machine.report({ rule, at, what: property, value });
}

function evaluateClass(expression: Of<"class">, scope: Scope, machine: Interpreter): Value {
  const members = new Map<string, Value>();
  for (const { name, value: written } of expression.members) {
    const value = machine.evaluate(written, scope);
    members.set(name, value);
    if (value.definition === undefined) machine.fields.set(name, value);
    else machine.addMethod(name, value.definition);
  }
  const value: Value = { flows: [], members };
  machine.publish(value);
  return value;
}

function evaluateComprehension(
  expression: Of<"comprehension">,
  scope: Scope,
  machine: Interpreter,
): Value {
  const inner = scope.fork();
  const over = machine.evaluate(expression.over, scope);
  machine.assign(
    expression.target,
    { ...flowing(...over.flows), from: over.from ?? [] },
    inner,
    true,
  );
  for (const test of expression.tests) applyTo(inner, proofOf(test, inner, machine).yes, machine);
  return withFlows(machine.evaluate(expression.body, inner), (flow) => flow);
}
