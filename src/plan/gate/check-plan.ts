import type { Plan, Verimap } from "../../schema/plan.ts";
import { checkAmbiguities } from "./ambiguities.ts";
import { checkAssembly } from "./assembly.ts";
import { checkBudget } from "./budget.ts";
import { checkCollisions } from "./collision.ts";
import { checkContextKeys } from "./context-keys.ts";
import { checkCovers } from "./covered.ts";
import { checkCriteria, checkEffort } from "./criterion-rules.ts";
import { countGaps } from "./critique.ts";
import { countDeductions, pointsOf } from "./deductions.ts";
import { checkDesign } from "./design.ts";
import { gateQuestion } from "./gate-questions.ts";
import type { Deduction, GateFacts, GateQuestion, GateReport, Violation } from "./gate-report.ts";
import { checkGraph } from "./graph.ts";
import { checkLaw02 } from "./law-02.ts";
import { type Lowered, lowerSubtask } from "./lower.ts";
import { checkOverrides } from "./override-language.ts";
import { checkOwners } from "./ownership.ts";
import { checkProofs } from "./proof-rules.ts";
import { planQuestions, settle } from "./questions.ts";
import { type ReadSubtask, readSubtask } from "./read-subtask.ts";
import { checkScore, READY_POINTS_MIN } from "./score.ts";
import { readShape } from "./shape.ts";
import { softNotes } from "./soft-notes.ts";
import { checkStaging } from "./staging.ts";

/**
 * Judges a plan in either form: its shape, every law and invariant, its arithmetic, its questions.
 * Nothing in the plan is believed that can be counted. A plan whose shape is broken has no points.
 */
export function checkPlan(value: unknown, facts: GateFacts = {}): GateReport {
  const shape = readShape(value);
  const subtasks = shape.sound.map(readSubtask);
  const lowered = subtasks.map(lowerSubtask);
  const local = subtasks.flatMap((read, at) => checkSubtask(read, lowered[at]));
  const { form, plan } = shape;
  if (plan === undefined) {
    const violations = [...shape.violations, ...local];
    return { form, ready: false, points: 0, deductions: [], violations, questions: [], notes: [] };
  }
  return judge({ form, plan, subtasks, lowered, local, facts });
}

function checkSubtask(read: ReadSubtask, lowered: Lowered | undefined): Violation[] {
  return [
    ...checkLaw02(read),
    ...checkCriteria(read),
    ...checkEffort(read),
    ...checkProofs(read),
    ...checkCovers(read),
    ...(lowered?.violations ?? []),
  ];
}

/** A plan whose shape is whole, with what was read of it. */
interface WholePlan {
  readonly form: GateReport["form"];
  readonly plan: Plan | Verimap;
  readonly subtasks: readonly ReadSubtask[];
  readonly lowered: readonly Lowered[];
  readonly local: readonly Violation[];
  readonly facts: GateFacts;
}

function judge({ form, plan, subtasks, lowered, local, facts }: WholePlan): GateReport {
  const own: Plan = { ...plan, subtasks: lowered.map(({ subtask }) => subtask) };
  const critique = countGaps(plan.cove_critique_summary, facts.critiqueGaps);
  const counted = countDeductions(plan, subtasks, critique.gaps);
  const text = JSON.stringify(plan);
  const overrides = checkOverrides(plan, text);
  const design = checkDesign(plan, facts.design);
  const budget = form === "verimap" ? checkBudget(plan, text) : { violations: [], notes: [] };
  const violations = [
    ...local,
    ...checkGraph(plan),
    ...checkContextKeys(plan),
    ...checkAmbiguities(plan),
    ...checkCollisions(plan),
    ...checkStaging(plan),
    ...checkOwners(own),
    ...checkAssembly(plan),
    ...critique.violations,
    ...checkScore(plan, counted),
    ...overrides.violations,
    ...design.violations,
    ...budget.violations,
  ];
  const asked = [...planQuestions(plan), ...overrides.questions, ...design.questions];
  const { open, deductions: settled } = settle(plan, asked, counted, facts.answers ?? []);
  const deductions = [...settled, ...stillAssumed(design, facts)];
  const points = pointsOf(deductions);
  const questions = [...open, ...oneMore(points, deductions, open)];
  return {
    form,
    plan: own,
    ready: violations.length === 0 && questions.length === 0 && points >= READY_POINTS_MIN,
    points,
    deductions,
    violations,
    questions,
    notes: [...budget.notes, ...softNotes(plan)],
  };
}

/** Going on without a design costs as long as nobody answered; a default that was taken costs by itself. */
function stillAssumed(
  { assumed, questions }: ReturnType<typeof checkDesign>,
  { answers = [] }: GateFacts,
): readonly Deduction[] {
  const isClosed = questions.some(({ id }) => answers.some((answer) => answer.id === id));
  return isClosed ? [] : assumed;
}

/** Below 90 nobody rounds or guesses: one more question is asked, about what costs most. */
function oneMore(
  points: number,
  deductions: readonly Deduction[],
  open: readonly GateQuestion[],
): GateQuestion[] {
  if (points >= READY_POINTS_MIN || open.length > 0) return [];
  const worst = deductions.toSorted((a, b) => b.points - a.points)[0];
  if (worst === undefined) return [];
  return [
    gateQuestion("score", {
      question: `The plan has ${points} points and needs ${READY_POINTS_MIN}. What settles this: ${worst.reason}?`,
      context: `It costs ${worst.points} points, more than anything else. Write the answer into the plan and check it again.`,
      default: "Nothing starts.",
    }),
  ];
}
