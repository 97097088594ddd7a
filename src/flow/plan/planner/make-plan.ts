import { type GateReport, READY_POINTS_MIN } from "../../../plan/gate/index.ts";
import { raiseOverrides } from "../../../plan/planner/index.ts";
import type { Verimap } from "../../../schema/plan.ts";
import { type Criticised, criticise } from "./criticise.ts";
import { drawGraph, promptOfGraph, settle, violationLine } from "./draw-graph.ts";
import { overridesIn } from "./override-words.ts";
import { type Ended, isEnded, type PlanningScene } from "./planning-scene.ts";
import { type Understood, understand } from "./understand.ts";

/** A plan that may go out, ready or with its questions. */
export interface Made {
  readonly kind: "made";
  readonly plan: Verimap;
  readonly finding: GateReport;
  /** How many gaps the critique found. */
  readonly gaps: number;
}

/**
 * Plans a request: phases −1 to 5 in their order. What comes out has passed the gate's form; whether
 * it is ready or waits for answers the gate has computed, and nobody here can say otherwise.
 */
export async function makePlan(scene: PlanningScene): Promise<Made | Ended> {
  const understood = await understand(scene);
  if (isEnded(understood)) return understood;
  const first = await drawGraph(scene, understood, promptOfGraph(scene, understood));
  if (isEnded(first)) return first;
  const criticised = await criticise(scene, understood, first);
  if (isEnded(criticised)) return criticised;
  return emitOrBlock(scene, understood, criticised);
}

/** Phase 5: the score, and where it is too low, one more question instead of a guess. */
function emitOrBlock(
  scene: PlanningScene,
  understood: Understood,
  criticised: Criticised,
): Made | Ended {
  const { drawn, critique } = criticised;
  raiseLate(scene, criticised);
  const settled = () => settle(scene, understood, drawn, critique);
  let { plan, finding } = settled();
  const isSilent = finding.points < READY_POINTS_MIN && scene.doubts.questions.length === 0;
  if (isSilent && askOneMore(scene, criticised)) ({ plan, finding } = settled());
  if (finding.violations.length === 0) {
    return { kind: "made", plan, finding, gaps: critique.gaps };
  }
  return { kind: "unusable", step: "emit", violations: finding.violations.map(violationLine) };
}

/** What came up after the questions were numbered: who owns something, and what is still missing. */
function raiseLate({ doubts }: PlanningScene, { drawn, open, gaps }: Criticised): void {
  raiseOverrides(doubts, [
    ...overridesIn("What a collision check found", [...drawn.collisions.values()]),
    ...overridesIn("What the critique found", gaps),
  ]);
  for (const { id, name } of drawn.draft.subtasks) {
    if (drawn.collisions.get(id)?.verification_status !== "UNVERIFIED") continue;
    doubts.raise({
      ambiguity: `Whether an existing system does "${name}" already could not be found out.`,
      type: "SEMANTIC",
      risk: "LOW",
      question: `Does an existing system already do "${name}", and who owns it?`,
      context: `The collision check of ${id} is UNVERIFIED: building it twice would leave two owners.`,
      default: "No existing system does it.",
      blocking: id,
    });
  }
  for (const gap of open) {
    doubts.raise({
      ambiguity: `A gap that no repair closed: ${gap}`,
      type: "SEMANTIC",
      risk: "LOW",
      question: `The critique found a gap that the plan does not close: ${gap} What should be done about it?`,
      context: "The plan was repaired and compared again, and the gap was still there.",
      default: "It is left open, and written down as a debt.",
    });
  }
}

function askOneMore({ doubts }: PlanningScene, { gaps }: Criticised): boolean {
  if (doubts.askRiskiest()) return true;
  if (gaps.length === 0) return false;
  doubts.raise({
    ambiguity: `The critique found ${gaps.length} gaps, which are closed now.`,
    type: "SEMANTIC",
    risk: "LOW",
    question: `The critique found ${gaps.length} gaps: ${gaps.join(" ")} They are closed now, but the first draft did not see them. Is something else missing?`,
    context:
      "With so many blind spots the score is below 0.90. An answer starts a new draft and a new critique.",
    default: "Nothing else is missing.",
  });
  return true;
}
