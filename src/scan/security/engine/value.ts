import { type Mask, maskOf, OWN_PROPERTY, PLAIN_OBJECT } from "../category.ts";
import type { Definition, Place } from "../program.ts";

/** Where a value can come from. `parameter` is resolved by the callers of its function. */
export type Origin = { readonly at: Place } & (
  | { readonly kind: "parameter"; readonly of: Definition; readonly index: number }
  | { readonly kind: SourceKind; readonly what: string }
  /** An object that was looked up by a key from outside: it may be a prototype. */
  | {
      readonly kind: "reach";
      readonly key: readonly Flow[];
      /** The object it was looked up in may have been reached the same way. */
      readonly deep: boolean;
    }
);

/** Data from outside, from the most to the least hostile. */
export type SourceKind = "request" | "network" | "argument" | "archive" | "file" | "environment";

/** A place on the way from source to sink. */
export interface Step {
  readonly at: Place;
  readonly before: Step | undefined;
  readonly length: number;
}

/** One source that a value depends on, what it is safe for by now, and what became of it. */
export interface Flow {
  readonly origin: Origin;
  readonly safe: Mask;
  readonly shape: number;
  readonly via: Step | undefined;
}

/** The value is part of a longer text, and something stands before it. */
export const INNER = 1;
/** The value was read from a property of its source. */
export const MEMBER = 2;
/** The value is a key of its source, not a content. */
export const KEY = 4;
/** The value stands in quotes within a longer text. */
export const PART = 8;
/** The value was taken out of a longer text. */
export const CUT = 16;
/** The value is in a container, and is not the container itself. */
export const HELD = 32;
/** A function that is not known gave the value back, and may have checked it. */
export const HANDED_BACK = 64;
/** What holds of a value only where it holds on every way to it. */
const ON_ALL_WAYS = HELD | HANDED_BACK;

/** What is known of a value. All of it is a guess from above: no flow means no known source. */
export interface Value {
  readonly flows: readonly Flow[];
  /** What it is called outside of this file: `child_process.exec`. */
  readonly api?: string;
  /** The text as far as it is constant, with HOLE for the rest. */
  readonly text?: string;
  /** The constants of a list or set. */
  readonly words?: readonly string[];
  readonly definition?: Definition;
  readonly members?: ReadonlyMap<string, Value>;
  readonly pattern?: { readonly source: string; readonly flags: string; readonly at: Place };
  /** What is known of other variables when this one is true or false. */
  readonly proves?: Proof;
  /** Without a prototype: a null-prototype object or a Map. */
  readonly bare?: boolean;
  /** A path that starts at the root, so that normalising it takes every `..` out. */
  readonly rooted?: boolean;
  /** A text of bounded length: cut, or written out. */
  readonly short?: boolean;
  /** Known to be an object and no function. */
  readonly plain?: boolean;
  /** A property of the object's own, or a new one in its place: no prototype. */
  readonly own?: boolean;
  /** A key of the object with this path, which gives nothing but what that object holds. */
  readonly keyOf?: string;
  /** The type of the variable with this path, as `typeof` tells it. */
  readonly typeOf?: string;
  /** Written out as an object here, so that it has the prototype of all objects; false for a list. */
  readonly literal?: boolean;
  /** Given back by a function, so that it is no object that was only just begun. */
  readonly given?: boolean;
  /** Names of variables it was computed from. */
  readonly from?: readonly string[];
}

export const HOLE = "\u0000";
const FLOWS_MAX = 6;
const STEPS_MAX = 12;
const TEXT_CHARS_MAX = 2_000;
const NAMES_MAX = 6;

export const UNKNOWN: Value = { flows: [] };

/** An empty text is where something else will be put, so that it says nothing about a length. */
export const textValue = (text: string): Value => ({
  flows: [],
  text: text.slice(0, TEXT_CHARS_MAX),
  ...(text === "" ? {} : { short: true }),
});

export const flowing = (...flows: readonly Flow[]): Value => ({ flows });

export const from = (origin: Origin): Flow => ({
  origin,
  safe: 0,
  shape: 0,
  via: { at: origin.at, before: undefined, length: 1 },
});

/** The flow with one more place on its way; the same line twice counts once. */
export function through(flow: Flow, at: Place): Flow {
  const { via } = flow;
  if (via?.at.line === at.line || (via?.length ?? 0) >= STEPS_MAX) return flow;
  return { ...flow, via: { at, before: via, length: (via?.length ?? 0) + 1 } };
}

const sameOrigin = (a: Origin, b: Origin): boolean => {
  if (a === b) return true;
  if (a.kind === "parameter" && b.kind === "parameter") return a.of === b.of && a.index === b.index;
  return a.kind === b.kind && a.at.line === b.at.line;
};

/** Two sets of flows as one: a source that is safe only one way is not safe. */
export function mergeFlows(a: readonly Flow[], b: readonly Flow[]): readonly Flow[] {
  if (a === b || b.length === 0) return a;
  if (a.length === 0) return b;
  const merged = [...a];
  for (const flow of b) {
    const at = merged.findIndex((one) => sameOrigin(one.origin, flow.origin));
    const known = merged[at];
    if (known === undefined) merged.push(flow);
    else {
      const worse = (flow.safe & known.safe) === known.safe ? known : flow;
      const held = known.shape & flow.shape & ON_ALL_WAYS;
      const shape = ((known.shape | flow.shape) & ~ON_ALL_WAYS) | held;
      merged[at] = { ...worse, safe: known.safe & flow.safe, shape };
    }
  }
  return merged.length > FLOWS_MAX ? worstOf(merged) : merged;
}

/** Where there are too many flows, those that are safe for the most are left out. */
const worstOf = (flows: readonly Flow[]): readonly Flow[] =>
  [...flows].sort((a, b) => bitsOf(a.safe) - bitsOf(b.safe)).slice(0, FLOWS_MAX);

function bitsOf(mask: Mask): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** What holds only where it holds both ways. */
const OF_BOTH = ["bare", "plain", "short", "own"] as const;

/** What a variable can be after two ways meet. */
export function either(a: Value, b: Value): Value {
  if (a === b) return a;
  const { text: _text, keyOf: _keyOf, ...rest } = { ...b, ...a };
  const text = textOfEither(a, b);
  const members = a.members && b.members ? mergeMembers(a.members, b.members) : rest.members;
  const shared = OF_BOTH.map((one) => [one, a[one] && b[one] ? true : undefined]);
  return withoutGaps({
    ...rest,
    ...Object.fromEntries(shared),
    flows: mergeFlows(a.flows, b.flows),
    members,
    text,
    keyOf: a.keyOf === b.keyOf ? a.keyOf : undefined,
    literal: isLiteral(a, b) ? true : undefined,
  });
}

type Loose = { [K in keyof Value]: Value[K] | undefined };

/** Leaves out what is undefined, so that a later value is not covered by it. */
function withoutGaps(value: Loose): Value {
  const known = Object.entries(value).filter(([, one]) => one !== undefined);
  return { flows: value.flows ?? [], ...Object.fromEntries(known) };
}

const MEMBERS_MAX = 60;

/** The members of both; one that only one of them has is what it is there. */
function mergeMembers(
  a: NonNullable<Value["members"]>,
  b: NonNullable<Value["members"]>,
): NonNullable<Value["members"]> {
  if (a === b || b.size === 0 || a.size > MEMBERS_MAX) return a;
  const merged = new Map(a);
  for (const [name, value] of b) {
    const known = merged.get(name);
    if (known === undefined) merged.set(name, value);
    else if (known !== value)
      merged.set(name, { ...known, flows: mergeFlows(known.flows, value.flows) });
    if (merged.size > MEMBERS_MAX) break;
  }
  return merged;
}

/** An object without a prototype in one case is none in the other. */
const isLiteral = (a: Value, b: Value): boolean =>
  (a.literal || b.literal) === true && isNew(a) && isNew(b);

/** An object or a list that is written out here. */
const isNew = ({ literal, bare }: Value): boolean => literal !== undefined || bare === true;

/** The text that a source stands in matters more than the one that is constant. */
function textOfEither(a: Value, b: Value): string | undefined {
  if (a.flows.length === 0 && b.flows.length === 0) return a.text ?? b.text;
  if (a.flows.length === 0) return b.text;
  return b.flows.length === 0 ? a.text : (a.text ?? b.text);
}

export const withFlows = (value: Value, change: (flow: Flow) => Flow): Value =>
  value.flows.length === 0 ? value : { ...value, flows: value.flows.map(change) };

export const made = (value: Value, mask: Mask): Value =>
  withFlows(value, (flow) => ({ ...flow, safe: flow.safe | mask }));

/** The value after a check of it. */
export const checked = (value: Value, mask: Mask): Value => ({
  ...made(value, mask),
  ...((mask & PLAIN_OBJECT) === 0 ? {} : { plain: true }),
  ...((mask & OWN_PROPERTY) === 0 ? {} : { own: true }),
  ...((mask & LENGTH) === 0 ? {} : { short: true }),
});

const LENGTH = maskOf("redos");

export const shaped = (flows: readonly Flow[], shape: number): readonly Flow[] =>
  flows.map((flow) =>
    (flow.shape & shape) === shape ? flow : { ...flow, shape: flow.shape | shape },
  );

/** What is taken out of a container or an object. */
export const takenOut = (flows: readonly Flow[]): readonly Flow[] =>
  flows.map((flow) => ({ ...flow, shape: (flow.shape & ~HELD) | MEMBER }));

/** What a container takes over: what it holds says nothing about the container itself. */
export const heldFlows = (flows: readonly Flow[]): readonly Flow[] =>
  shaped(contained(flows), HELD);

/** What a text or a part takes over: it is no prototype, whatever it was taken from. */
export const contained = (flows: readonly Flow[]): readonly Flow[] =>
  flows.some(({ origin }) => origin.kind === "reach")
    ? flows.filter(({ origin }) => origin.kind !== "reach")
    : flows;

/** The parts of a text one after the other: constants stay readable, sources stay followed. */
export function joinParts(parts: readonly Value[]): Value {
  let flows: readonly Flow[] = [];
  let text = "";
  parts.forEach((part, at) => {
    const shape = at === 0 ? PART : PART | INNER;
    flows = mergeFlows(flows, shaped(contained(part.flows), shape));
    if (text.length < TEXT_CHARS_MAX) text += part.text ?? textOfList(part) ?? HOLE;
  });
  const isShort = parts.every(({ short }) => short);
  const names = parts.flatMap(({ from }) => from?.slice(-2) ?? []).slice(0, NAMES_MAX);
  return {
    flows,
    text: text.slice(0, TEXT_CHARS_MAX),
    ...(names.length > 0 ? { from: names } : {}),
    ...(isShort ? { short: true } : {}),
  };
}

/** A list of constants in a text has commas between them. */
function textOfList({ members, literal, bare }: Value): string | undefined {
  if (members === undefined || members.size === 0 || literal || bare) return undefined;
  const texts = [...members.values()].flatMap(({ text }) => (text === undefined ? [] : [text]));
  return texts.length === members.size ? texts.join(",") : undefined;
}

/** A variable, or a member of one, and what it is safe for. */
export interface Fact {
  readonly path: string;
  readonly safe: Mask;
  /** It holds for this variable only, and for none that it was computed from or that comes of it. */
  readonly alone?: boolean;
}

/** What a condition shows when it holds, when it does not, and by being asked at all. */
export interface Proof {
  readonly yes: readonly Fact[];
  readonly no: readonly Fact[];
  readonly always: readonly Fact[];
}

export const NO_PROOF: Proof = { yes: [], no: [], always: [] };
