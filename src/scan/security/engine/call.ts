import type { Mask } from "../category.ts";
import type { Expression } from "../program.ts";
import type { Call, Rule, Sink } from "../rule.ts";
import { cleaningMask } from "../rules/cleaner.ts";
import { CALL_RULES, RULES } from "../rules/index.ts";
import { moduleName } from "../rules/module.ts";
import { accessPath, fieldOf } from "./access-path.ts";
import { bindCallbacks } from "./callback.ts";
import { callOf } from "./called.ts";
import { noteHanded } from "./handed.ts";
import type { Interpreter } from "./interpreter.ts";
import { reportKeyWrite } from "./key-write.ts";
import { reportMatching } from "./match.ts";
import { evaluateMember } from "./member.ts";
import { predicateMasks } from "./predicate.ts";
import { resultOf } from "./result.ts";
import type { Scope } from "./scope.ts";
import { substituted } from "./substitute.ts";
import { worksOnText } from "./text-work.ts";
import { notePlain } from "./type-test.ts";
import { either, heldFlows, made, mergeFlows, UNKNOWN, type Value } from "./value.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** The value a call gives back; harmful calls are reported, local functions learn their arguments. */
export function evaluateCall(
  expression: CallExpression,
  scope: Scope,
  machine: Interpreter,
): Value {
  const { callee } = expression;
  const iterated = iteratedBy(callee);
  if (iterated !== undefined) return machine.evaluate(iterated, scope);
  const receiver = callee.kind === "member" ? machine.evaluate(callee.object, scope) : undefined;
  const target =
    callee.kind === "member"
      ? evaluateMember(callee, receiver, scope, machine)
      : machine.evaluate(callee, scope);
  const args = expression.args.map((argument) => machine.evaluate(argument, scope));
  const called = callOf(expression, target, receiver, args, machine);
  const { call } = called;
  if (call.api === "require" || call.api === "__import__") return required(call, machine);
  reportCall(call, expression, machine);
  reportMatching(call, expression, machine);
  reportKeyWrite(call, expression, machine);
  notePlain(call, scope);
  if (callee.kind === "member") adopt(callee.object, call, scope, machine);
  const local = called.local;
  noteHanded((passesOn(callee) ? receiver : target) ?? UNKNOWN, call.args, machine);
  bindCallbacks(call, local, expression.at, machine);
  const known = compilerResult(callee, args) ?? ownResult(called, target, expression, machine);
  return known ?? made(resultOf(call, expression, machine), keptBy(call, scope, machine));
}

/** What a function or class of this file gives back; undefined for those of others. */
function ownResult(
  { call, local }: ReturnType<typeof callOf>,
  target: Value,
  expression: CallExpression,
  machine: Interpreter,
): Value | undefined {
  const { fresh } = expression;
  if (local !== undefined && !fresh) return callLocal(local, call, expression, machine);
  if (local !== undefined) machine.stateOf(local).calls.push(alignArguments(local, call));
  return target.members !== undefined && fresh ? construct(target, call, machine) : undefined;
}

/** What the helpers give that compilers put into a file, whatever their own code looks like. */
function compilerResult(callee: Expression, args: readonly Value[]): Value | undefined {
  const name =
    callee.kind === "name" ? callee.name : callee.kind === "member" ? callee.property : "";
  if (INTEROP.test(name) || ITERATING.test(name)) return args[0] ?? UNKNOWN;
  if (!SPREADING.test(name)) return undefined;
  return args.reduce((all, value) => either(all, value), UNKNOWN);
}

/** What a filter of this file shows of the elements that it keeps. */
function keptBy({ method, args }: Call, scope: Scope, machine: Interpreter): Mask {
  const definition = method === "filter" ? args[0]?.definition : undefined;
  return definition === undefined ? 0 : (predicateMasks(definition, scope, machine)[0] ?? 0);
}

function required(call: Call, machine: Interpreter): Value {
  const name = call.args[0]?.text;
  if (name === undefined) return UNKNOWN;
  machine.noteModule(name);
  return { flows: [], api: moduleName(name) };
}

function reportCall(call: Call, { at }: Expression, machine: Interpreter): void {
  for (const rule of RULES)
    for (const sink of rule.sinks)
      if (isSink(sink, call)) reportSink(rule, sink, call, at, machine);
  for (const rule of CALL_RULES) {
    const priority = rule.judge(call);
    if (priority !== undefined) machine.reportPlain({ rule, at, priority, what: call.api });
  }
}

function isSink({ calls, methods, names }: Sink, call: Call): boolean {
  if (calls?.includes(call.api) || names?.test(call.name)) return true;
  return methods !== undefined && call.api.includes(".") && methods.includes(call.method);
}

function reportSink(
  rule: Rule,
  sink: Sink,
  call: Call,
  at: Expression["at"],
  machine: Interpreter,
) {
  const values = sink.args === undefined ? call.args : sink.args.map((index) => call.args[index]);
  for (const value of values) {
    if (value === undefined || value.flows.length === 0) continue;
    if (sink.when !== undefined && !sink.when(call, value)) continue;
    machine.report({ rule, at, what: spelled(call), value });
  }
}

const spelled = (call: Call) => call.api.replace(/^\?\./, "");

/** `list.push(x)` makes the list depend on x. */
const ADOPTING =
  /^(?:push|unshift|append|add|set|extend|insert|update|splice|write|resolve|fulfill)$/;

/** What is to become a promise, in the libraries that were used before there were promises. */
const DEFERRED = /^(?:d|dfd|defer|deferred|def)$/i;

function adopt(object: Expression, call: Call, scope: Scope, machine: Interpreter): void {
  const path = accessPath(object) ?? "";
  const field = fieldOf(path);
  if (!ADOPTING.test(call.method) || (object.kind !== "name" && field === undefined)) return;
  const isKept = /^(?:resolve|fulfill)$/.test(call.method) && !DEFERRED.test(path);
  const held = scope.get(path) ?? (field === undefined ? undefined : machine.fields.get(field));
  if (held === undefined || isKept) return;
  const { members: _members, ...known } = held;
  const flows = call.args.reduce(
    (all, value) => mergeFlows(all, heldFlows(value.flows)),
    known.flows,
  );
  if (flows !== known.flows) machine.assign(object, { ...known, flows }, scope, false);
}

/** The summary of a local function, with its parameters replaced by what this call gives them. */
function callLocal(
  definition: NonNullable<Value["definition"]>,
  call: Call,
  { at }: Expression,
  machine: Interpreter,
): Value {
  const state = machine.stateOf(definition);
  machine.stateOf(machine.current).callees.add(definition);
  const args = alignArguments(definition, call);
  state.calls.push(args);
  const given = (value: Value): Value => substituted(value, definition, args, at);
  const { members, ...returned } = state.returns;
  const parts = [...(members ?? [])].map(([name, one]) => [name, given(one)] as const);
  const value = made(
    given(returned),
    worksOnText(definition) ? cleaningMask({ ...call, method: call.name }) : 0,
  );
  return members === undefined ? value : { ...value, given: true, members: new Map(parts) };
}

/** Arguments by the position of their parameter; Python's `self` and keywords are put in place. */
function alignArguments(
  definition: NonNullable<Value["definition"]>,
  call: Call,
): readonly Value[] {
  const [first] = definition.parameters;
  const hasSelf = first?.target.kind === "name" && /^(?:self|cls)$/.test(first.target.name);
  const args = hasSelf ? [UNKNOWN, ...call.args] : [...call.args];
  const options = call.args.at(-1)?.members;
  const written = call.written.at(-1);
  if (options === undefined || written?.kind !== "record") return args;
  definition.parameters.forEach((parameter, index) => {
    const name = parameter.target.kind === "name" ? parameter.target.name : "";
    const given = options.get(name);
    if (given !== undefined && args[index] === undefined) args[index] = given;
  });
  return args;
}

function construct(target: Value, call: Call, machine: Interpreter): Value {
  const maker = target.members?.get("constructor") ?? target.members?.get("__init__");
  if (maker?.definition !== undefined)
    machine.stateOf(maker.definition).calls.push(alignArguments(maker.definition, call));
  return target.members === undefined ? UNKNOWN : { flows: [], members: target.members };
}

/** `callback.call(self, item)` calls the callback. */
const passesOn = (callee: Expression) =>
  callee.kind === "member" && /^(?:call|apply)$/.test(callee.property);

/** What compilers put in the place of `{ ...a, ...b }` and `[...a, ...b]`. */
const SPREADING = /^_+(?:extends|assign|objectSpread\d?|spread(?:Array|s)?|toConsumableArray)$/;

/** What compilers put around the list of a loop, or around one that is taken apart. */
const ITERATING = /^_+(?:values|read|createForOfIteratorHelper(?:Loose)?|slicedToArray|toArray)$/;

/** `list[Symbol.iterator]()` and the loose form `_iterator()` stand for the list. */
function iteratedBy(callee: Expression): Expression | undefined {
  if (callee.kind === "name") return /^_iterator\d*$/.test(callee.name) ? callee : undefined;
  if (callee.kind !== "element" || callee.index.kind !== "member") return undefined;
  return callee.index.property === "iterator" ? callee.object : undefined;
}

/** What compilers put around an import; it gives the module itself. */
const INTEROP = /^_*(?:importDefault|importStar|interopRequire\w*|toESM)$/;
