import { counted } from "../base/index.ts";
import type { PlanningOutcome } from "../flow/plan/planner/plan-request.ts";
import type { StepUse } from "../flow/plan/planner/planner-steps.ts";
import { DESIGN_QUESTION } from "../plan/planner/index.ts";
import type { Answer } from "./io.ts";
import { JUDGE_FIRST } from "./missing-judge.ts";
import { notesOf, planWords, unbroken } from "./plan-words.ts";
import { table } from "./table.ts";

const EXITS = { ready: 0, blocked: 3, unusable: 2 } as const;

/** What came of planning, with the file that holds the plan, and what else a person should know. */
export function planningAnswer(
  outcome: PlanningOutcome,
  path: string | null,
  lacks?: string,
): Answer {
  const { verdict, report, task, agent, trace, plan, questions, violations, phases } = outcome;
  return {
    exit: EXITS[verdict],
    json: {
      ready: verdict === "ready",
      points: report?.points ?? 0,
      deductions: report?.deductions ?? [],
      violations,
      questions,
      notes: report === null ? [] : notesOf(report, lacks),
      ...{ verdict, task, agent, trace, path, phases, plan },
    },
    words: [
      report === null ? withoutPlan(outcome) : planWords(report, "solo", lacks),
      "",
      budgetTable(phases),
      ...(path === null ? [] : [`plan ${path}`]),
      ...(trace === null ? [] : [`trace ${trace}`]),
      nextWords(outcome, path, lacks),
    ].join("\n"),
    isAnswered: true,
  };
}

function withoutPlan({ verdict, questions, violations }: PlanningOutcome): string {
  if (verdict === "unusable") {
    const all = violations.map(({ path, message }) => unbroken(`  ${path}: ${message}`));
    return ["There is no plan: no answer could be used after three tries.", ...all].join("\n");
  }
  return [
    `There is no plan yet: ${counted(questions.length, "question")} to answer first.`,
    ...questions.flatMap(({ id, question, context, default: assumed }) => [
      `  ${id}: ${question}`,
      `    why: ${context}`,
      `    without an answer: ${assumed}`,
    ]),
  ]
    .map(unbroken)
    .join("\n");
}

/** Every step with what it used of what it had, so that a shortage shows where it arose. */
function budgetTable(phases: readonly StepUse[]): string {
  const rows = phases.map((one) => [
    String(one.phase),
    one.title,
    `${one.runs}${one.recalled === 0 ? "" : ` (${one.recalled} known)`}`,
    one.tool_calls_each === null ? "-" : `${used(one)} of ${allowed(one)}`,
    one.counted_by === null ? "" : COUNTED[one.counted_by],
    one.ended === 0 ? "" : `${counted(one.ended, "run")} ended at the ceiling`,
  ]);
  return table(["PHASE", "STEP", "RUNS", "TOOL USES", "COUNTED", ""], rows);
}

/** How uses of tools were counted, so that nobody takes a 0 for more than it is. */
const COUNTED = {
  told: "as it tells",
  seen: "programs seen",
  partly: "programs seen, maybe not all",
  nothing: "not at all: nothing can be seen here (sworn doctor)",
} as const satisfies Readonly<Record<NonNullable<StepUse["counted_by"]>, string>>;

function used({ tool_calls, counted_by }: StepUse): string {
  return counted_by === "nothing" ? "?" : String(tool_calls);
}

function allowed({ tool_calls_each: each, runs }: StepUse): number {
  return (each ?? 0) * Math.max(1, runs);
}

function nextWords(
  { verdict, task, questions }: PlanningOutcome,
  path: string | null,
  lacks: string | undefined,
): string {
  const first = lacks === undefined ? "" : `${JUDGE_FIRST} `;
  if (verdict === "ready") return `Next: ${first}sworn work ${path ?? "<plan>"}`;
  if (verdict === "unusable") return "Next: look at the trace, choose another agent, or use --from";
  const answer = `sworn answer --task ${task} <question> <answer>, then plan again`;
  const isBare = questions.some(({ question }) => question === DESIGN_QUESTION);
  return isBare
    ? `Next: plan again with --no-design 'why none is needed', or ${answer}`
    : `Next: ${answer}`;
}
