import type { Expression } from "../program.ts";

/** The spelling under which a variable or a member of one is remembered: `options.root`. */
export function accessPath(expression: Expression): string | undefined {
  switch (expression.kind) {
    case "name":
      return expression.name;
    case "member": {
      const object = accessPath(expression.object);
      return object === undefined ? undefined : `${object}.${expression.property}`;
    }
    case "element": {
      const object = accessPath(expression.object);
      const { index } = expression;
      const key = index.kind === "constant" ? index.value : accessPath(index);
      return object === undefined || key === undefined ? undefined : `${object}[${key}]`;
    }
    default:
      return undefined;
  }
}

/** Names under which a method speaks of its own object, also from inside of a callback. */
const OWN = /^(?:this|self|that|_this|_self|me)\.(.+)$/;

/** The field of its own object that a method speaks of: `options.root` for `that.options.root`. */
export const fieldOf = (path: string): string | undefined => OWN.exec(path)?.[1];

/** The variables that an expression is about, calls and conversions looked through. */
export function subjects(expression: Expression): string[] {
  const path = accessPath(expression);
  if (path !== undefined) return [path];
  switch (expression.kind) {
    case "call": {
      const { callee, args } = expression;
      const receiver = callee.kind === "member" ? subjects(callee.object) : [];
      const given = args.slice(0, 3).flatMap((argument) => subjects(argument));
      return [...receiver.filter((name) => !/^[A-Z_]|^(?:path|os)\b/.test(name)), ...given];
    }
    case "member":
      return subjects(expression.object);
    case "element":
      return subjects(expression.object);
    case "assign":
      return [...subjects(expression.target), ...subjects(expression.value)];
    case "joined":
    case "other":
      return expression.parts.slice(0, 4).flatMap((part) => subjects(part));
    case "either":
      return expression.options.slice(0, 4).flatMap((part) => subjects(part));
    case "typeof":
    case "not":
    case "spread":
      return subjects(expression.value);
    default:
      return [];
  }
}
