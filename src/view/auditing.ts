import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";

export function checkVerificationStart(
  session: Session,
  event: Event<"verification_run_started">,
): Refusal | undefined {
  const { actor } = event;
  return firstRefusal(
    session.claims.size === 0 &&
      refuse("ORDER_GUARD", "nothing was claimed, so there is nothing to verify"),
    session.verification !== undefined &&
      refuse("ORDER_GUARD", `verification ${session.verification.id} is still running`),
    session.auditFailedAt !== undefined &&
      refuse("ORDER_GUARD", "the last audit failed; open a rework round or end the session"),
    session.authors.has(actor.agent) &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} took part in the work of this session`),
    session.profile !== "solo" &&
      session.critics.has(actor.agent) &&
      refuse(
        "INDEPENDENCE_GUARD",
        `${actor.agent} reviewed in this session; the profile asks for another auditor`,
      ),
  );
}

export function applyVerificationStart(
  session: Session,
  event: Event<"verification_run_started">,
): void {
  session.verification = {
    id: event.body.verification_id,
    auditor: event.actor.agent,
    seq: event.seq,
  };
}

export function checkVerificationEnd(
  session: Session,
  event: Event<"verification_run_completed">,
): Refusal | undefined {
  const { body, actor, artifacts, seq } = event;
  const run = session.verification;
  if (run?.id !== body.verification_id) {
    return refuse("ORDER_GUARD", `verification ${body.verification_id} was not started`);
  }
  return firstRefusal(
    run.auditor !== actor.agent &&
      refuse("ROLE_GUARD", `verification ${run.id} belongs to ${run.auditor}`),
    !artifacts.some(({ hash }) => hash === body.report) &&
      refuse("EVIDENCE_GUARD", "the verification report is not stored with the entry"),
    body.size !== seq &&
      refuse("FINALIZATION_GUARD", `the report covers ${body.size} entries, expected ${seq}`),
    body.status !== "fail" &&
      session.finalStatement === undefined &&
      refuse("FINALIZATION_GUARD", "without a final statement a verification can only fail"),
    body.status !== "fail" &&
      session.redSubjects.size > 0 &&
      refuse("FINALIZATION_GUARD", "a red vote stands: a verification can only fail"),
  );
}

export function applyVerificationEnd(
  session: Session,
  { seq, body }: Event<"verification_run_completed">,
): void {
  session.verification = undefined;
  if (body.status === "fail") session.auditFailedAt = seq;
}

/** A failed audit leads back to work while rounds remain; otherwise the session has failed. */
export function stateAfterVerification(
  session: Session,
  { body }: Event<"verification_run_completed">,
) {
  if (body.status !== "fail") return "completed";
  return session.reworkRounds < session.policy.rework_max ? "auditing" : "failed";
}

export function checkRework(
  session: Session,
  { body }: Event<"rework_opened">,
): Refusal | undefined {
  return firstRefusal(
    session.auditFailedAt === undefined &&
      refuse("ORDER_GUARD", "no audit has failed since the last round"),
    body.round !== session.reworkRounds + 1 &&
      refuse(
        "ORDER_GUARD",
        `expected rework round ${session.reworkRounds + 1}, found ${body.round}`,
      ),
  );
}

export function applyRework(session: Session): void {
  session.reworkRounds += 1;
  session.auditFailedAt = undefined;
  session.finalStatement = undefined;
  session.finishedExecutions = 0;
}
