import {
  type EventType,
  type MessageKind,
  type Parent,
  type Role,
  RUNNER_KINDS,
} from "../schema/index.ts";
import { isBefore } from "./cadence.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Event, Session } from "./session.ts";

/** The types that stand on a bus, where messages can refer to them. */
export const SPOKEN_TYPES: ReadonlySet<EventType> = new Set([
  "message_posted",
  "question_asked",
  "question_answered",
  "decision_recorded",
  "fact_recorded",
  "run_started",
  "run_completed",
] satisfies EventType[]);

/** Who decides for everybody: what they say about a whole project counts. */
const DECIDERS: readonly Role[] = ["planner", "operator"];

/** The place in the trace that a message's name stands for. */
export function seqOfMessage(id: string): number {
  return Number(id.slice("MSG-".length));
}

/** A message's name, from its place in the trace. */
export function messageIdOf(seq: number): string {
  return `MSG-${seq}`;
}

/** An agent that could say that it was started or stopped could hide that it was not. */
export function checkMessage(
  session: Session,
  { body, actor, artifacts }: Event<"message_posted">,
): Refusal | undefined {
  const { kind = "INFO", parents = [], attachment } = body;
  const unknown = parents.find(({ id }) => !session.messages.has(seqOfMessage(id)));
  return firstRefusal(
    isOfRunner(kind) &&
      actor.role !== "runtime" &&
      refuse("ROLE_GUARD", `a message of kind ${kind} is for runtime, not for ${actor.role}`),
    kind === "USER" &&
      actor.role !== "operator" &&
      refuse("ROLE_GUARD", `a message of kind USER is for operator, not for ${actor.role}`),
    unknown !== undefined &&
      refuse("ORDER_GUARD", `there is no message ${unknown.id} before this one`),
    attachment !== undefined &&
      !artifacts.some(({ hash }) => hash === attachment) &&
      refuse("EVIDENCE_GUARD", "the attachment is not among the artifacts of the message"),
  );
}

function isOfRunner(kind: MessageKind): boolean {
  return RUNNER_KINDS.some((one) => one === kind);
}

export function messageLinks(session: Session, { body }: Event<"message_posted">): Parent[] {
  return (body.parents ?? [])
    .map(({ id, kind }) => ({ seq: seqOfMessage(id), kind }))
    .filter(({ seq }) => session.messages.has(seq));
}

export function checkQuestion(
  session: Session,
  { body }: Event<"question_asked">,
): Refusal | undefined {
  return session.questions.has(body.question_id)
    ? refuse("IDENTITY_GUARD", `question ${body.question_id} exists already`)
    : undefined;
}

export function applyQuestion(session: Session, { seq, body }: Event<"question_asked">): void {
  const { question_id, to = [], deadline, due_beat: dueBeat, default: assumed } = body;
  const hasDeadline = deadline !== undefined || dueBeat !== undefined;
  session.questions.set(question_id, { seq, open: true, to, hasDeadline, dueBeat, assumed });
}

export function checkAnswer(
  session: Session,
  { body, actor }: Event<"question_answered">,
): Refusal | undefined {
  const question = session.questions.get(body.question_id);
  const isDefault = body.by_default === true;
  const isAsked = DECIDERS.includes(actor.role) || question?.to.includes(actor.agent);
  return firstRefusal(
    !question?.open && refuse("ORDER_GUARD", `there is no open question ${body.question_id}`),
    isDefault !== (actor.role === "runtime") &&
      refuse("ROLE_GUARD", "the runtime takes defaults, and does nothing but take defaults"),
    !isDefault &&
      !isAsked &&
      refuse("ROLE_GUARD", `question ${body.question_id} is not for ${actor.agent} to answer`),
    isDefault &&
      question?.hasDeadline === false &&
      refuse("ACTION_GUARD", `question ${body.question_id} has no deadline: it waits`),
    isDefault && guardDue(session, body.question_id, question?.dueBeat),
    isDefault &&
      question?.assumed !== body.answer &&
      refuse("ACTION_GUARD", `the default of question ${body.question_id} is another answer`),
  );
}

/** By the beats of the record: whoever verifies it later has no other clock. */
function guardDue(
  { cadence: { beat } }: Session,
  question: string,
  dueBeat: number | undefined,
): Refusal | undefined {
  if (!isBefore(beat, dueBeat)) return undefined;
  const found = beat === undefined ? "none is open" : `it is beat ${beat.beat_index}`;
  const words = `question ${question} can be answered through beat ${dueBeat}`;
  return refuse("ACTION_GUARD", `${words}, and ${found}`);
}

export function applyAnswer(session: Session, { body }: Event<"question_answered">): void {
  const question = session.questions.get(body.question_id);
  if (question) question.open = false;
}

export function checkFact(
  session: Session,
  { body, actor }: Event<"fact_recorded">,
): Refusal | undefined {
  return firstRefusal(
    session.facts.has(body.fact_id) &&
      refuse("IDENTITY_GUARD", `fact ${body.fact_id} exists already`),
    body.scope === "project" &&
      !DECIDERS.includes(actor.role) &&
      refuse("ROLE_GUARD", `a fact of the project is for planner or operator to record`),
  );
}
