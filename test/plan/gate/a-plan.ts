import { readFileSync } from "node:fs";
import { checkPlan } from "../../../src/plan/index.ts";
import type { Verimap } from "../../../src/schema/plan.ts";

const EXAMPLE = readFileSync(
  new URL("../../../examples/plan-verimap.json", import.meta.url),
  "utf8",
);

/** The ready plan of the examples: a CODE, a CONFIG, an INFRA and a DOCS subtask. */
export function aPlan(): Verimap {
  return JSON.parse(EXAMPLE) as Verimap;
}

/** A subtask of it by its place. */
export function subtaskOf(plan: Verimap, at: number): Verimap["subtasks"][number] {
  const subtask = plan.subtasks[at];
  if (!subtask) throw new Error(`the example has no subtask ${at}`);
  return subtask;
}

/** The same with something done to it. */
export function planWith(change: (plan: Verimap) => void): Verimap {
  const plan = aPlan();
  change(plan);
  return plan;
}

/** The rules that a changed plan breaks, with where. */
export function broken(change: (plan: Verimap) => void): string[] {
  return checkPlan(planWith(change)).violations.map(({ rule, path }) => `${rule} ${path}`);
}

/** What a changed plan is told, for one rule. */
export function told(rule: string, change: (plan: Verimap) => void): string[] {
  return checkPlan(planWith(change))
    .violations.filter((one) => one.rule === rule)
    .map(({ message }) => message);
}
