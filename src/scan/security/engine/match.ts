import { type Ambiguity, ambiguityOf } from "../pattern/ambiguity.ts";
import type { Expression } from "../program.ts";
import type { Call } from "../rule.ts";
import { REDOS } from "../rules/redos.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Value } from "./value.ts";

const BY_PATTERN = /^(?:test|exec|match|search|fullmatch|findall|finditer|split)$/;
const BY_TEXT = /^(?:match|matchAll|replace|replaceAll|search|split)$/;

interface Matching {
  readonly pattern: NonNullable<Value["pattern"]>;
  readonly text: Value;
}

/** Reports a pattern that can take very long where it meets a text that has a source. */
export function reportMatching(call: Call, { at }: Expression, machine: Interpreter): void {
  const matching = matchingOf(call, at);
  if (matching === undefined || matching.text.flows.length === 0) return;
  const { pattern, text } = matching;
  const flags = machine.program.language === "python" ? "P" : pattern.flags;
  const ambiguity = ambiguityOf(pattern.source, flags);
  if (ambiguity === undefined) return;
  const elsewhere = pattern.at.line === at.line ? {} : { also: pattern.at };
  const what = `the pattern /${pattern.source.slice(0, 120)}/`;
  machine.report({
    rule: REDOS,
    at,
    what,
    value: text,
    note: growthOf(ambiguity),
    ...cap(ambiguity),
    ...elsewhere,
  });
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
