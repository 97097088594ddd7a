import { sha256Hex } from "../../base/index.ts";
import { type GateReport, handoverOf } from "../../plan/index.ts";
import type { Handover } from "../../schema/plan.ts";
import { HANDOVER, PLAN_DIGEST, type Refusal } from "../../view/index.ts";
import { ask, takeDefaults } from "../talk/ask.ts";
import { type Bus, isRefused, OPERATOR, RUNTIME } from "../talk/bus.ts";
import { post } from "../talk/post.ts";
import { readMessage } from "../talk/read-bus.ts";
import { lockBoard } from "../talk/task-board.ts";
import { judgePlan } from "./judge-plan.ts";
import { answersTo, askedAs, boardFacts, isSettled, questionText } from "./plan-facts.ts";

/** How long a plan waits for a person before it goes on with what it assumed, at a price. */
const WAIT_MS = 24 * 60 * 60 * 1_000;
/** The question that is only about the points: no answer on a bus changes them. */
const ABOUT_POINTS = "BQ-9004";

/** Stands for a plan where planning came to none. */
export const NO_PLAN = sha256Hex("");

/** A plan of a task as it was judged, and what stands on the board about it. */
export interface TaskPlan {
  readonly report: GateReport;
  /** Names the plan's bytes. */
  readonly digest: string;
  readonly handover: Handover;
}

/**
 * Judges a plan for a task, with what the task's board knows, and writes down what came of it: the plan,
 * its questions, the hand-over record and the board that it was judged from. Ready or not, it is written.
 *
 * @param deadline when defaults are taken; a day from now where nobody says.
 */
export async function checkTaskPlan(
  on: Bus,
  bytes: Uint8Array,
  deadline?: string,
): Promise<TaskPlan | Refusal> {
  await takeDefaults(on);
  const report = judgeOnBoard(on, bytes);
  const until = deadline ?? deadlineOf(on);
  for (const question of report.questions) {
    const refusal = await askOnce(on, question, until);
    if (refusal) return refusal;
  }
  const digest = sha256Hex(bytes);
  const text = Buffer.from(bytes).toString("utf8").toWellFormed();
  const meta = { [PLAN_DIGEST]: digest };
  if (text !== "" && on.talk().plan?.digest !== digest) {
    const said = await post(on, RUNTIME, { kind: "INFO", text, meta });
    if (isRefused(said)) return said;
  }
  return writeHandover(on, report, digest);
}

/** When defaults are taken of what is asked now. */
export function deadlineOf(on: Bus): string {
  return new Date(on.place.clock() + WAIT_MS).toISOString();
}

/**
 * Judges the plan of a task once more, after something was answered; undefined where it has none.
 *
 * @throws SwornError `LEDGER_CORRUPT` when the stored plan is not as it was recorded.
 */
export async function checkPlanAgain(on: Bus): Promise<TaskPlan | Refusal | undefined> {
  const { plan } = on.talk();
  if (plan === undefined || plan.digest === NO_PLAN) return undefined;
  const bytes = Buffer.from(readMessage(on, plan.id).text, "utf8");
  return writeHandover(on, judgeOnBoard(on, bytes), plan.digest);
}

/** What the gate says about a plan with all that the board knows; nothing is written. */
export function judgeOnBoard(on: Bus, bytes: Uint8Array): GateReport {
  const facts = boardFacts(on);
  const { questions } = judgePlan(bytes, facts);
  return judgePlan(bytes, { ...facts, answers: answersTo(on, questions) });
}

/** Puts a plan's question on its task's bus, unless it is open there or settled. */
export async function askOnce(
  on: Bus,
  question: GateReport["questions"][number],
  deadline: string,
): Promise<Refusal | undefined> {
  const known = askedAs(on, question);
  const isAsked = known.some((one) => one.answer === undefined || isSettled(on, one));
  if (isAsked || question.id === ABOUT_POINTS) return undefined;
  const answer = await ask(on, RUNTIME, {
    text: questionText(question),
    default: question.default.slice(0, 4_000).toWellFormed(),
    question_id: freeName(on, question.id.toLowerCase()),
    ...(question.blocks === null ? {} : { blocks: question.blocks.toLowerCase() }),
    tier: 3,
    deadline,
  });
  return isRefused(answer) ? answer : undefined;
}

/** A later plan of the task may have another question of the same name: that gets a number. */
function freeName(on: Bus, name: string): string {
  const { questions } = on.talk();
  if (!questions.has(name)) return name;
  let next = 2;
  while (questions.has(`${name}.${next}`)) next += 1;
  return `${name}.${next}`;
}

/** Writes the record as the runtime, whose word is the only one that counts here. */
async function writeHandover(
  on: Bus,
  report: GateReport,
  digest: string,
): Promise<TaskPlan | Refusal> {
  const handover = handoverOf(report);
  const said = await recordHandover(on, digest, handover);
  if (isRefused(said)) return said;
  const locked = await lockBoard(on, OPERATOR);
  return isRefused(locked) ? locked : { report, digest, handover };
}

/** Puts a hand-over record on the board of a plan that was judged there. */
export async function recordHandover(on: Bus, digest: string, handover: Handover) {
  const meta = { [PLAN_DIGEST]: digest, [HANDOVER]: handover.phase };
  return post(on, RUNTIME, { kind: "DECISION", text: JSON.stringify(handover), meta });
}
