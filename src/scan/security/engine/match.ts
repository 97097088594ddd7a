import { type Ambiguity, ambiguityOf } from "../pattern/ambiguity.ts";
import type { Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import { REDOS } from "../rules/redos.ts";
import type { Interpreter } from "./interpreter.ts";
import { keyOf, SOMETHING } from "./pattern-uses.ts";
import type { Value } from "./value.ts";

const BY_PATTERN = /^(?:test|exec|match|search|fullmatch|findall|finditer|split)$/;
const BY_TEXT = /^(?:match|matchAll|replace|replaceAll|search|split)$/;

interface Matching {
  readonly pattern: NonNullable<Value["pattern"]>;
  readonly text: Value;
}

/**
 * Reports a pattern that can take very long where it meets a text that has a source. The pattern is
 * what has to change, so it is cited first, and where it is used after it.
 */
export function reportMatching(call: Call, { at }: Expression, machine: Interpreter): void {
  const matching = matchingOf(call, at);
  if (matching === undefined) return;
  const { pattern, text } = matching;
  machine.noteMatched(pattern, text);
  const isOpen = text.flows.length > 0 && !text.short;
  const ambiguity = isOpen ? judged(pattern, machine) : undefined;
  if (ambiguity === undefined) return;
  const elsewhere = pattern.at.line === at.line ? {} : { also: at };
  machine.report({
    rule: REDOS,
    at: pattern.at,
    what: spelled(pattern),
    value: text,
    note: growthOf(ambiguity),
    pattern: keyOf(pattern),
    ...cap(ambiguity),
    ...elsewhere,
  });
}

type Written = NonNullable<Value["pattern"]>;

const spelled = ({ source }: Written) => `the pattern /${source.slice(0, 120)}/`;

/** A square that comes from the search alone is no news where a part of the pattern is not known. */
function judged({ source, flags }: Written, { program }: Interpreter): Ambiguity | undefined {
  const ambiguity = ambiguityOf(source, program.language === "python" ? "P" : flags);
  const isSlight = ambiguity?.bySearch && ambiguity.degree <= 2;
  return isSlight && source.includes(SOMETHING) ? undefined : ambiguity;
}

/**
 * Reports a written pattern whose texts are not known: it stands in a table, is handed to another
 * file, or meets what another function gave.
 */
export function reportPattern(pattern: Written, machine: Interpreter): void {
  const ambiguity = judged(pattern, machine);
  if (ambiguity === undefined) return;
  const { at } = pattern;
  const rule = { ...REDOS, harm: `${REDOS.harm} ${growthOf(ambiguity)}`, judge: () => undefined };
  machine.reportPlain({ rule, at, priority: "P2", what: spelled(pattern) });
}

/** A square is slow only for long texts, and servers bound the length of what they take. */
const cap = ({ degree }: Ambiguity) => (degree <= 2 ? { most: "P2" as const } : {});

function growthOf({ growth, degree }: Ambiguity): string {
  if (growth === "exponential") return "The time doubles with every few characters.";
  return `The time grows with the length to the power of ${degree}.`;
}

function matchingOf(call: Call, at: Expression["at"]): Matching | undefined {
  const { api, method, receiver, args } = call;
  const isSubstitution = /^subn?$/.test(method);
  const [first] = args;
  if (/^re\.\w+$/.test(api))
    return matching(first?.pattern ?? patternOf(first?.text, at), args[isSubstitution ? 2 : 1]);
  if (receiver?.pattern !== undefined) {
    const isMatching = isSubstitution || BY_PATTERN.test(method);
    return isMatching ? matching(receiver.pattern, args[isSubstitution ? 1 : 0]) : undefined;
  }
  return BY_TEXT.test(method) ? matching(first?.pattern, receiver) : undefined;
}

const matching = (pattern: Value["pattern"], text: Value | undefined): Matching | undefined =>
  pattern === undefined || text === undefined ? undefined : { pattern, text };

const patternOf = (source: string | undefined, at: Expression["at"]) =>
  source === undefined || source.includes("\u0000") ? undefined : { source, flags: "", at };
