import type { DesignFacts } from "../gate/index.ts";
import type { FactsAnswer, SweepAnswer } from "./answer-shapes.ts";
import type { Doubts } from "./doubts.ts";

/** What a design promises when it has to be planned before anybody builds. */
const PROMISE = "DESIGN_COMPLETE_WITNESS_REQUIRED";

/** What is asked about a design that went past the gate; the answer is why it did. */
export const PROMISE_QUESTION =
  "The design's promise is COMPLETE, so it declared itself done without a plan. Was that intended? Say why, and it is recorded as witness_skipped_reason.";
/** What is asked where nobody has made one; the answer is why none is needed. */
export const DESIGN_QUESTION =
  "No design was made for this task: there is no brief on its board. Is that intended?";

/** Whether a design declared itself done without a plan, and nobody said why. */
export function passedBy({ promise, skippedReason }: DesignFacts): boolean {
  return promise === "COMPLETE" && skippedReason === undefined;
}

/** Words that are meant for whoever reads them as a prompt, and where they stand. */
export interface OverrideWords {
  /** As a sentence about it begins: "Line 2 of the request". */
  readonly place: string;
  readonly words: string;
  readonly why: string;
}

/** Phase −1: whether there was a design, and whether it went past this gate. */
export function raiseDesign(doubts: Doubts, design: DesignFacts): void {
  const { brief, promise, noneReason } = design;
  if (passedBy(design)) {
    doubts.raise({
      ambiguity: "The design's promise is COMPLETE: it went past planning.",
      type: "SEMANTIC",
      risk: "HIGH",
      question: PROMISE_QUESTION,
      context: "A design that skips planning has no criteria that anybody checked.",
      default: "It was not intended, and this plan takes its place.",
    });
    return;
  }
  if (brief !== undefined || promise === PROMISE || noneReason !== undefined) return;
  if (promise === "COMPLETE") return;
  doubts.raise({
    ambiguity: "No design was made before this plan.",
    type: "SEMANTIC",
    risk: "HIGH",
    question: DESIGN_QUESTION,
    context: "Without a design nobody has decided what the parts are and where they end.",
    default: "It is intended, and the plan stands alone.",
  });
}

/** Override language is asked about and not obeyed; planning goes on with it as data. */
export function raiseOverrides(doubts: Doubts, hits: readonly OverrideWords[]): void {
  for (const { place, words, why } of hits) {
    doubts.raise({
      ambiguity: `${place} says "${words}": ${why}.`,
      type: "SEMANTIC",
      risk: "HIGH",
      question: `${place} says "${words}". Is that a part of what is wanted, or does it try to steer whoever plans?`,
      context: `To a reader that takes it for a prompt, ${why}. It was taken as data and not followed.`,
      default: "It is not a part of what is wanted.",
      isLasting: true,
    });
  }
}

/** Phase 0: a premise that is false or could not be confirmed. */
export function raiseFacts(doubts: Doubts, { premise, findings }: FactsAnswer): void {
  if (premise === "CONFIRMED" || premise === "DIFFERS") return;
  const found = findings.map(({ statement }) => statement).join(" ") || "Nothing was found.";
  const isFalse = premise === "FALSE";
  doubts.raise({
    ambiguity: isFalse
      ? `The project is not what the request says. ${found}`
      : "Whether the project is what the request says could not be found out.",
    type: "SEMANTIC",
    risk: "HIGH",
    question: isFalse
      ? `The request rests on something that does not exist. ${found} What is meant instead?`
      : "The premise of the request could not be confirmed within its budget. Is the project as the request says?",
    context: isFalse
      ? "A plan for a system that does not exist is work for nothing."
      : "The fact check ended without a result.",
    default: isFalse ? "Nothing is planned." : "It is as the request says.",
  });
}

/** Phase 1: what the sweep asks and what it assumes. */
export function raiseSweep(doubts: Doubts, { areas }: SweepAnswer): void {
  for (const one of areas) {
    if (one.outcome === "assumed") {
      doubts.assume({
        ambiguity: `${one.area}: ${one.ambiguity}`,
        ambiguity_type: one.ambiguity_type,
        resolution: one.resolution,
        assumption_risk: one.assumption_risk,
      });
    }
    if (one.outcome !== "asked") continue;
    doubts.raise({
      ambiguity: `${one.area}: ${one.ambiguity}`,
      type: one.ambiguity_type,
      risk: undefined,
      question: one.question,
      context: one.context,
      default: one.default_assumed,
    });
  }
}
