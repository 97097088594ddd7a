import type { Priority } from "../../../schema/finding.ts";
import { isSafeFor, type Mask, maskOf, PLAIN_OBJECT } from "../category.ts";
import { type Definition, parameterName } from "../program.ts";
import type { Kind } from "../rule.ts";
import type { Hit } from "./interpreter.ts";
import type { FunctionState } from "./scope.ts";
import { type Flow, HANDED_BACK, HELD, MEMBER, type Step, type Value } from "./value.ts";

/** A hit with the source that stands behind it. */
export interface Traced {
  readonly hit: Hit;
  readonly priority: Priority;
  readonly kind: Kind;
  /** The source in words. */
  readonly what: string;
  /** A function that is not known stands on the way. */
  readonly isHandedBack: boolean;
  /** From source to sink. */
  readonly steps: readonly Step["at"][];
}

interface Found {
  readonly kind: Kind;
  readonly what: string;
  readonly flow: Flow;
  readonly steps: readonly Step["at"][];
}

const CALL_DEPTH_MAX = 5;
const FOUND_MAX = 12;
const ORDER: readonly Priority[] = ["P1", "P2", "P3"];

export type States = (definition: Definition) => FunctionState;

/** What is asked of a hit: whether its values are safe for a category, and who calls whom. */
interface Asked {
  readonly safe: Mask;
  readonly states: States;
  /** Excluding `__proto__` alone counts as safe. */
  readonly halfIsEnough: boolean;
}

/** The most urgent source of a hit; undefined when none of its values comes from outside. */
export function trace(hit: Hit, states: States): Traced | undefined {
  if (hit.within !== undefined && !leadsBack(hit.within, hit.into ?? [], states)) return undefined;
  const safe = maskOf(hit.rule.category);
  const traced = traceAs(hit, { safe, states, halfIsEnough: true });
  if (traced !== undefined || hit.rule.category !== "prototype-pollution") return traced;
  const half = traceAs({ ...hit, note: HALF_CLOSED }, { safe, states, halfIsEnough: false });
  return half === undefined ? undefined : { ...half, priority: "P3" };
}

const LED_MAX = 200;

/** Whether a function is called, over some others, by one that it calls itself. */
function leadsBack(goal: Definition, into: readonly Definition[], states: States): boolean {
  const led = new Set(into);
  for (const one of led) {
    if (one === goal || led.size > LED_MAX) return one === goal;
    for (const callee of states(one).callees) led.add(callee);
  }
  return false;
}

/** Why a write that keeps `__proto__` out is still worth a word. */
const HALF_CLOSED =
  "The key `__proto__` is kept out; the way over `constructor` and `prototype` stays open where a function can be reached.";

/** What nobody looked into may be the check that is missed: the most that is said of it is advice. */
const UNPROVEN: Priority = "P2";
const atMost = (most: Priority | undefined, level: Priority): Priority =>
  most !== undefined && level < most ? most : level;

function traceAs(hit: Hit, asked: Asked): Traced | undefined {
  if (hit.base !== undefined && !isReached(hit.base, asked)) return undefined;
  let best: Traced | undefined;
  for (const { kind, what, flow, steps } of sourcesOf(hit.value.flows, asked)) {
    const level = hit.rule.level(kind, flow, hit.value);
    if (level === undefined) continue;
    const isHandedBack = (flow.shape & HANDED_BACK) !== 0;
    const priority = atMost(hit.most ?? (isHandedBack ? UNPROVEN : undefined), level);
    if (best === undefined || ORDER.indexOf(priority) < ORDER.indexOf(best.priority))
      best = { hit, priority, kind, what, isHandedBack, steps: [...steps, hit.at] };
  }
  return best;
}

/** Whether an object may be a prototype: here, or in a function of this file that hands it over. */
function isReached(base: Value, asked: Asked, depth = 0, seen: Seen = new Map()): boolean {
  const { safe, states, halfIsEnough } = asked;
  return base.flows.some((flow) => {
    const { origin } = flow;
    if (origin.kind === "reach") {
      const isClosed = halfIsEnough || !origin.deep || (flow.safe & PLAIN_OBJECT) !== 0;
      const open = origin.key.filter((one) => !isSafeFor(one.safe, safe, isClosed));
      return sourcesOf(open, asked).length > 0;
    }
    if (
      origin.kind !== "parameter" ||
      (flow.shape & HELD) !== 0 ||
      depth >= CALL_DEPTH_MAX ||
      !once(seen, origin.of, origin.index)
    )
      return false;
    return states(origin.of).calls.some((args) => {
      const given = args[origin.index];
      if (given === undefined) return false;
      const parts = (flow.shape & MEMBER) === 0 ? [] : [...(given.members?.values() ?? [])];
      return [given, ...parts].some((one) => isReached(one, asked, depth + 1, seen));
    });
  });
}

/** Parameters that were looked into already, so that recursion ends. */
type Seen = Map<Definition, Set<number>>;

function once(seen: Seen, definition: Definition, index: number): boolean {
  const indexes = seen.get(definition) ?? new Set();
  if (indexes.has(index)) return false;
  seen.set(definition, indexes.add(index));
  return true;
}

/** All sources behind flows, through the callers in this file. */
function sourcesOf(
  flows: readonly Flow[],
  asked: Asked,
  depth = 0,
  seen: Seen = new Map(),
): Found[] {
  const found: Found[] = [];
  for (const flow of flows) {
    if (isSafeFor(flow.safe, asked.safe, asked.halfIsEnough) || found.length >= FOUND_MAX) continue;
    const { origin } = flow;
    if (origin.kind === "reach") continue;
    if (origin.kind !== "parameter")
      found.push({ kind: origin.kind, what: origin.what, flow, steps: stepsOf(flow) });
    else if (once(seen, origin.of, origin.index))
      found.push(...sourcesOfParameter(flow, asked, depth, seen));
  }
  return found;
}

/** What is parsed or decoded comes from outside, whoever calls. */
const READER = /^_?(?:parse|decode|deserialize|unserialize|unflatten)(?![a-z])/;

function sourcesOfParameter(flow: Flow, asked: Asked, depth: number, seen: Seen): Found[] {
  const { origin } = flow;
  if (origin.kind !== "parameter") return [];
  const state = asked.states(origin.of);
  const name = describe(origin.of, origin.index);
  const steps = stepsOf(flow);
  const found: Found[] = [];
  if (state.boundary || READER.test(origin.of.name))
    found.push({ kind: origin.of.route ? "request" : "parameter", what: name, flow, steps });
  if (depth >= CALL_DEPTH_MAX) return found;
  for (const args of state.calls) {
    const outer = sourcesOf(args[origin.index]?.flows ?? [], asked, depth + 1, seen);
    for (const one of outer)
      found.push({
        ...one,
        flow: { ...one.flow, shape: one.flow.shape | flow.shape },
        steps: [...one.steps, ...steps],
      });
    if (found.length >= FOUND_MAX) break;
  }
  return found;
}

function describe(definition: Definition, index: number): string {
  const parameter = definition.parameters[index];
  const name = parameter === undefined ? "" : parameterName(parameter);
  const owner = definition.name === "" ? "a function" : `\`${definition.name}\``;
  return name === "" ? `a parameter of ${owner}` : `the parameter \`${name}\` of ${owner}`;
}

function stepsOf(flow: Flow): Step["at"][] {
  const steps: Step["at"][] = [];
  for (let step = flow.via; step !== undefined; step = step.before) steps.unshift(step.at);
  return steps;
}
