/**
 * The rules a refusal can name. Each is one guard of the protocol; the verifier reports the same
 * names when it meets an entry that should have been refused.
 */
export const RULES = [
  "ROLE_GUARD",
  "KEY_GUARD",
  "STATE_GUARD",
  "ORDER_GUARD",
  "ACTION_GUARD",
  "EVIDENCE_GUARD",
  "FINALIZATION_GUARD",
  "INDEPENDENCE_GUARD",
  "IDENTITY_GUARD",
  "LIMIT_GUARD",
] as const;
export type Rule = (typeof RULES)[number];

/** A governed "no": an answer, not an accident. */
export interface Refusal {
  readonly kind: "refused";
  readonly rule: Rule;
  readonly reason: string;
}

export function refuse(rule: Rule, reason: string): Refusal {
  return { kind: "refused", rule, reason };
}

type Answer = Refusal | undefined | false;

/** The first refusal among guards that are asked in order. A guard that costs more than a lookup is a function. */
export function firstRefusal(...guards: readonly (Answer | (() => Answer))[]): Refusal | undefined {
  for (const guard of guards) {
    const answer = typeof guard === "function" ? guard() : guard;
    if (answer) return answer;
  }
  return undefined;
}
