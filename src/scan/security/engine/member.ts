import { maskOf } from "../category.ts";
import type { Expression, Place } from "../program.ts";
import { sourceOfMember } from "../rules/source.ts";
import { accessPath, fieldOf } from "./access-path.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Scope } from "./scope.ts";
import { contained, type Flow, from, takenOut, textValue, UNKNOWN, type Value } from "./value.ts";

type MemberExpression = Extract<Expression, { kind: "member" }>;

/** Sizes and types say nothing that could do harm. */
const HARMLESS_PROPERTY = /^(?:length|size|byteLength|count|statusCode|code)$/;

/** What servers hand over of an address starts with a slash. */
const ROOTED_PROPERTY = /^(?:pathname|url|originalUrl|path)$/;

/** Where a program keeps its files is a setting of whoever runs it. */
const FOLDER_PROPERTY =
  /^(?:root|dir|directory|folder|cwd|base|prefix|home|tmp|temp|\w+(?:Root|Dir|Directory|Folder|_dir|_root)|root\w+|base[A-Z]\w+)$/;

const asFolder = (flow: Flow): Flow =>
  flow.origin.kind === "parameter" ? { ...flow, safe: flow.safe | maskOf("path-traversal") } : flow;

/** The value of `object.property`; the object is evaluated unless its value is known already. */
export function evaluateMember(
  expression: MemberExpression,
  evaluated: Value | undefined,
  scope: Scope,
  machine: Interpreter,
): Value {
  const path = accessPath(expression);
  const known = path === undefined ? undefined : scope.get(path);
  if (known !== undefined) return { ...known, from: [...(known.from ?? []).slice(-3), path ?? ""] };
  const object = evaluated ?? machine.evaluate(expression.object, scope);
  const { property, at } = expression;
  const isSelf =
    expression.object.kind === "name" && /^(?:this|self|cls)$/.test(expression.object.name);
  if (isSelf) return machine.fields.get(property) ?? { flows: [], api: `this.${property}` };
  const field = fieldOf(path ?? "");
  const held = field === undefined ? undefined : machine.fields.get(field);
  return held ?? memberOf(object, property, at, machine);
}

/** The text of a pattern, and a module that is its own default. */
function impliedMember(object: Value, property: string): Value | undefined {
  if (property === "source" && object.pattern !== undefined)
    return textValue(object.pattern.source);
  const isDefault = property === "default" && object.api !== undefined && object.flows.length === 0;
  return isDefault ? object : undefined;
}

/** What a property of a value is, for member access and destructuring alike. */
export function memberOf(object: Value, property: string, at: Place, machine: Interpreter): Value {
  if (HARMLESS_PROPERTY.test(property)) return UNKNOWN;
  const member = object.members?.get(property) ?? impliedMember(object, property);
  if (member !== undefined) return member;
  const api = `${object.api ?? "?"}.${property}`;
  const source = sourceOfMember(object, property, at, machine.readsArchives);
  const isRooted = source?.kind === "request" && ROOTED_PROPERTY.test(property);
  const rooted = isRooted || property === "pathname" ? { rooted: true } : {};
  if (source !== undefined) return { flows: [from(source)], api, ...rooted };
  const taken = takenOut(contained(object.flows));
  const flows = FOLDER_PROPERTY.test(property) ? taken.map((flow) => asFolder(flow)) : taken;
  return {
    flows,
    api,
    ...(object.from ? { from: object.from } : {}),
    ...rooted,
  };
}
