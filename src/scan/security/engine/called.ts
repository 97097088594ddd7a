import type { Definition, Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Value } from "./value.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** `f.call(self, a)` and `f.bind(self)` are looked through; what is called is what matters. */
export function callOf(
  expression: CallExpression,
  target: Value,
  receiver: Value | undefined,
  args: readonly Value[],
  machine: Interpreter,
): { call: Call; local: Definition | undefined } {
  const { callee, args: written, fresh } = expression;
  const passes = passedOn(callee, receiver);
  const found = passes === undefined ? apiOf(target, callee, receiver) : (receiver?.api ?? "?");
  const api = HANDED_MODULE.exec(found)?.[1] ?? found;
  const method = api.slice(api.lastIndexOf(".") + 1);
  const definition = passes === undefined ? target.definition : receiver?.definition;
  const isOwn = callee.kind === "member" && definition === undefined && !isModule(receiver);
  const local = isOwn ? machine.methodNamed(method) : definition;
  const named = {
    ...{ name: nameOf(callee), api, method, fresh, around: machine.around },
    isLocal: local !== undefined,
    inSecretFile: machine.isSecretFile,
  };
  if (passes === undefined) return { call: { ...named, receiver, args, written }, local };
  const isApplied = passes === "apply";
  const given = isApplied ? appliedArguments(args[1]) : args.slice(1);
  const spelled = isApplied ? [] : written.slice(1);
  return { call: { ...named, receiver: args[0], args: given, written: spelled }, local };
}

/** Modules of the platform that are kept in an object of one's own: `lib.path.join`. */
const HANDED_MODULE =
  /^(?:\?|this|[\w$]+)\.(fs\.\w+|path\.(?:resolve|normalize|basename)|child_process\.\w+)$/;

const nameOf = (callee: Expression) =>
  callee.kind === "name" ? callee.name : callee.kind === "member" ? callee.property : "";

/** How the arguments of `f.call` and `f.apply` are handed to f; undefined for other calls. */
function passedOn(callee: Expression, receiver: Value | undefined): "call" | "apply" | undefined {
  if (callee.kind !== "member" || !isCallable(receiver)) return undefined;
  const { property } = callee;
  return property === "call" || property === "apply" ? property : undefined;
}

/** The list that `apply` is given, as arguments; of an unknown list each can be any element. */
function appliedArguments(list: Value | undefined): readonly Value[] {
  if (list?.members !== undefined) return [...list.members.values()];
  return list === undefined ? [] : [list, list, list];
}

const isCallable = (receiver: Value | undefined) =>
  receiver?.definition !== undefined ||
  /^(?!\?)|^\?\.(?:slice|concat|map|filter|forEach|reduce|push)$/.test(receiver?.api ?? "");

const isModule = (receiver: Value | undefined) =>
  /^(?!this$|self$|cls$)[a-z]/.test(receiver?.api ?? "");

function apiOf(target: Value, callee: Expression, receiver: Value | undefined): string {
  if (target.api !== undefined) return target.api;
  if (callee.kind === "member") return `${receiver?.api ?? "?"}.${callee.property}`;
  return "?";
}
