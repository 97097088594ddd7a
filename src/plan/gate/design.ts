import type { Plan, Verimap } from "../../schema/plan.ts";
import { COSTS } from "./deductions.ts";
import { gateQuestion } from "./gate-questions.ts";
import type {
  Deduction,
  DesignBrief,
  DesignFacts,
  GateQuestion,
  Violation,
} from "./gate-report.ts";
import { foldedPath } from "./staging.ts";

type AnyPlan = Plan | Verimap;

/** What a design says when its work may be planned. */
const PROMISED = "DESIGN_COMPLETE_WITNESS_REQUIRED";

/** What phase −1 finds. */
export interface DesignFindings {
  readonly violations: readonly Violation[];
  readonly questions: readonly GateQuestion[];
  /** What going on without a design costs, as long as nobody says that it is meant. */
  readonly assumed: readonly Deduction[];
}

const NOTHING: DesignFindings = { violations: [], questions: [], assumed: [] };

/** Phase −1: whether a design came before the plan, was handed over at the gate, and is followed. */
export function checkDesign(plan: AnyPlan, facts: DesignFacts | undefined): DesignFindings {
  if (facts === undefined) return NOTHING;
  if (facts.promise === "COMPLETE") return passedBy(facts);
  if (facts.brief !== undefined) return { ...NOTHING, violations: checkBrief(plan, facts.brief) };
  if (facts.promise === PROMISED || isSaid(facts.noneReason)) return NOTHING;
  return notDesigned(plan, facts.promise);
}

function isSaid(reason: string | undefined): boolean {
  return reason !== undefined && reason.trim() !== "";
}

function passedBy({ skippedReason }: DesignFacts): DesignFindings {
  if (isSaid(skippedReason)) return NOTHING;
  const message = `the design's promise is COMPLETE, so the gate was passed by: it has to be ${PROMISED}; plan again, or put a witness_skipped_reason on record`;
  const question = gateQuestion("promise", {
    question:
      "The design's promise was set to COMPLETE, past the planning gate. Was this intentional?",
    context: "Plan again with the promise corrected, or record a witness_skipped_reason.",
    default: "It was not. The plan is refused.",
  });
  return {
    ...NOTHING,
    violations: [{ rule: "invariant-promise", path: "", message }],
    questions: [question],
  };
}

function notDesigned(plan: AnyPlan, promise: string | undefined): DesignFindings {
  const isAsked = plan.blocking_questions.some(({ question }) => /\bdesign\b/i.test(question));
  if (isAsked) return NOTHING;
  const said =
    promise === undefined ? "" : ` Its promise reads ${JSON.stringify(promise.slice(0, 100))}.`;
  const question = gateQuestion("design", {
    question: "No design was made before this plan. Is that intended?",
    context: `The board has no design brief and not the promise ${PROMISED}.${said}`,
    default: "It is intended: the plan is all the design there is.",
  });
  const reason = "HIGH-risk assumption: no design came before the plan";
  return { ...NOTHING, questions: [question], assumed: [{ reason, points: COSTS.high }] };
}

function checkBrief(plan: AnyPlan, brief: DesignBrief): Violation[] {
  const { subtask_count: count, assembly_order: order, staging_paths = {}, criteria = [] } = brief;
  const held = new Set(plan.subtasks.flatMap(criteriaOf));
  const own = plan.subtasks.length;
  const isOtherOrder = order !== undefined && order.join(" ") !== plan.assembly_order.join(" ");
  return [
    ...(count === undefined || count === own
      ? []
      : [differs("subtasks", `the brief has ${count} subtasks, the plan ${own}`)]),
    ...(isOtherOrder
      ? [differs("assembly_order", `the brief's order is ${order.join(", ")}`)]
      : []),
    ...Object.entries(staging_paths)
      .filter(
        ([id, { output_file }]) => !isSamePath(plan.staging_paths[id]?.output_file, output_file),
      )
      .map(([id, { output_file }]) =>
        differs(`staging_paths.${id}`, `the brief puts its output at ${output_file}`),
      ),
    ...criteria
      .filter((criterion) => !held.has(spelt(criterion)))
      .map((criterion) => {
        const shown = JSON.stringify(criterion.slice(0, 200));
        return differs("subtasks", `no subtask has the brief's criterion ${shown}`);
      }),
  ];
}

function differs(path: string, message: string): Violation {
  return { rule: "phase-minus-1", path, message };
}

function isSamePath(own: string | undefined, wanted: string): boolean {
  return own !== undefined && foldedPath(own) === foldedPath(wanted);
}

function criteriaOf({ verification_functions }: AnyPlan["subtasks"][number]): string[] {
  const { python_assertions, natural_language_checks } = verification_functions;
  return [...python_assertions, ...natural_language_checks].map(spelt);
}

function spelt(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
