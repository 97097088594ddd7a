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

/** The first refusal among guards that are asked in order. */
export function firstRefusal(...guards: (Refusal | undefined | false)[]): Refusal | undefined {
  for (const refusal of guards) if (refusal) return refusal;
  return undefined;
}
