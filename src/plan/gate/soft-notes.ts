import { counted } from "../../base/index.ts";
import type { Plan, Verimap } from "../../schema/plan.ts";

/** What the source document asks of planners that no rule can refuse a plan for. */
export function softNotes(plan: Plan | Verimap): string[] {
  const rejected = plan.interpretations_rejected.length;
  const labels = ["happy_path", "failure_path", "edge_case"] as const;
  const uncovered = plan.subtasks.filter(
    ({ edge_cases }) => !labels.every((label) => edge_cases.some((one) => one.label === label)),
  );
  return [
    ...(rejected < 2
      ? [
          `interpretations_rejected has ${counted(rejected, "reading")}; two besides the one that was taken would be expected`,
        ]
      : []),
    ...(plan.scope.out.length === 0 ? ["scope.out is empty: what is not excluded is unclear"] : []),
    ...(/\bnever\b/i.test(plan.negative_contract)
      ? []
      : ["negative_contract names nothing that the plan NEVER does"]),
    ...(uncovered.length > 0
      ? [
          `${uncovered.length} subtasks lack one of happy_path, failure_path and edge_case: ${uncovered
            .slice(0, 5)
            .map(({ id }) => id)
            .join(", ")}`,
        ]
      : []),
  ];
}
