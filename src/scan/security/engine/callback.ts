import { type Definition, type Place, parameterName } from "../program.ts";
import type { Call } from "../rule.ts";
import { isArchiveEvent, isHandler, isOutsideEvent, readsFile } from "../rules/source.ts";
import { handedBy } from "./handed.ts";
import type { Interpreter } from "./interpreter.ts";
import {
  either,
  type Flow,
  flowing,
  from,
  KEY,
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
  place: Place,
  machine: Interpreter,
): void {
  bindEarly(call, machine);
  call.args.forEach((argument, at) => {
    const { definition } = argument;
    if (definition === undefined) return;
    const handed = local === undefined ? undefined : handedBy(local, at, call, place, machine);
    const given = handed ?? argumentsFor(call, at, argument, machine);
    machine.stateOf(definition).calls.push(given);
  });
}

/** `f.bind(self, a)` and `_.bind(f, self, a)` give f its first arguments now. */
function bindEarly({ method, receiver, args }: Call, machine: Interpreter): void {
  if (method !== "bind") return;
  const isOwn = receiver?.definition !== undefined;
  const definition = isOwn ? receiver.definition : args[0]?.definition;
  const given = args.slice(isOwn ? 1 : 2);
  if (definition !== undefined && given.length > 0) machine.stateOf(definition).calls.push(given);
}

const elementOf = ({ receiver }: Call): Value =>
  receiver?.from === undefined
    ? { flows: receiver?.flows ?? [] }
    : { flows: receiver.flows, from: receiver.from };

function argumentsFor(
  call: Call,
  at: number,
  callback: Value,
  machine: Interpreter,
): readonly Value[] {
  const { args } = call;
  const element = elementOf(call);
  if (/^(?:reduce|reduceRight)$/.test(call.method)) {
    // What the callback gives back is what it gets next.
    const returned = callback.definition ? machine.stateOf(callback.definition).returns : UNKNOWN;
    return [either(args[1] ?? UNKNOWN, returned), element];
  }
  // The second callback of a promise gets the error.
  if (call.method === "then" && at > 0) return [UNKNOWN];
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
  const { definition } = callback;
  if (definition === undefined) return undefined;
  const place = definition.at;
  const event = call.args[0]?.text ?? "";
  const isOn = /^(?:on|once|addListener|addEventListener|subscribe)$/.test(call.method);
  if (isHandler(call, isOn ? event : "", definition))
    return [flowing(from({ kind: "request", what: "the request", at: place }))];
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
