import { maskOf, SAFE } from "../category.ts";
import type { Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import { cleaningMask } from "../rules/cleaner.ts";
import { carries, isForeign, JOINING } from "../rules/propagation.ts";
import { sourceOfCall } from "../rules/source.ts";
import { promised } from "./handed.ts";
import type { Interpreter } from "./interpreter.ts";
import { SOMETHING } from "./pattern-uses.ts";
import { typePath } from "./type-test.ts";
import {
  CUT,
  contained,
  type Flow,
  flowing,
  from,
  HANDED_BACK,
  HOLE,
  heldFlows,
  INNER,
  joinParts,
  MEMBER,
  made,
  mergeFlows,
  PART,
  shaped,
  textValue,
  UNKNOWN,
  type Value,
  withFlows,
} from "./value.ts";

/** What a call of another file's function gives back, by what is known of its name. */
export function resultOf(call: Call, expression: Expression, machine: Interpreter): Value {
  const { at } = expression;
  const asked = typePath(call, expression);
  if (asked !== undefined) return { flows: [], typeOf: asked };
  const source = sourceOfCall(call, at);
  if (source !== undefined) return flowing(from(source));
  const special = specialResult(call, at, machine);
  if (special !== undefined) return special;
  const cleaned = cleaningMask(call);
  const related = [call.receiver, ...call.args].flatMap((value) => value?.from?.slice(-2) ?? []);
  const carried = carriedBy(call, machine);
  const value = made(DECODING.test(call.api) ? decoded(carried) : carried, cleaned);
  const rooted = DECODING.test(call.api) && call.args[0]?.rooted ? { rooted: true } : {};
  const short = CUTTING_SHORT.test(call.method) && call.args.length > 1 ? { short: true } : {};
  return { ...value, ...rooted, ...short, from: related.slice(0, 6) };
}

/** A text that is cut on both sides is as long as someone decided. */
const CUTTING_SHORT = /^(?:slice|substr|substring)$/;

const DECODING = /^(?:decodeURI(?:Component)?|(?:querystring\.)?unescape|urllib\.parse\.unquote)$/;

/** What was checked or normalised before it was decoded can have dots and slashes again. */
const decoded = (value: Value): Value =>
  withFlows(value, (flow) => ({ ...flow, safe: flow.safe & ~maskOf("path-traversal") }));

/** A new object, with a prototype or without. */
const created = (prototype: Value | undefined): Value =>
  prototype?.text === "null" ? { flows: [], bare: true } : { flows: [], literal: true };

/** Functions of the language whose result is known. */
function specialResult(call: Call, at: Expression["at"], machine: Interpreter): Value | undefined {
  const [first] = call.args;
  if (call.api === "RegExp" || call.api === "re.compile") return compiled(call, at, machine);
  if (call.api === "Object.create") return created(first);
  if (SAME.test(call.api)) return first ?? UNKNOWN;
  const wrapped = wrappedBy(call);
  if (wrapped !== undefined) return wrapped;
  return call.fresh ? madeNew(call, machine) : undefined;
}

function madeNew(call: Call, machine: Interpreter): Value | undefined {
  const [first] = call.args;
  if (call.api === "Promise") return promised(call, machine);
  if (!/^(?:Map|WeakMap|Set)$/.test(call.api)) return undefined;
  return { flows: first?.flows ?? [], bare: true, ...(first?.words ? { words: first.words } : {}) };
}

/** A function that is made out of another one does what that one does. */
function wrappedBy({ method, receiver, args: [first] }: Call): Value | undefined {
  const isGiven = first?.definition !== undefined;
  if (isGiven && WRAPPING.test(method)) return first;
  if (method !== "bind" || receiver === undefined) return undefined;
  return receiver.definition === undefined && isGiven ? first : receiver;
}

const WRAPPING =
  /^_?(?:wrap|coroutine|deprecate|callbackify|denodeify|nodeify|memoize|once|debounce|throttle|fromCallback|fromPromise|asyncToGenerator|mark|async|asyncify|asyncHandler)$/;
/** What these give is what they are given. */
const SAME = /^(?:set|frozenset|Object\.freeze|list|tuple)$|(?:^|\.)promisify(?:All)?$|^pify$/;

function compiled(
  { api, args: [first, second] }: Call,
  at: Expression["at"],
  machine: Interpreter,
): Value {
  if (first?.pattern !== undefined) return { flows: [], pattern: { ...first.pattern, at } };
  const text = first?.text;
  if (text === undefined || text === HOLE) return { flows: first?.flows ?? [] };
  const source = text.replaceAll(HOLE, SOMETHING);
  const flags = api === "RegExp" ? (second?.text ?? "") : "";
  const pattern = { source, flags, at };
  machine.notePattern(pattern);
  return { flows: text.includes(HOLE) ? (first?.flows ?? []) : [], pattern };
}

function carriedBy(call: Call, machine: Interpreter): Value {
  const { receiver, args, method } = call;
  const own = receiver === undefined ? [] : [receiver];
  if (JOINING.has(call.api)) return joinParts(args);
  if (method === "join" && receiver !== undefined) return joinedList(receiver, args[0]);
  const part = resultOfCallback(call, machine) ?? partOfText(call) ?? filledIn(call);
  if (part !== undefined) return part;
  if (/^(?:concat|format)$/.test(method)) return joinParts([...own, ...args]);
  if (isCopy(call)) return { flows: args.reduce(heldWith, []), literal: true };
  const given = carries(call.api) ? args : handedBack(call, machine);
  const replaced = method === "replace" ? replacement(args[1]) : [];
  const flows = [...own, ...given].reduce(
    (all, value) => mergeFlows(all, contained(value.flows)),
    replaced,
  );
  const text = /^(?:trim|toString)$/.test(method) ? receiver?.text : undefined;
  return text === undefined ? { flows } : { flows, text };
}

/** `"ping {host}".replace("{host}", host)` puts a value into a text that is written here. */
function filledIn({ method, receiver, args }: Call): Value | undefined {
  const [place, value] = args;
  const template = receiver?.text;
  const isPut = /^replace(?:All)?$/.test(method) && value?.definition === undefined;
  if (!isPut || template === undefined || value === undefined || value.flows.length === 0)
    return undefined;
  const at = place?.text === undefined ? -1 : template.indexOf(place.text);
  const [before, after] =
    at < 0
      ? [template, ""]
      : [template.slice(0, at), template.slice(at + (place?.text?.length ?? 0))];
  const own = joinParts([textValue(before), value, textValue(after)]);
  return { ...own, flows: mergeFlows(receiver?.flows ?? [], own.flows) };
}
const COPYING = /^(?:_?(?:deep|base|shallow)?clone(?:Deep)?|deepCopy|structuredClone)$/i;

/** A copy is a new object, whatever it was copied from. */
const isCopy = ({ api, method, args }: Call): boolean =>
  COPYING.test(method) || (api === "Object.assign" && args[0]?.literal === true);

const heldWith = (all: readonly Flow[], { flows }: Value): readonly Flow[] =>
  mergeFlows(all, heldFlows(flows));

/** What is cut out of a text, or matched in it. */
function partOfText({ api, method, receiver, args }: Call): Value | undefined {
  if (method === "exec" && !api.startsWith("child_process."))
    return { flows: shaped(args[0]?.flows ?? [], MEMBER | CUT) };
  if (!CUTTING.test(method) || receiver === undefined) return undefined;
  const isWhole = method === "split" || method === "match" || args[0]?.text === "0";
  return {
    flows: shaped(receiver.flows, CUT),
    ...(receiver.rooted && isWhole ? { rooted: true } : {}),
  };
}

/** A function of another package may give back a part of what it got: long, or a key, or a path. */
function handedBack({ api, args }: Call, { program }: Interpreter): readonly Value[] {
  if (program.language === "python" || !isForeign(api)) return [];
  return args.map((value) => {
    const { flows, ...known } = made(value, HANDED_BACK_SAFE);
    return { ...known, flows: shaped(flows, HANDED_BACK) };
  });
}

const HANDED_BACK_SAFE = SAFE & ~maskOf("redos", "prototype-pollution", "path-traversal");

/** What `map`, `reduce` and `then` give is what their callback gives. */
function resultOfCallback({ method, args }: Call, machine: Interpreter): Value | undefined {
  const definition = args[0]?.definition ?? args[1]?.definition;
  if (definition === undefined || !/^(?:map|flatMap|reduce|reduceRight|then)$/.test(method))
    return undefined;
  const { returns } = machine.stateOf(definition);
  return {
    flows: mergeFlows(returns.flows, method.startsWith("reduce") ? (args[1]?.flows ?? []) : []),
  };
}

/** Methods that give parts of a text. */
const CUTTING = /^(?:split|match|slice|substr|substring)$/;

const replacement = (value: Value | undefined): readonly Flow[] =>
  value?.definition === undefined ? shaped(value?.flows ?? [], PART) : [];

/** The parts with what stands between them; a list joined without a word has commas. */
function separated(parts: readonly Value[], separator: Value | undefined): Value[] {
  const between = separator ?? textValue(",");
  return parts.flatMap((part, at) => (at === 0 ? [part] : [between, part]));
}

const sameOrigin = ({ origin: a }: Flow, { origin: b }: Flow): boolean =>
  a === b ||
  (a.kind === "parameter" && b.kind === "parameter" && a.of === b.of && a.index === b.index);

/** `["git", name].join(" ")`, and Python's `" ".join([…])`. */
function joinedList(receiver: Value, argument: Value | undefined): Value {
  const list =
    receiver.members === undefined && argument?.members !== undefined ? argument : receiver;
  const flows = shaped(mergeFlows(receiver.flows, argument?.flows ?? []), PART | INNER);
  if (list.members === undefined || list.members.size === 0) return { flows };
  const joined = joinParts(
    separated([...list.members.values()], list === receiver ? argument : receiver),
  );
  // Another way through the code may have put more into the list than the members tell.
  const more = flows.filter((one) => !joined.flows.some((known) => sameOrigin(known, one)));
  return { ...joined, flows: mergeFlows(joined.flows, contained(more)) };
}
