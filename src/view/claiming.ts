import type { Parent } from "../schema/index.ts";
import { recordStruck, struckWith } from "./evidence.ts";
import { link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";
import { conditionKey, fall, stand } from "./tally.ts";

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
    () => refuseJudged(struckWith(session, body.evidence)),
  );
}

/** Another wording for what was struck does not make it true. */
function refuseJudged(struck: string | undefined): Refusal | undefined {
  return struck === undefined
    ? undefined
    : refuse(
        "EVIDENCE_GUARD",
        `claim ${struck} had all of this evidence and was struck; show something more`,
      );
}

export function applyClaim(session: Session, { seq, body, actor }: Event<"claim_issued">): void {
  const revised = session.claims.get(body.revises ?? "");
  if (revised) {
    fall(session, body.revises ?? "", revised, "revised");
    revised.revisedBy = body.claim_id;
  }
  session.authors.add(actor.agent);
  const meets = (body.meets ?? []).map((one) => conditionKey(one.proposal_id, one.condition));
  stand(session, body.claim_id, {
    seq,
    author: actor.agent,
    evidence: body.evidence,
    executions: body.execution_ids,
    meets: [...new Set(meets)],
    status: "standing",
    isJudged: false,
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
  session.tally.openChallenges.add(body.challenge_id);
  session.challenges.set(body.challenge_id, {
    seq,
    author: actor.agent,
    claim: body.claim_id,
    open: true,
  });
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
    body.resolution === "withdrawn" &&
      challenge?.author !== actor.agent &&
      refuse(
        "ROLE_GUARD",
        `challenge ${body.challenge_id} was made by ${challenge?.author}, who alone may withdraw it`,
      ),
    body.resolution === "revised" &&
      claim?.status !== "revised" &&
      refuse("ORDER_GUARD", `claim ${challenge?.claim} was not revised after the challenge`),
  );
}

export function applyResolution(
  session: Session,
  { body, actor }: Event<"challenge_resolved">,
): void {
  session.critics.add(actor.agent);
  const challenge = session.challenges.get(body.challenge_id);
  if (!challenge) return;
  challenge.open = false;
  session.tally.openChallenges.delete(body.challenge_id);
  if (body.resolution === "upheld") strike(session, challenge.claim);
}

export function checkFindingCheck(
  session: Session,
  { body, actor }: Event<"finding_checked">,
): Refusal | undefined {
  const claim = session.claims.get(body.claim_id);
  return firstRefusal(
    claim?.status !== "standing" &&
      refuse("ORDER_GUARD", `there is no standing claim ${body.claim_id}`),
    claim?.author === actor.agent && refuse("INDEPENDENCE_GUARD", `${actor.agent} made this claim`),
  );
}

/** One finding that is not in the source is enough: the claim that holds it must fall or be revised. */
export function applyFindingCheck(
  session: Session,
  { body, actor }: Event<"finding_checked">,
): void {
  session.critics.add(actor.agent);
  if (body.verdict === "HALLUCINATED") session.tally.refuted.add(body.claim_id);
}

/**
 * Striking reaches from the challenged wording to the newest: a revision does not save what the
 * challenge was about. What was judged once ends the way, or many challenges of one claim would
 * each walk all its revisions.
 */
function strike(session: Session, challenged: string): void {
  let id = challenged;
  let claim = session.claims.get(id);
  while (claim && !claim.isJudged) {
    claim.isJudged = true;
    recordStruck(session, id, claim);
    if (claim.status === "standing") fall(session, id, claim, "struck");
    id = claim.revisedBy ?? "";
    claim = session.claims.get(id);
  }
}
