import { maskOf, NO_CONSTRUCTOR_KEY, NO_PROTO_KEY, SAFE, SAFE_BUT_LONG } from "../category.ts";
import type { Expression } from "../program.ts";
import {
  ASSERTING_NAME,
  containsMask,
  listCheck,
  otherTypeMask,
  typeMask,
} from "../rules/guard.ts";
import { accessPath, subjects } from "./access-path.ts";
import { PREFIX_MASK, proofOfCall } from "./check-call.ts";
import { both, facts, proof } from "./fact.ts";
import type { Interpreter } from "./interpreter.ts";
import { lengthProof, measuredBy } from "./length.ts";
import { predicateMasks } from "./predicate.ts";
import type { Scope } from "./scope.ts";
import { type Fact, NO_PROOF, type Proof, UNKNOWN } from "./value.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** What a condition shows about the variables in it. */
export function proofOf(test: Expression, scope: Scope, machine: Interpreter): Proof {
  switch (test.kind) {
    case "not":
      return negated(proofOf(test.value, scope, machine));
    case "either":
      return test.how === "pick" ? NO_PROOF : proofOfChoice(test, scope, machine);
    case "compare":
      return proofOfComparison(test, scope, machine);
    case "call":
      return proofOfCall(test, scope, machine);
    case "name":
      return scope.get(test.name)?.proves ?? emptinessOf(test);
    case "member":
      return keptProof(test, scope, machine) ?? emptinessOf(test);
    case "arithmetic":
      return positionProof(test, scope, machine);
    case "element":
      return proofOfLookup(test, scope, machine) ?? NO_PROOF;
    case "assign":
      return proofOf(test.value, scope, machine);
    case "other":
      return test.parts.length === 1 && test.parts[0]
        ? proofOf(test.parts[0], scope, machine)
        : NO_PROOF;
    default:
      return NO_PROOF;
  }
}

/** `list.filter(isBad).length` asks the same as `list.some(isBad)`. */
function keptProof(side: Expression, scope: Scope, machine: Interpreter): Proof | undefined {
  const list = measuredBy(side);
  if (list?.kind !== "call" || list.callee.kind !== "member") return undefined;
  return list.callee.property === "filter" ? proofOfCall(list, scope, machine) : undefined;
}

/** `~list.indexOf(key)` is a question; other sums show nothing. */
function positionProof({ parts }: Of<"arithmetic">, scope: Scope, machine: Interpreter): Proof {
  const [only] = parts;
  if (parts.length !== 1 || only?.kind !== "call") return NO_PROOF;
  const { yes, no, always } = proofOfCall(only, scope, machine);
  return { yes: [...yes, ...no], no: [...yes, ...no], always };
}

const POLLUTION = maskOf("prototype-pollution");

/** `DENIED[key]` and `Object.prototype[key]` answer whether the key is a dangerous one. */
function proofOfLookup(
  { object, index }: Of<"element">,
  scope: Scope,
  machine: Interpreter,
): Proof | undefined {
  if (accessPath(object) === "Object.prototype") return proof(subjects(index), both(POLLUTION));
  const { words, literal } = machine.evaluate(object, scope);
  const excluded = words?.reduce((mask, word) => mask | containsMask(word), 0) ?? 0;
  if (excluded !== 0) return proof(subjects(index), both(excluded));
  // What stands in a table that is written here is one of the words that are written there.
  const isAllowed = literal && words !== undefined && words.length > 0;
  return isAllowed ? proof(subjects(index), { yes: SAFE_BUT_LONG & ~POLLUTION, no: 0 }) : undefined;
}

/** What is empty, zero or missing does no harm: `if (name && !isName(name)) throw`. */
function emptinessOf(test: Expression): Proof {
  const path = accessPath(test);
  return path === undefined ? NO_PROOF : { ...NO_PROOF, no: [{ path, safe: SAFE, alone: true }] };
}

const negated = ({ yes, no, always }: Proof): Proof => ({ yes: no, no: yes, always });

/** With "and" all parts hold when it holds; with "or" none holds when it does not. */
function proofOfChoice({ how, options }: Of<"either">, scope: Scope, machine: Interpreter): Proof {
  const proofs = options.map((option) => proofOf(option, scope, machine));
  const yes = proofs.map((proof) => proof.yes);
  const no = proofs.map((proof) => proof.no);
  const always = proofs[0]?.always ?? [];
  // Only the first part is asked in any case.
  if (how === "and") return { yes: yes.flat(), no: [...common(no), ...refusals(no)], always };
  return { yes: common(yes), no: no.flat(), always };
}

/**
 * Whoever looks for `__proto__` among other conditions means to refuse it, whatever else has to be
 * the case: `if (isObject(x) && key === "__proto__") throw`.
 */
const refusals = (lists: readonly (readonly Fact[])[]): Fact[] =>
  lists.flat().flatMap(({ path, safe }) => facts([path], safe & REFUSED_KEYS));

const REFUSED_KEYS = NO_PROTO_KEY | NO_CONSTRUCTOR_KEY;

/** What all alternatives show. */
function common(lists: readonly (readonly Fact[])[]): Fact[] {
  const [first, ...rest] = lists;
  return (first ?? []).flatMap(({ path, safe, alone }) => {
    const others = rest.map((facts) =>
      facts.filter((fact) => fact.path === path).reduce((mask, fact) => mask | fact.safe, 0),
    );
    const mask = others.reduce((all, one) => all & one, safe);
    return mask === 0 ? [] : [{ path, safe: mask, ...(alone ? { alone } : {}) }];
  });
}

function proofOfComparison(test: Of<"compare">, scope: Scope, machine: Interpreter): Proof {
  const { how, left, right } = test;
  if (how === "in") return proofOfMembership(test, scope, machine);
  if (how === "instanceof") return NO_PROOF;
  const measured =
    keptProof(left, scope, machine) ?? keptProof(right, scope, machine) ?? lengthProof(test);
  if (measured !== undefined) return measured;
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const found = side.kind === "element" ? proofOfLookup(side, scope, machine) : undefined;
    const shown = found ?? proofOfEquality(side, other, how, scope, machine);
    if (shown !== undefined) return shown;
  }
  return NO_PROOF;
}

/** `key === "__proto__"`, `p.indexOf("..") !== -1`, `typeof x === "number"`, `basename(x) === x`. */
function proofOfEquality(
  side: Expression,
  other: Expression,
  how: string,
  scope: Scope,
  machine: Interpreter,
): Proof | undefined {
  const turn = (shown: Proof) => (how === "!=" ? negated(shown) : shown);
  if (side.kind === "typeof" && other.kind === "text")
    return turn(
      proof(subjects(side.value), { yes: typeMask(other.value), no: otherTypeMask(other.value) }),
    );
  if (side.kind === "call") return callCompared(side, other, how, turn, scope, machine);
  const path = accessPath(side);
  if (path === undefined || !/^[!=]=$/.test(how)) return undefined;
  if (isHost(side) && isHost(other)) return turn(hostsCompared(side, other));
  const constant = constantOf(other, scope);
  if (constant !== undefined) {
    const isEmpty = /^(?:undefined|null|None|true|false|)$/.test(constant);
    if (isEmpty) return NO_PROOF;
    return turn(proof([path], { yes: SAFE_BUT_LONG, no: containsMask(constant) }));
  }
  return turn(comparedWithVariable(path, other, scope, machine));
}

/** The part of an address that says whose it is. */
const isHost = (side: Expression): side is Of<"member"> =>
  side.kind === "member" && /^(?:origin|host|hostname)$/.test(side.property);
const hostsCompared = (a: Of<"member">, b: Of<"member">): Proof =>
  proof([...subjects(a.object), ...subjects(b.object)], {
    yes: maskOf("ssrf", "open-redirect"),
    no: 0,
  });
/** What is written out, here or where the variable was declared. */
function constantOf(expression: Expression, scope: Scope): string | undefined {
  if (expression.kind === "text" || expression.kind === "constant") return expression.value;
  if (expression.kind !== "name") return undefined;
  const { text, flows, short } = scope.get(expression.name) ?? UNKNOWN;
  return short && flows.length === 0 ? text : undefined;
}

function comparedWithVariable(
  path: string,
  other: Expression,
  scope: Scope,
  machine: Interpreter,
): Proof {
  const spelled = accessPath(other) ?? "";
  if (/^Object\.prototype$|\.prototype$|__proto__$/.test(spelled) || /__proto__$/.test(path)) {
    const mask = maskOf("prototype-pollution");
    const keys = [path, ...path.split(/[[\]]/).filter(Boolean)];
    return proof(keys, { yes: mask, no: mask });
  }
  const value = machine.evaluate(other, scope);
  if (value.flows.length === 0) return proof([path], { yes: SAFE_BUT_LONG, no: 0 });
  const own = scope.get(path)?.flows ?? [];
  const isSame = own.some(({ origin }) => value.flows.some((one) => one.origin === origin));
  // What is the folder itself does not lead out of it, whoever chose the folder.
  return isSame ? NO_PROOF : proof([path], { yes: PREFIX_MASK, no: 0 });
}

/** Asking whether something stands anywhere in a text, other than at its start. */
function isPosition({ args }: Of<"call">, other: Expression, how: string): boolean {
  const isConstant = args[0]?.kind === "text" || args[0]?.kind === "pattern";
  return !isConstant && (other.kind === "arithmetic" || !/^[!=]=$/.test(how));
}

function positionCompared({ yes, no, always }: Proof, isAnywhere: boolean): Proof {
  const shown = [...yes, ...no].filter(({ safe }) => !(isAnywhere && safe === PREFIX_MASK));
  return { yes: shown, no: shown, always };
}

const CUTS = /^(?:substr|substring|slice)$/;
/** Forms of a path that are compared with another path. */
const COMPARABLE =
  /^(?:basename|normalize|resolve|relative|realpath|realpathSync|commonpath|commonprefix)$/;

/** A call whose result is compared: a position, a normal form, a prefix. */
function callCompared(
  side: Of<"call">,
  other: Expression,
  how: string,
  turn: (shown: Proof) => Proof,
  scope: Scope,
  machine: Interpreter,
): Proof | undefined {
  const name =
    side.callee.kind === "member" ? side.callee.property : (accessPath(side.callee) ?? "");
  if (/^(?:indexOf|lastIndexOf|search|find)$/.test(name))
    return positionCompared(proofOfCall(side, scope, machine), isPosition(side, other, how));
  // Without a match there is nothing.
  const isNothing = other.kind === "constant" && /^(?:null|undefined)$/.test(other.value);
  if (isNothing && /^(?:match|exec)$/.test(name))
    return turn(negated(proofOfCall(side, scope, machine)));
  return formCompared(name, side, other, turn);
}

/** A form of a text that is compared with another text. */
function formCompared(
  name: string,
  side: Expression,
  other: Expression,
  turn: (shown: Proof) => Proof,
): Proof | undefined {
  const paths = subjects(side);
  // The first character of a path says nothing of where the rest leads.
  const isFirst = other.kind === "text" && CUTS.test(name);
  if (!isFirst && (CUTS.test(name) || COMPARABLE.test(name)))
    return proof([...paths, ...subjects(other)], both(PREFIX_MASK));
  const tellsType = /^toString$|^call$/.test(name);
  if (other.kind !== "text") return tellsType ? NO_PROOF : undefined;
  if (tellsType) return turn(proof(paths, { yes: typeMask(other.value), no: 0 }));
  const isSame = /^(?:String|to(?:Lower|Upper)Case|trim|lower|upper|strip)$/.test(name);
  const yes = isSame ? SAFE_BUT_LONG : 0;
  return turn(proof(paths, { yes, no: containsMask(other.value) }));
}

function proofOfMembership(
  { left, right }: Of<"compare">,
  scope: Scope,
  machine: Interpreter,
): Proof {
  if (left.kind === "text") return proof(subjects(right), both(containsMask(left.value)));
  if (accessPath(right) === "Object.prototype") return proof(subjects(left), both(POLLUTION));
  const table = machine.evaluate(right, scope);
  if (table.words === undefined || table.words.length === 0) return NO_PROOF;
  return proof(subjects(left), listCheck(table));
}

/** What a call shows that throws unless its arguments are fine. */
export function assertedBy(call: Of<"call">, scope: Scope, machine: Interpreter): Fact[] {
  const name =
    call.callee.kind === "member" ? call.callee.property : (accessPath(call.callee) ?? "");
  const { definition } = machine.evaluate(call.callee, scope);
  const method = definition ?? machine.methodNamed(name);
  if (method === undefined) return assertedByName(name, call, scope, machine);
  const masks = predicateMasks(method, scope, machine, true);
  return call.args.flatMap((argument, at) => facts(subjects(argument), masks[at] ?? 0));
}

/** A function of another file is taken at its name. */
function assertedByName(
  name: string,
  call: Of<"call">,
  scope: Scope,
  machine: Interpreter,
): Fact[] {
  const [first] = call.args;
  if (first && /^(?:assert|ok|invariant)$/.test(name))
    return [...proofOf(first, scope, machine).yes];
  if (!ASSERTING_NAME.test(name)) return [];
  const paths = call.args.flatMap((one) => subjects(one));
  return facts(paths, SAFE_BUT_LONG);
}
