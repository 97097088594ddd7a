import type { Plan, Verimap } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";

/** The order in which outputs are put together: each once, after what it depends on; and who watches. */
export function checkAssembly(plan: Plan | Verimap): Violation[] {
  const { assembly_order: order, subtasks } = plan;
  const place = new Map<string, number>();
  const violations: Violation[] = [];
  for (const [at, id] of order.entries()) {
    if (place.has(id)) {
      violations.push(wrong(at, `${id} stands at ${place.get(id)} already: name it once`));
    } else place.set(id, at);
  }
  for (const [at, { id, depends_on }] of subtasks.entries()) {
    const own = place.get(id);
    if (own === undefined) {
      const message = `${id} is not in assembly_order: nothing takes its output up; add it, or take the subtask out`;
      violations.push({ rule: "orphan", path: `subtasks[${at}].id`, message });
      continue;
    }
    const late = depends_on.filter((wanted) => wanted !== id && (place.get(wanted) ?? -1) > own);
    for (const wanted of late) {
      violations.push(
        wrong(own, `${id} stands before ${wanted}, which it depends on: put it behind`),
      );
    }
  }
  return [...violations, ...checkMonitor(plan)];
}

function checkMonitor({ subtasks, deacon_required }: Plan | Verimap): Violation[] {
  if (subtasks.length <= 1 || deacon_required) return [];
  const message = `there are ${subtasks.length} subtasks, and somebody has to watch them: set it to true`;
  return [{ rule: "invariant-monitor", path: "deacon_required", message }];
}

function wrong(at: number, message: string): Violation {
  return { rule: "assembly-order", path: `assembly_order[${at}]`, message };
}
