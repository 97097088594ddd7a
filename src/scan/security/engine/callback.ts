import { type Definition, parameterName } from "../program.ts";
import type { Call } from "../rule.ts";
import { isArchiveEvent, isOutsideEvent, readsFile } from "../rules/source.ts";
import type { Interpreter } from "./interpreter.ts";
import {
  either,
  type Flow,
  flowing,
  from,
  HELD,
  KEY,
  MEMBER,
  mergeFlows,
  shaped,
  UNKNOWN,
  type Value,
} from "./value.ts";

const ITERATING =
  /^(?:forEach|map|filter|some|every|find|findIndex|flatMap|each|eachSeries|then|sort|replace|tap)$/;

/** Functions that are handed to a call are told what they will be called with. */
export function bindCallbacks(
  call: Call,
  local: Definition | undefined,
  machine: Interpreter,
): void {
  const handed = local === undefined ? undefined : machine.stateOf(local).handed;
  call.args.forEach((argument, at) => {
    const { definition } = argument;
    if (definition === undefined) return;
    const known = handed?.get(at) ?? [argumentsFor(call, at, argument, machine)];
    machine.stateOf(definition).calls.push(...known);
  });
}

const HANDED_MAX = 8;

/** A parameter that is called is a callback: whoever gives one is told what it will get. */
export function noteHanded(called: Value | undefined, call: Call, machine: Interpreter): void {
  for (const { origin, shape } of called?.flows ?? []) {
    if (origin.kind !== "parameter" || (shape & (MEMBER | HELD)) !== 0) continue;
    const { handed } = machine.stateOf(origin.of);
    const known = handed.get(origin.index) ?? [];
    if (known.length < HANDED_MAX) handed.set(origin.index, [...known, call.args]);
  }
}

function argumentsFor(
  call: Call,
  at: number,
  callback: Value,
  machine: Interpreter,
): readonly Value[] {
  const { receiver, args } = call;
  const own = receiver ?? UNKNOWN;
  const element: Value = { flows: own.flows, ...(own.from ? { from: own.from } : {}) };
  if (/^(?:reduce|reduceRight)$/.test(call.method)) {
    // What the callback gives back is what it gets next.
    const returned = callback.definition ? machine.stateOf(callback.definition).returns : UNKNOWN;
    return [either(args[1] ?? UNKNOWN, returned), element];
  }
  if (ITERATING.test(call.method)) {
    if (at === 0) return [element, UNKNOWN, element];
    // `each(object, (value, key) => …)` hands over keys; a list's own method hands over positions.
    const carried = args[0] ?? UNKNOWN;
    const item = { flows: mergeFlows(element.flows, carried.flows) };
    return [item, { flows: shaped(carried.flows, KEY) }, carried];
  }
  return outsideArguments(call, callback, machine) ?? unknownArguments(call, at);
}

/** Callbacks that receive data from outside: of events, of files, of the network. */
function outsideArguments(
  call: Call,
  callback: Value,
  machine: Interpreter,
): readonly Value[] | undefined {
  const place = callback.definition?.at;
  if (place === undefined) return undefined;
  const event = call.args[0]?.text ?? "";
  const isOn = /^(?:on|once|addListener|addEventListener|subscribe)$/.test(call.method);
  if (isOn && isArchiveEvent(event, machine.readsArchives))
    return [flowing(from({ kind: "archive", what: "an entry of an archive", at: place }))];
  if (isOn && isOutsideEvent(call, event))
    return [flowing(from({ kind: "network", what: `data of the event "${event}"`, at: place }))];
  if (readsFile(call)) {
    const data = flowing(from({ kind: "file", what: "the content of a file", at: place }));
    return [UNKNOWN, data];
  }
  return isOn ? [UNKNOWN] : undefined;
}

/** An unknown function hands on what it was given, as `each(list, callback)` does. */
function unknownArguments(call: Call, at: number): readonly Value[] {
  const others = call.args.filter((_, index) => index !== at);
  const flows = others.reduce<readonly Flow[]>((all, value) => mergeFlows(all, value.flows), []);
  const definition = call.args[at]?.definition;
  return (definition?.parameters ?? []).map((parameter) =>
    /^(?:err|error|e|done|next|cb|callback|res|resolve|reject)$/.test(parameterName(parameter))
      ? UNKNOWN
      : { flows },
  );
}
