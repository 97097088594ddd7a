import * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import type { DesignBrief, DesignFacts, GateFacts, GateQuestion } from "../../plan/index.ts";
import { Plan } from "../../schema/plan.ts";
import type { AskedQuestion, KnownFact } from "../../view/index.ts";
import { type Bus, RUNTIME } from "../talk/bus.ts";

/** Facts of a task in which its design speaks; of several with one name and a number, the last counts. */
const BRIEF = /^design\.witness_brief(?:\.\d+)?$/;
const PROMISE = /^design\.promise(?:\.\d+)?$/;
const SKIPPED = /^witness_skipped_reason(?:\.\d+)?$/;
/** A person's word that a task needs no design before its plan. */
const NO_DESIGN = /^design\.none(?:\.\d+)?$/;
/** The member of the runtime's message that says how many gaps a critique round found. */
export const CRITIQUE_GAPS = "critique-gaps";

const Brief = z.strictObject({
  subtask_count: z.int().min(1).max(1_000).optional(),
  staging_paths: Plan.shape.staging_paths.optional(),
  assembly_order: Plan.shape.assembly_order.optional(),
  criteria: z.array(z.string().min(1).max(10_000)).max(1_000).optional(),
});

/** What a task's board says about its plan, answers aside. */
export function boardFacts(on: Bus): Pick<GateFacts, "design" | "critiqueGaps"> {
  const facts = [...on.talk().facts.values()];
  const last = (name: RegExp): KnownFact | undefined =>
    facts.findLast(({ fact_id }) => name.test(fact_id));
  const brief = last(BRIEF);
  const skipped = last(SKIPPED);
  const none = last(NO_DESIGN);
  // An agent could excuse itself; only a person can pass the gate by.
  const isExcused = skipped !== undefined && isPerson(on, skipped.by);
  const isMeant = none !== undefined && isPerson(on, none.by);
  const design: DesignFacts = {
    promise: last(PROMISE)?.text.trim(),
    ...(brief === undefined ? {} : { brief: readBrief(brief.text) }),
    ...(isExcused ? { skippedReason: skipped.text } : {}),
    ...(isMeant ? { noneReason: none.text } : {}),
  };
  const gaps = recordedGaps(on);
  return { design, ...(gaps === undefined ? {} : { critiqueGaps: gaps }) };
}

/** The brief in its own words, for whoever plans. */
export function briefText(on: Bus): string | undefined {
  return [...on.talk().facts.values()].findLast(({ fact_id }) => BRIEF.test(fact_id))?.text;
}

/** The last number that the runtime recorded; an agent's own would be a way to look away. */
function recordedGaps(on: Bus): number | undefined {
  const said = on
    .talk()
    .messages.findLast(
      ({ role, meta }) => role === "runtime" && meta?.[CRITIQUE_GAPS] !== undefined,
    );
  const gaps = Number(said?.meta?.[CRITIQUE_GAPS]);
  return Number.isSafeInteger(gaps) && gaps >= 0 ? gaps : undefined;
}

/** @throws SwornError `INPUT_INVALID` when the board's brief cannot be read: it is not to be passed over. */
function readBrief(text: string): DesignBrief {
  try {
    return Brief.parse(JSON.parse(text));
  } catch (cause) {
    throw new SwornError(
      "INPUT_INVALID",
      `the fact design.witness_brief is no brief (${messageOf(cause).slice(0, 200)}); record it again as design.witness_brief.2`,
      { cause },
    );
  }
}

/** How a question reads on a bus. */
export function questionText({ question, context }: GateQuestion): string {
  return `${question}\n\n${context}`.slice(0, 16_000).toWellFormed();
}

/**
 * The questions on a bus that are this one, whatever number their name has got. The gate's are the runtime's:
 * somebody else could ask the same, with a default and a deadline of their own.
 */
export function askedAs(on: Bus, question: GateQuestion): AskedQuestion[] {
  const name = question.id.toLowerCase();
  const text = questionText(question);
  return [...on.talk().questions.values()].filter(
    (one) =>
      one.by === RUNTIME.agent &&
      one.text === text &&
      (one.question_id === name || one.question_id.startsWith(`${name}.`)),
  );
}

/**
 * What was answered. Questions of a plan are for people: what an agent answered, its lead included,
 * leaves them open.
 */
export function answersTo(on: Bus, questions: readonly GateQuestion[]): GateFacts["answers"] {
  return questions.flatMap((question) => {
    const closed = askedAs(on, question).findLast((one) => isSettled(on, one));
    if (closed?.answer === undefined) return [];
    const { text, isDefault } = closed.answer;
    return [{ id: question.id, answer: text, isDefault }];
  });
}

/** Whether a question's answer counts for the gate. */
export function isSettled(on: Bus, { answer }: AskedQuestion): boolean {
  return answer !== undefined && (answer.isDefault || isPerson(on, answer.by));
}

function isPerson(on: Bus, agent: string): boolean {
  return on.rolesOf(agent)?.includes("operator") ?? false;
}
