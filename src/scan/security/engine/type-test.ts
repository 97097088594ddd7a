import type { Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import { accessPath } from "./access-path.ts";
import type { Scope } from "./scope.ts";
import { UNKNOWN } from "./value.ts";

/**
 * Code that asks whether something is an object is taken to act on the answer, wherever it does so.
 * Code that takes functions for objects as well leaves the way over `constructor` open.
 */
export function noteType(path: string | undefined, type: string | undefined, scope: Scope): void {
  if (path === undefined || type === undefined) return;
  const known = scope.get(path) ?? UNKNOWN;
  if (type === "function" && known.plain) scope.set(path, { ...known, plain: false });
  const isAsked = /^(?:object|\[object Object\])$/.test(type) && known.plain === undefined;
  if (isAsked) scope.set(path, { ...known, plain: true });
}

const TELLS_TYPE = /^(?:toString|typeOf|kindOf|kind-of|getType)$/i;

/** The variable whose type a call tells: `toString.call(x)`; `x.toString()` tells none. */
export function typePath({ method }: Call, expression: Expression): string | undefined {
  if (!TELLS_TYPE.test(method) || expression.kind !== "call") return undefined;
  const { callee, args } = expression;
  const isCalled = callee.kind === "member" && callee.property === "call";
  if (method === "toString" && !isCalled) return undefined;
  return args[0] === undefined ? undefined : accessPath(args[0]);
}

/** Whoever asks whether something is a plain object will not take a function for one. */
export function notePlain({ name, written: [asked] }: Call, scope: Scope): void {
  if (asked !== undefined && /^_?is_?plain/i.test(name))
    noteType(accessPath(asked), "object", scope);
}
