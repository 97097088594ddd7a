import type { Parent } from "../schema/index.ts";
import { link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { ClaimView, Event, Session } from "./session.ts";

export function checkClaim(session: Session, event: Event<"claim_issued">): Refusal | undefined {
  const { body, actor } = event;
  const revised = body.revises === undefined ? undefined : session.claims.get(body.revises);
  const unfinished = body.execution_ids.find(
    (id) => (session.executions.get(id)?.status ?? "running") === "running",
  );
  const distinct = new Set(body.evidence).size;
  return firstRefusal(
    session.claims.has(body.claim_id) &&
      refuse("IDENTITY_GUARD", `claim ${body.claim_id} exists already`),
    unfinished !== undefined &&
      refuse(
        "ORDER_GUARD",
        `execution ${unfinished} has not finished, so nothing can be claimed about it`,
      ),
    body.revises !== undefined &&
      revised?.status !== "standing" &&
      refuse("ORDER_GUARD", `there is no standing claim ${body.revises} to revise`),
    revised !== undefined &&
      revised.author !== actor.agent &&
      refuse("ROLE_GUARD", `claim ${body.revises} belongs to ${revised.author}`),
    distinct < session.policy.evidence_min &&
      refuse(
        "EVIDENCE_GUARD",
        `${session.policy.evidence_min} different pieces of evidence are needed, found ${distinct}`,
      ),
  );
}

export function applyClaim(session: Session, { seq, body, actor }: Event<"claim_issued">): void {
  const revised = session.claims.get(body.revises ?? "");
  if (revised) {
    revised.status = "revised";
    revised.revisedBy = body.claim_id;
  }
  session.authors.add(actor.agent);
  session.claims.set(body.claim_id, {
    seq,
    author: actor.agent,
    evidence: body.evidence,
    meets: (body.meets ?? []).map(({ proposal_id, condition }) => `${proposal_id}/${condition}`),
    status: "standing",
  });
}

export function claimLinks(session: Session, { body }: Event<"claim_issued">): Parent[] {
  return [
    ...body.execution_ids.flatMap((id) => link("rests-on", session.executions.get(id))),
    ...link("revises", session.claims.get(body.revises ?? "")),
  ];
}

export function checkChallenge(
  session: Session,
  { body, actor }: Event<"claim_challenged">,
): Refusal | undefined {
  const claim = session.claims.get(body.claim_id);
  return firstRefusal(
    session.challenges.has(body.challenge_id) &&
      refuse("IDENTITY_GUARD", `challenge ${body.challenge_id} exists already`),
    claim?.status !== "standing" &&
      refuse("ORDER_GUARD", `there is no standing claim ${body.claim_id}`),
    claim?.author === actor.agent && refuse("INDEPENDENCE_GUARD", `${actor.agent} made this claim`),
  );
}

export function applyChallenge(
  session: Session,
  { seq, body, actor }: Event<"claim_challenged">,
): void {
  session.critics.add(actor.agent);
  session.challenges.set(body.challenge_id, { seq, claim: body.claim_id, open: true });
}

export function checkResolution(
  session: Session,
  event: Event<"challenge_resolved">,
): Refusal | undefined {
  const { body, actor } = event;
  const challenge = session.challenges.get(body.challenge_id);
  const claim = session.claims.get(challenge?.claim ?? "");
  return firstRefusal(
    !challenge?.open && refuse("ORDER_GUARD", `there is no open challenge ${body.challenge_id}`),
    claim?.author === actor.agent &&
      refuse(
        "INDEPENDENCE_GUARD",
        `${actor.agent} made the challenged claim and cannot settle the challenge`,
      ),
    body.resolution === "revised" &&
      claim?.status !== "revised" &&
      refuse("ORDER_GUARD", `claim ${challenge?.claim} was not revised after the challenge`),
  );
}

export function applyResolution(session: Session, { body }: Event<"challenge_resolved">): void {
  const challenge = session.challenges.get(body.challenge_id);
  if (!challenge) return;
  challenge.open = false;
  if (body.resolution !== "upheld") return;
  // Striking reaches the newest wording: a revision does not save what the challenge was about.
  let claim = session.claims.get(challenge.claim);
  while (claim?.status === "revised") claim = session.claims.get(claim.revisedBy ?? "");
  if (claim) claim.status = "struck";
}

/** The claims nobody has revised or struck. */
export function standingClaims(session: Session): [string, ClaimView][] {
  return [...session.claims].filter(([, claim]) => claim.status === "standing");
}

/** Gate one of two: what must hold before the executor may say "done". The audit is gate two. */
export function checkFinalStatement(
  session: Session,
  event: Event<"final_statement_signed">,
): Refusal | undefined {
  const { body } = event;
  const listed = new Set(body.consolidated_claim_ids);
  const standing = standingClaims(session);
  const absent = standing.find(([id]) => !listed.has(id))?.[0];
  const unknown = [...listed].find((id) => session.claims.get(id)?.status !== "standing");
  const open = [...session.challenges].find(([, challenge]) => challenge.open)?.[0];
  const unmet = unmetConditions(session)[0];
  const unproven = standing.find(([, claim]) => !hasResolvingEvidence(session, claim))?.[0];
  return firstRefusal(
    unknown !== undefined && refuse("FINALIZATION_GUARD", `${unknown} is not a standing claim`),
    absent !== undefined &&
      refuse("FINALIZATION_GUARD", `the standing claim ${absent} is left out`),
    open !== undefined && refuse("FINALIZATION_GUARD", `challenge ${open} is still open`),
    unmet !== undefined &&
      refuse("FINALIZATION_GUARD", `no standing claim meets the condition: ${unmet}`),
    unproven !== undefined &&
      refuse("FINALIZATION_GUARD", `the evidence of claim ${unproven} was not recorded`),
  );
}

/** Conditions of approvals that work was based on and that no standing claim says it met. */
function unmetConditions(session: Session): string[] {
  const met = new Set(standingClaims(session).flatMap(([, claim]) => claim.meets));
  const used = new Set(
    [...session.intents.values()].filter((i) => i.execution).map((i) => i.proposal),
  );
  return [...used].flatMap((id) =>
    (session.proposals.get(id)?.conditions ?? []).filter(
      (_, position) => !met.has(`${id}/${position}`),
    ),
  );
}

/** Solo asks for one piece that resolves; team for all; strict also for two independent origins. */
export function hasResolvingEvidence(session: Session, claim: ClaimView): boolean {
  const resolving = claim.evidence.filter(
    (hash) => (session.artifacts.get(hash)?.seq ?? Infinity) <= claim.seq,
  );
  if (session.profile === "solo") return resolving.length > 0;
  if (resolving.length < claim.evidence.length) return false;
  if (session.profile === "team") return true;
  // What no execution produced has no origin of its own: anybody can write a file.
  const origins = new Set(
    resolving.flatMap((hash) => session.artifacts.get(hash)?.execution ?? []),
  );
  return origins.size >= session.policy.evidence_min;
}

export function finalLinks(session: Session, { body }: Event<"final_statement_signed">): Parent[] {
  return body.consolidated_claim_ids.flatMap((id) => link("consolidates", session.claims.get(id)));
}
