import { hasResolvingEvidence } from "./evidence.ts";
import type { ClaimView, Session } from "./session.ts";

/** Enters a claim that stands from now on. */
export function stand(session: Session, id: string, claim: ClaimView): void {
  const { standing, unproven, met, unmet } = session.tally;
  session.claims.set(id, claim);
  standing.add(id);
  if (!hasResolvingEvidence(session, claim)) unproven.add(id);
  for (const condition of claim.meets) {
    met.set(condition, (met.get(condition) ?? 0) + 1);
    unmet.delete(condition);
  }
}

/** Takes a claim out of what stands. What it alone met is unmet again. */
export function fall(
  { tally: { standing, unproven, refuted, met, bound, unmet } }: Session,
  id: string,
  claim: ClaimView,
  status: "revised" | "struck",
): void {
  claim.status = status;
  standing.delete(id);
  unproven.delete(id);
  refuted.delete(id);
  for (const condition of claim.meets) {
    const left = (met.get(condition) ?? 0) - 1;
    met.set(condition, left);
    if (left === 0 && bound.has(condition)) unmet.add(condition);
  }
}

/** From the first execution on, the conditions of its proposal must be met. */
export function bindConditions(session: Session, proposalId: string): void {
  const { bound, met, unmet } = session.tally;
  const conditions = session.proposals.get(proposalId)?.conditions ?? [];
  if (bound.has(conditionKey(proposalId, 0))) return;
  for (const [position, text] of conditions.entries()) {
    const condition = conditionKey(proposalId, position);
    bound.set(condition, text);
    if ((met.get(condition) ?? 0) === 0) unmet.add(condition);
  }
}

export function conditionKey(proposalId: string, position: number): string {
  return `${proposalId}/${position}`;
}
