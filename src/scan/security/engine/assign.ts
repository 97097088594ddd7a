import { isSafeFor, maskOf } from "../category.ts";
import type { Expression } from "../program.ts";
import { PROTOTYPE_POLLUTION } from "../rules/prototype-pollution.ts";
import { accessPath, fieldOf } from "./access-path.ts";
import { reportProperty } from "./evaluate.ts";
import type { Interpreter } from "./interpreter.ts";
import { memberOf } from "./member.ts";
import type { Scope } from "./scope.ts";
import {
  CUT,
  heldFlows,
  mergeFlows,
  PART,
  through,
  UNKNOWN,
  type Value,
  withFlows,
} from "./value.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** Gives a value to a variable, a member, an element or each part of a destructuring pattern. */
export function assign(
  target: Expression,
  value: Value,
  scope: Scope,
  declares: boolean,
  machine: Interpreter,
): void {
  switch (target.kind) {
    case "name": {
      const stepped = withFlows(value, (flow) => through(flow, target.at));
      if (!declares) reportProperty(target.name, target.name, target.at, value, machine);
      if (declares) scope.declare(target.name, stepped);
      else scope.assign(target.name, stepped);
      return;
    }
    case "member":
      assignMember(target, value, scope, machine);
      return;
    case "element":
      assignElement(target, value, scope, machine);
      return;
    case "record":
      assignRecord(target, value, scope, declares, machine);
      return;
    case "list":
      target.items.forEach((item, at) => {
        const known = value.members?.get(String(at));
        const part = known ?? { flows: value.flows, ...(value.from ? { from: value.from } : {}) };
        machine.assign(item, part, scope, declares);
      });
      return;
    case "spread":
      machine.assign(target.value, value, scope, declares);
      return;
    default:
      return;
  }
}

function assignRecord(
  target: Of<"record">,
  value: Value,
  scope: Scope,
  declares: boolean,
  machine: Interpreter,
): void {
  for (const { key, value: into } of target.entries) {
    const part =
      key === undefined ? { flows: value.flows } : memberOf(value, key, target.at, machine);
    machine.assign(into, part, scope, declares);
  }
}

const EXPORTS = /^(?:module\.exports|exports)(?:\.|$)/;

function assignMember(
  target: Of<"member">,
  value: Value,
  scope: Scope,
  machine: Interpreter,
): void {
  const path = accessPath(target);
  const { property } = target;
  reportProperty(property, path ?? "", target.at, value, machine);
  // A function that becomes a member of something can be called by whoever holds that.
  if (value.definition !== undefined) machine.addMethod(property, value.definition);
  const isExport = path !== undefined && EXPORTS.test(path);
  if (value.definition !== undefined || isExport) machine.publish(value, isExport);
  if (path === undefined) return;
  const stepped = withFlows(value, (flow) => through(flow, target.at));
  scope.set(path, stepped);
  hold(target, stepped, scope);
  const field = fieldOf(path);
  if (field === undefined || field.length > FIELD_CHARS_MAX) return;
  const known = machine.fields.get(field);
  const flows = mergeFlows(known?.flows ?? [], stepped.flows);
  machine.fields.set(field, { ...known, ...stepped, flows });
}

/** An object that gets a property keeps it when it is handed on under another name. */
function hold({ object, property }: Of<"member">, value: Value, scope: Scope): void {
  const isTold = value.flows.length > 0 || value.text === "true";
  if (object.kind !== "name" || !isTold) return;
  const holder = scope.get(object.name);
  if (holder === undefined || (holder.members?.size ?? 0) >= HELD_MAX) return;
  const members = new Map(holder.members).set(property, value);
  scope.set(object.name, { ...holder, members });
}

const HELD_MAX = 40;
const FIELD_CHARS_MAX = 100;

/** A key that was cut out of a text can give a new object another prototype by being `__proto__`. */
function reportOwnKey(target: Of<"element">, base: Value, key: Value, machine: Interpreter): void {
  const mask = maskOf("prototype-pollution");
  const flows = key.flows.filter(
    ({ shape, safe }) => (shape & (CUT | PART)) === CUT && !isSafeFor(safe, mask, true),
  );
  if (!base.literal || flows.length === 0) return;
  const what = accessPath(target) ?? "a property by its key";
  machine.report({ rule: PROTOTYPE_POLLUTION, at: target.at, what, value: { ...key, flows } });
}

function assignElement(
  target: Of<"element">,
  value: Value,
  scope: Scope,
  machine: Interpreter,
): void {
  const base = machine.evaluate(target.object, scope);
  const key = machine.evaluate(target.index, scope);
  const isNew = value.members !== undefined && value.flows.length === 0 && !value.given;
  if (value.definition !== undefined) machine.publish(value);
  if (!base.bare && !isNew && key.flows.length > 0)
    machine.report({
      rule: PROTOTYPE_POLLUTION,
      at: target.at,
      what: accessPath(target) ?? "a property by its key",
      value: key,
      base,
    });
  if (!isNew) reportOwnKey(target, base, key, machine);
  const path = accessPath(target);
  // A new object in the place of whatever was there is no prototype and no function.
  if (isNew && path !== undefined) scope.set(path, { ...value, plain: true, own: true });
  const { object } = target;
  if (object.kind !== "name" || value.flows.length === 0) return;
  const known = scope.get(object.name) ?? UNKNOWN;
  const { members: _members, ...rest } = known;
  scope.assign(object.name, { ...rest, flows: mergeFlows(known.flows, heldFlows(value.flows)) });
}
