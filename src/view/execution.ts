import { type Parent, RISK_CLASSES } from "../schema/index.ts";
import { toolKey, workKey, workOf } from "./attempts.ts";
import { authorsOf, isApproved, link } from "./planning.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, IntentView, Session } from "./session.ts";
import { bindConditions } from "./tally.ts";

export function checkIntent(
  session: Session,
  { body }: Event<"tool_intent_signed">,
): Refusal | undefined {
  const proposal = session.proposals.get(body.proposal_id);
  const retried = body.retry_of === undefined ? undefined : session.intents.get(body.retry_of);
  const failures = session.works.get(workKey(body))?.failures ?? 0;
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
    // Without this, leaving out retry_of would begin the count anew.
    failures >= session.policy.attempts_max &&
      refuse(
        "LIMIT_GUARD",
        `"${body.tool_name}" failed ${failures} times with this input, no more attempts are allowed`,
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
    authors: authorsOf(actor.agent, retried),
    work: workOf(session, body),
    proposal: body.proposal_id,
    // An executor may call its own tool harmless; the policy has the last word.
    risk: Math.max(
      RISK_CLASSES.indexOf(body.risk_class),
      session.toolRisks.get(toolKey(body.tool_name)) ?? 0,
    ),
    attempt: (retried?.attempt ?? 0) + 1,
    inputHash: body.normalized_input_hash,
    review: "pending",
    retried: false,
  });
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
    intent.authors.includes(actor.agent) &&
      refuse("INDEPENDENCE_GUARD", `${actor.agent} signed this intent or one that it retries`),
  );
}

export function applyIntentReview(
  session: Session,
  { body, actor }: Event<"intent_reviewed">,
): void {
  const intent = session.intents.get(body.intent_id);
  if (!intent) return;
  intent.review = body.intent_status;
  intent.work.isBlocked = body.intent_status === "blocked";
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
  const { isBlocked, failures, running } = intent.work;
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
    // A new name for blocked work would otherwise be a way around the block.
    isBlocked &&
      intent.review !== "approved" &&
      refuse(
        "ACTION_GUARD",
        `the critic blocked this tool with this input; intent ${body.intent_id} needs approval`,
      ),
    // Intents that were signed in advance, and runs side by side, are attempts too.
    failures + running >= session.policy.attempts_max &&
      refuse(
        "LIMIT_GUARD",
        `${session.policy.attempts_max} attempts are allowed, ${failures} failed and ${running} run`,
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
  if (intent) {
    intent.execution = body.execution_id;
    intent.work.running += 1;
    bindConditions(session, intent.proposal);
  }
  session.openIntents -= 1;
  session.runningExecutions += 1;
  session.executions.set(body.execution_id, {
    seq,
    author: actor.agent,
    intent: body.intent_id,
    status: "running",
    outputs: [],
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
  const intent = session.intents.get(execution.intent);
  const attempt = Math.max(intent?.attempt ?? 1, 1 + (intent?.work.failures ?? 0));
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

export function applyFinish(session: Session, { body, type, artifacts }: Finish): void {
  const execution = session.executions.get(body.execution_id);
  const work = session.intents.get(execution?.intent ?? "")?.work;
  if (!execution || !work) return;
  work.running -= 1;
  work.failures = type === "tool_execution_completed" ? 0 : work.failures + 1;
  execution.outputs = artifacts.map(({ hash }) => hash);
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
