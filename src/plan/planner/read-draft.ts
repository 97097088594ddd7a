import { Verimap } from "../../schema/plan.ts";
import { Draft } from "./answer-shapes.ts";
import { type ReadAnswer, readAnswer } from "./read-answer.ts";

/**
 * A draft from an answer. A planner that knows the source's form may hand in a whole plan: then its own
 * parts are taken, and what the runtime writes itself is left aside, whatever the planner put there.
 */
export function readDraft(text: string): ReadAnswer<Draft> {
  const { value: plan } = readAnswer(text, Verimap);
  if (plan === undefined) return readAnswer(text, Draft);
  const { verimapped_task, scope, negative_contract, assembly_order, subtasks } = plan;
  const own = subtasks.map(({ kingdom_collision_check: _, ...rest }) => rest);
  const value = { verimapped_task, scope, negative_contract, assembly_order, subtasks: own };
  return { value: { ...value, blocks: {} }, violations: [] };
}
