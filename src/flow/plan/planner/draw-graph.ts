import {
  checkPlan,
  cutToBudget,
  type GateReport,
  READY_POINTS_MIN,
  touchedBy,
  type Violation,
} from "../../../plan/gate/index.ts";
import {
  assemblePlan,
  type CollisionAnswer,
  CollisionAnswer as CollisionShape,
  checkDraft,
  checked,
  collisionPrompt,
  type Draft,
  type DraftSubtask,
  graphPrompt,
  namesOne,
  questionId,
  readAnswer,
  readDraft,
  withCount,
} from "../../../plan/planner/index.ts";
import type { Verimap } from "../../../schema/plan.ts";
import { type Ended, isEnded, type PlanningScene } from "./planning-scene.ts";
import type { Understood } from "./understand.ts";

/** A draft with the collision checks of its subtasks. */
export interface Drawn {
  readonly draft: Draft;
  readonly collisions: ReadonlyMap<string, CollisionAnswer>;
}

/** What a critique found: how often the plan had a gap, in a sentence. */
export interface Critique {
  readonly gaps: number;
  readonly summary: string;
}

const TO_BE_CHECKED: CollisionAnswer = {
  verdict: "None",
  verification_status: "PARTIAL",
  evidence: "It is checked once the graph stands.",
};
const UNVERIFIED: CollisionAnswer = {
  verdict: "None found",
  verification_status: "UNVERIFIED",
  evidence: "",
};
const NO_CRITIQUE: Critique = { gaps: 0, summary: "0 gaps found" };

/** The prompt of phase 3; repairs are asked for with the same one. */
export function promptOfGraph({ known, doubts }: PlanningScene, understood: Understood): string {
  const open = doubts.questions.map(({ question }, at) => ({ id: questionId(at), question }));
  const { facts, sweep, selected } = understood;
  return graphPrompt(known, { facts, sweep, reading: selected.reading, open });
}

/** Phase 3: the graph, judged by the gate before it counts, and a collision check where one is due. */
export async function drawGraph(
  scene: PlanningScene,
  understood: Understood,
  prompt: string,
): Promise<Drawn | Ended> {
  const open = scene.doubts.questions.map(({ question }, at) => ({ id: questionId(at), question }));
  const taken = await scene.steps.take("graph", prompt, {
    read: (text) =>
      checked(readDraft(text), (draft) => {
        const pending = new Map(draft.subtasks.map(({ id }) => [id, TO_BE_CHECKED]));
        const { finding } = settle(scene, understood, { draft, collisions: pending }, NO_CRITIQUE);
        // Both at once: with three tries, nobody should learn of one only after the other.
        return [...checkDraft(draft, open), ...finding.violations.map(draftLine)];
      }),
  });
  if (taken.kind !== "taken") return taken;
  const collisions = new Map<string, CollisionAnswer>();
  for (const subtask of taken.value.subtasks.filter(touchedBy)) {
    const checkedOne = await checkCollision(scene, subtask);
    if (isEnded(checkedOne)) return checkedOne;
    collisions.set(subtask.id, checkedOne);
  }
  return { draft: taken.value, collisions };
}

async function checkCollision(
  { steps, systems, isFile, known }: PlanningScene,
  subtask: DraftSubtask,
): Promise<CollisionAnswer | Ended> {
  const taken = await steps.take("collision", collisionPrompt(subtask, systems, known.commit), {
    read: (text) => readAnswer(text, CollisionShape),
    unverified: UNVERIFIED,
  });
  if (taken.kind !== "taken") return taken;
  const { evidence } = taken.value;
  const isSystem = (word: string) => systems.some(({ name }) => name === word);
  const isShown = namesOne(evidence, (word) => isFile(word) || isSystem(word));
  // Evidence that nobody can look at is none.
  return isShown ? taken.value : { ...taken.value, verification_status: "UNVERIFIED" };
}

/** The plan as it would go out, with what the gate counts, and what the gate then says about it. */
export function settle(
  scene: PlanningScene,
  { selected, rejected, facts }: Understood,
  { draft, collisions }: Drawn,
  { gaps, summary }: Critique,
): { plan: Verimap; finding: GateReport } {
  const { known, doubts, staging, design } = scene;
  const parts = { request: known.request, draft, selected, rejected, doubts, collisions, staging };
  const bare = assemblePlan({ ...parts, critique: summary });
  const counted = checkPlan(bare, { critiqueGaps: gaps });
  const { points, deductions } = counted;
  const isReady = points >= READY_POINTS_MIN && bare.blocking_questions.length === 0;
  const found = facts.findings.map(({ statement }) => statement).join(" ");
  const words = `${facts.premise}. ${found}`.trim();
  const { plan } = cutToBudget(withCount(bare, { points, deductions, isReady }, words));
  return { plan, finding: checkPlan(plan, { critiqueGaps: gaps, design }) };
}

/** The same for whoever draws a graph, who has no field to log or to ask in. */
function draftLine(violation: Violation): string {
  const line = violationLine(violation);
  return violation.rule === "injection-guard"
    ? `${line}; neither is a field of yours: take these words out`
    : line;
}

/** A violation as feedback: where, what, and by which rule. */
export function violationLine({ path, message, rule }: Violation): string {
  return `${path === "" ? "the plan" : path}: ${message} [${rule}]`;
}
