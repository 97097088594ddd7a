import { isOpen } from "../gate/ambiguities.ts";
import type { Ambiguity, PlanQuestion } from "./assemble-plan.ts";

/** An answer that is on the board. */
export interface KnownAnswer {
  readonly question: string;
  readonly answer: string;
  /** Nobody answered in time and the default was taken: that is an assumption. */
  readonly isDefault: boolean;
}

/** Something that is not clear and has to be asked. */
export interface Doubt {
  readonly ambiguity: string;
  readonly type: Ambiguity["ambiguity_type"];
  /** What it costs as long as nobody answers; undefined where it is simply not resolved. */
  readonly risk: Ambiguity["assumption_risk"] | undefined;
  readonly question: string;
  readonly context: string;
  readonly default: string;
  /** The subtask that waits for it, where that is known. */
  readonly blocking?: string;
  /** Asked in every plan: an earlier answer was about an earlier one. */
  readonly isLasting?: boolean;
}

const TYPE_ORDER = ["SPECIFY", "SEMANTIC", "GENERALIZE"] as const;
const NONE = /^\W*(?:none|n\/?a)\W*$/i;
const GUESSED = /\b(?:assum|presum|guess|probably|for lack of an answer)/i;
const RISK_ORDER = ["HIGH", "MEDIUM"] as const;

/**
 * What is unclear about a request. A question that people have answered is not asked again; one
 * whose default was taken is an assumption, and costs what that costs.
 */
export class Doubts {
  readonly #answers: readonly KnownAnswer[];
  readonly #ambiguities: Ambiguity[] = [];
  readonly #questions: (PlanQuestion & { readonly type: Ambiguity["ambiguity_type"] })[] = [];

  constructor(answers: readonly KnownAnswer[]) {
    this.#answers = answers.flatMap((one) => {
      const answer = decided(one.answer);
      return answer === undefined ? [] : [{ ...one, answer }];
    });
  }

  /** Those with a missing bound first. */
  get ambiguities(): readonly Ambiguity[] {
    return this.#ambiguities.toSorted(
      (one, other) =>
        TYPE_ORDER.indexOf(one.ambiguity_type) - TYPE_ORDER.indexOf(other.ambiguity_type),
    );
  }

  /** In the same order, as they are numbered; those that came up later stay behind. */
  get questions(): readonly PlanQuestion[] {
    return this.#questions.map(({ type: _, ...question }) => question);
  }

  /** From here on the questions have their numbers, and new ones come behind them. */
  number(): void {
    this.#questions.sort(
      (one, other) => TYPE_ORDER.indexOf(one.type) - TYPE_ORDER.indexOf(other.type),
    );
  }

  assume(ambiguity: Ambiguity): void {
    this.#ambiguities.push(ambiguity);
  }

  /** Asks, unless there is an answer. */
  raise(doubt: Doubt): void {
    const { ambiguity, type, risk, question, context, default: assumed, blocking } = doubt;
    const known = doubt.isLasting
      ? undefined
      : this.#answers.find((one) => isAbout(one.question, question));
    this.#ambiguities.push({
      ambiguity,
      ambiguity_type: type,
      resolution: known?.answer ?? "",
      assumption_risk: known === undefined ? (risk ?? "LOW") : riskOf(known, risk),
    });
    if (known) return;
    const held = blocking === undefined ? {} : { blocking };
    // Quoted, so that whoever reads the answer finds what it resolves.
    const sentence = /[.!?:]$/.test(ambiguity) ? ambiguity : `${ambiguity}.`;
    const quoted = context.includes(ambiguity) ? context : `${sentence} ${context}`;
    this.#questions.push({ type, question, context: quoted, default_assumed: assumed, ...held });
  }

  /** Below the gate one more question is asked: about the assumption that costs most. */
  askRiskiest(): boolean {
    const riskiest = RISK_ORDER.flatMap((risk) =>
      this.#ambiguities.filter((one) => one.assumption_risk === risk),
    )[0];
    if (riskiest === undefined) return false;
    const { ambiguity, ambiguity_type: type, resolution } = riskiest;
    this.#ambiguities[this.#ambiguities.indexOf(riskiest)] = { ...riskiest, resolution: "" };
    this.#questions.push({
      type,
      question: `${ambiguity} The plan goes on from this: ${resolution} Is that so?`,
      context: `It is an assumption of ${riskiest.assumption_risk} risk, and the score is below 0.90. ${ambiguity}`,
      default_assumed: resolution,
    });
    return true;
  }
}

/** An answer as a decision; undefined where it decides nothing. */
function decided(answer: string): string | undefined {
  if (NONE.test(answer)) return "None, as was answered.";
  return isOpen({ resolution: answer }) ? undefined : answer;
}

/** What people say for certain costs nothing; a default that was taken, or a guess of theirs, does. */
function riskOf(
  { answer, isDefault }: KnownAnswer,
  risk: Doubt["risk"],
): Ambiguity["assumption_risk"] {
  if (isDefault) return risk === "HIGH" ? "HIGH" : "MEDIUM";
  return GUESSED.test(answer) ? "MEDIUM" : "LOW";
}

/** On the board a question is followed by its context, after an empty line. */
function isAbout(asked: string, question: string): boolean {
  const [first = ""] = asked.split("\n\n", 1);
  return [asked, first].some((one) => plain(one) === plain(question));
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
