import type { ClaimView, Session } from "./session.ts";

/** Solo asks for one piece that resolves; team for all; strict also for two independent origins. */
export function hasResolvingEvidence(session: Session, claim: ClaimView): boolean {
  const resolving = claim.evidence.filter(
    (hash) => (session.artifacts.get(hash)?.seq ?? Infinity) <= claim.seq,
  );
  if (session.profile === "solo") return resolving.length > 0;
  if (resolving.length < claim.evidence.length) return false;
  return session.profile === "team" || originsOf(session, claim) >= session.policy.evidence_min;
}

/**
 * How many of the executions that a claim names ended with a piece of its evidence. What came in
 * another way has no origin of its own, because anybody can write a file.
 */
function originsOf({ executions }: Session, claim: ClaimView): number {
  const cited = new Set(claim.evidence);
  return [...new Set(claim.executions)].filter((id) =>
    executions.get(id)?.outputs.some((hash) => cited.has(hash)),
  ).length;
}

/** Remembers what a struck claim rested on. */
export function recordStruck({ tally: { struck } }: Session, id: string, claim: ClaimView): void {
  for (const hash of claim.evidence) {
    const claims = struck.get(hash) ?? new Set();
    struck.set(hash, claims.add(id));
  }
}

/**
 * The struck claim that had all of this evidence, if there is one. Begins with the piece that the
 * fewest struck claims rest on, so that one popular piece does not make every question slow.
 */
export function struckWith(
  { tally: { struck } }: Session,
  evidence: readonly string[],
): string | undefined {
  const holders: ReadonlySet<string>[] = [];
  for (const hash of new Set(evidence)) {
    const claims = struck.get(hash);
    if (!claims) return undefined;
    holders.push(claims);
  }
  const fewest = holders.reduce((a, b) => (b.size < a.size ? b : a));
  for (const id of fewest) if (holders.every((claims) => claims.has(id))) return id;
  return undefined;
}
