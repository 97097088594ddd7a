import type { AdmissionDecision } from "../../schema/admission.ts";
import type { FoundException } from "./standing-exceptions.ts";

/** Says which exceptions a decision rests on, and which records could not be believed. */
export function tellOf(
  found: readonly FoundException[],
  decision: AdmissionDecision,
  onStep: (words: string) => void,
): void {
  for (const { trace, why } of found) {
    if (why !== undefined) onStep(`the exception of ${trace} does not count: ${why}`);
  }
  tellUsed(found, decision.exceptions, onStep);
}

/** Says which exceptions were used. */
export function tellUsed(
  found: readonly FoundException[],
  used: AdmissionDecision["exceptions"],
  onStep: (words: string) => void,
): void {
  for (const { id, rule } of used) {
    const by = found.find(({ exception }) => exception?.id === id)?.exception;
    onStep(
      `allowed to break ${rule} by exception ${id} of ${by?.approver}, until ${by?.expires_at}`,
    );
  }
}
