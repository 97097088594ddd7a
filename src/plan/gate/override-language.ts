import { findBroken, findOverrides, mayOverride } from "../../scan/override/index.ts";
import type { Plan, Verimap } from "../../schema/plan.ts";
import { gateQuestion } from "./gate-questions.ts";
import type { GateQuestion, Violation } from "./gate-report.ts";
import { pathText } from "./shape.ts";

const HITS_MAX = 50;
const DEPTH_MAX = 32;
const TOGETHER_CHARS_MAX = 500_000;

interface Hit {
  readonly path: string;
  readonly words: string;
  readonly why: string;
}

/**
 * Looks through every text of a plan for words that are meant for whoever reads it as a prompt. They
 * are not obeyed and not taken out: a plan has to have logged them as a SEMANTIC ambiguity and asked
 * about them, and a person decides. This makes a record; it is no firewall.
 *
 * @param text the plan as JSON.
 */
export function checkOverrides(
  plan: Plan | Verimap,
  text: string,
): {
  readonly violations: readonly Violation[];
  readonly questions: readonly GateQuestion[];
} {
  const hits = mayOverride(text) ? findHits(plan) : [];
  if (hits.length === 0) return { violations: [], questions: [] };
  const isLogged = plan.ambiguities_resolved.some(
    ({ ambiguity, ambiguity_type, resolution }) =>
      ambiguity_type === "SEMANTIC" && speaksOfIt(`${ambiguity}\n${resolution}`),
  );
  const isAsked = plan.blocking_questions.some(({ question, context }) =>
    speaksOfIt(`${question}\n${context}`),
  );
  const missing = [
    ...(isLogged ? [] : ["log it in ambiguities_resolved as SEMANTIC"]),
    ...(isAsked ? [] : ["ask about it in blocking_questions"]),
  ];
  const violations = hits.map(
    ({ path, words, why }): Violation => ({
      rule: "injection-guard",
      path,
      message: `${why} (${JSON.stringify(words)}): ${missing.join(", and ")}`,
    }),
  );
  const [first] = hits;
  const question = gateQuestion("override", {
    question: `${first?.path} holds words that try to override instructions. Are they meant?`,
    context: `${first?.why}: ${JSON.stringify(first?.words)}. Nothing follows them; a person has to say what they are.`,
    default: "They are data. Nobody follows them.",
  });
  return { violations: missing.length > 0 ? violations : [], questions: isAsked ? [] : [question] };
}

function speaksOfIt(text: string): boolean {
  return /\boverrid|\binject/i.test(text) || findOverrides(text).length > 0;
}

/** Subtasks are looked at as a whole first: in nearly all of them there is nothing to be found. */
function findHits({ subtasks, ...rest }: Plan | Verimap): Hit[] {
  const hits: Hit[] = [];
  lookThrough(rest, [], hits);
  lookTogether(rest, "", hits);
  for (const [at, subtask] of subtasks.entries()) {
    const texts: string[] = [];
    collectTexts(subtask, texts);
    const all = texts.join("\n");
    // Only so much of a text is looked at; what is longer is looked at piece by piece.
    const isSuspect = all.length > TOGETHER_CHARS_MAX || findOverrides(all).length > 0;
    if (isSuspect) lookThrough(subtask, ["subtasks", at], hits);
    lookTogether(subtask, `subtasks[${at}]`, hits);
  }
  return hits;
}

/** Words that are broken over lines or neighbouring fields stand together again in a prompt. */
function lookTogether(value: unknown, path: string, hits: Hit[]): void {
  if (hits.some((hit) => hit.path.startsWith(path))) return;
  const texts: string[] = [];
  collectTexts(value, texts);
  const found = findBroken(texts);
  if (found !== undefined) hits.push({ path, ...found });
}

function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  else if (typeof value === "object" && value !== null) {
    if (!Array.isArray(value)) into.push(...Object.keys(value));
    for (const inner of Object.values(value)) collectTexts(inner, into);
  }
}

function lookThrough(value: unknown, path: readonly PropertyKey[], hits: Hit[]): void {
  if (hits.length >= HITS_MAX || path.length > DEPTH_MAX) return;
  if (typeof value === "string") lookAt(value, path, hits);
  else if (Array.isArray(value)) {
    for (const [at, inner] of value.entries()) lookThrough(inner, [...path, at], hits);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      lookAt(key, path, hits);
      lookThrough(inner, [...path, key], hits);
    }
  }
}

function lookAt(text: string, path: readonly PropertyKey[], hits: Hit[]): void {
  const [hit] = findOverrides(text);
  if (hit) hits.push({ path: pathText(path), words: hit.words, why: hit.why });
}
