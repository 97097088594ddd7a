import { type Parent, RISK_CLASSES } from "../schema/index.ts";
import { isApproved, link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, IntentView, Session } from "./session.ts";

export function checkIntent(
  session: Session,
  { body }: Event<"tool_intent_signed">,
): Refusal | undefined {
  const proposal = session.proposals.get(body.proposal_id);
  const retried = body.retry_of === undefined ? undefined : session.intents.get(body.retry_of);
  return firstRefusal(
    session.intents.has(body.intent_id) &&
      refuse("IDENTITY_GUARD", `intent ${body.intent_id} exists already`),
    !isApproved(proposal) &&
      refuse(
        "ACTION_GUARD",
        `proposal ${body.proposal_id} is ${proposal?.status ?? "unknown"}, not approved`,
      ),
    !proposal?.tools.has(body.tool_name) &&
      refuse(
        "ACTION_GUARD",
        `proposal ${body.proposal_id} does not list the tool "${body.tool_name}"`,
      ),
    body.retry_of !== undefined &&
      !mayBeRetried(session, retried) &&
      refuse(
        "ORDER_GUARD",
        `intent ${body.retry_of} is neither failed nor blocked, or was retried already`,
      ),
    retried !== undefined &&
      retried.attempt >= session.policy.attempts_max &&
      refuse(
        "LIMIT_GUARD",
        `${session.policy.attempts_max} attempts are allowed, this would be one more`,
      ),
  );
}

function mayBeRetried(session: Session, intent: IntentView | undefined): boolean {
  if (!intent || intent.retried) return false;
  const execution = session.executions.get(intent.execution ?? "");
  return execution ? execution.status === "failed" : intent.review === "blocked";
}

export function applyIntent(
  session: Session,
  { seq, body, actor }: Event<"tool_intent_signed">,
): void {
  const retried = session.intents.get(body.retry_of ?? "");
  if (retried) {
    retried.retried = true;
    settleFailure(session, retried.execution);
  }
  session.authors.add(actor.agent);
  session.openIntents += 1;
  session.intents.set(body.intent_id, {
    seq,
    author: actor.agent,
    proposal: body.proposal_id,
    risk: Math.max(RISK_CLASSES.indexOf(body.risk_class), leastRisk(session, body.tool_name)),
    attempt: (retried?.attempt ?? 0) + 1,
    inputHash: body.normalized_input_hash,
    review: "pending",
    retried: false,
  });
}

/** An executor may call its own tool harmless; the policy has the last word. */
function leastRisk({ policy }: Session, tool: string): number {
  const risks = policy.tool_risk ?? {};
  const risk = Object.hasOwn(risks, tool) ? risks[tool] : undefined;
  return risk === undefined ? 0 : RISK_CLASSES.indexOf(risk);
}

function settleFailure(session: Session, executionId: string | undefined): void {
  const execution = session.executions.get(executionId ?? "");
  if (!execution?.owes) return;
  execution.owes = false;
  session.owedFailures -= 1;
}

export function intentLinks(session: Session, { body }: Event<"tool_intent_signed">): Parent[] {
  return [
    ...link("implements", session.proposals.get(body.proposal_id)),
    ...link("retries", session.intents.get(body.retry_of ?? "")),
  ];
}

export function checkIntentReview(
  session: Session,
  { body, actor }: Event<"intent_reviewed">,
): Refusal | undefined {
  const intent = session.intents.get(body.intent_id);
  if (!intent) return refuse("ORDER_GUARD", `there is no intent ${body.intent_id}`);
  return firstRefusal(
    intent.execution !== undefined &&
      refuse("ORDER_GUARD", `intent ${body.intent_id} has already run`),
    // A block stands until the work is revised as a new intent.
    intent.review === "blocked" &&
      refuse("ORDER_GUARD", `intent ${body.intent_id} is blocked; revise it as a new intent`),
    intent.review === body.intent_status &&
      refuse("ORDER_GUARD", `intent ${body.intent_id} is already ${intent.review}`),
    intent.author === actor.agent &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} signed this intent`),
  );
}

export function applyIntentReview(
  session: Session,
  { body, actor }: Event<"intent_reviewed">,
): void {
  const intent = session.intents.get(body.intent_id);
  if (!intent) return;
  intent.review = body.intent_status;
  if (body.intent_status === "blocked") session.openIntents -= 1;
  session.critics.add(actor.agent);
}

export function checkStart(
  session: Session,
  event: Event<"tool_execution_started">,
): Refusal | undefined {
  const { body, actor, artifacts } = event;
  const intent = session.intents.get(body.intent_id);
  if (!intent)
    return refuse("ORDER_GUARD", `no intent ${body.intent_id} was signed before this execution`);
  const threshold = RISK_CLASSES.indexOf(session.policy.approval_from);
  const stored =
    session.artifacts.has(intent.inputHash) ||
    artifacts.some(({ hash }) => hash === intent.inputHash);
  return firstRefusal(
    session.executions.has(body.execution_id) &&
      refuse("IDENTITY_GUARD", `execution ${body.execution_id} exists already`),
    intent.author !== actor.agent &&
      refuse("ROLE_GUARD", `intent ${body.intent_id} was signed by ${intent.author}`),
    intent.execution !== undefined &&
      refuse("ORDER_GUARD", `intent ${body.intent_id} has already run; retry with a new intent`),
    intent.review === "blocked" &&
      refuse("ACTION_GUARD", `the critic blocked intent ${body.intent_id}`),
    !isApproved(session.proposals.get(intent.proposal)) &&
      refuse("ACTION_GUARD", `proposal ${intent.proposal} is no longer approved`),
    intent.risk >= threshold &&
      intent.review !== "approved" &&
      refuse(
        "ACTION_GUARD",
        `risk "${RISK_CLASSES[intent.risk]}" needs the critic's approval of intent ${body.intent_id}`,
      ),
    !stored &&
      refuse(
        "EVIDENCE_GUARD",
        `the tool's input ${intent.inputHash.slice(0, 12)}… is not stored as an artifact`,
      ),
  );
}

export function applyStart(
  session: Session,
  { seq, body, actor }: Event<"tool_execution_started">,
): void {
  const intent = session.intents.get(body.intent_id);
  if (intent) intent.execution = body.execution_id;
  session.openIntents -= 1;
  session.runningExecutions += 1;
  session.executions.set(body.execution_id, {
    seq,
    author: actor.agent,
    intent: body.intent_id,
    status: "running",
    owes: false,
  });
}

type Finish = Event<"tool_execution_completed" | "tool_execution_failed">;

export function checkFinish(
  session: Session,
  { body, actor, type, artifacts }: Finish,
): Refusal | undefined {
  const execution = session.executions.get(body.execution_id);
  if (!execution) return refuse("ORDER_GUARD", `execution ${body.execution_id} was never started`);
  const attempt = session.intents.get(execution.intent)?.attempt ?? 1;
  return firstRefusal(
    execution.status !== "running" &&
      refuse("ORDER_GUARD", `execution ${body.execution_id} is already ${execution.status}`),
    execution.author !== actor.agent &&
      refuse("ROLE_GUARD", `execution ${body.execution_id} belongs to ${execution.author}`),
    type === "tool_execution_completed" &&
      artifacts.length === 0 &&
      refuse("EVIDENCE_GUARD", "a completed execution stores its output as an artifact"),
    "handling" in body &&
      body.handling === "retry" &&
      attempt >= session.policy.attempts_max &&
      refuse(
        "LIMIT_GUARD",
        `attempt ${attempt} was the last allowed; accept the failure or fall back`,
      ),
    "handling" in body &&
      body.handling === "fallback" &&
      !session.policy.fallback &&
      refuse("ACTION_GUARD", "the session's policy does not permit fallback proposals"),
  );
}

export function applyFinish(session: Session, { body, type }: Finish): void {
  const execution = session.executions.get(body.execution_id);
  if (!execution) return;
  execution.status = type === "tool_execution_completed" ? "completed" : "failed";
  execution.owes = "handling" in body && body.handling !== "accept";
  session.runningExecutions -= 1;
  session.finishedExecutions += 1;
  if (execution.owes) session.owedFailures += 1;
}

/** Whether execution is over for now: something ran, nothing runs, nothing waits, no retry is owed. */
export function isExecutionSettled(session: Session): boolean {
  return (
    session.finishedExecutions > 0 &&
    session.runningExecutions === 0 &&
    session.openIntents === 0 &&
    session.owedFailures === 0
  );
}

export function checkArtifactRecord(
  session: Session,
  event: Event<"artifact_recorded">,
): Refusal | undefined {
  const { body, artifacts } = event;
  return firstRefusal(
    artifacts.length === 0 &&
      refuse("EVIDENCE_GUARD", "nothing is recorded: the entry carries no artifact"),
    body.execution_id !== undefined &&
      !session.executions.has(body.execution_id) &&
      refuse("ORDER_GUARD", `there is no execution ${body.execution_id}`),
  );
}
