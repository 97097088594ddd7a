import type { Plan, Verimap } from "../../schema/plan.ts";
import { isGateQuestion } from "./gate-questions.ts";
import type { Violation } from "./gate-report.ts";

/** More rounds than this are not listed: one of these has to go in any case. */
const CYCLES_MAX = 50;

type Subtasks = readonly { readonly id: string; readonly depends_on: readonly string[] }[];

/** Unknown and repeated names, and subtasks that wait for each other. */
export function checkGraph(plan: Plan | Verimap): Violation[] {
  return [...checkIds(plan), ...checkUnknown(plan), ...checkCycles(plan.subtasks)];
}

function checkIds({ subtasks, blocking_questions }: Plan | Verimap): Violation[] {
  const taken = blocking_questions.flatMap(({ id }, at): Violation[] => {
    const message = `${id} is for questions of the gate's own: number the plan's from BQ-01`;
    const path = `blocking_questions[${at}].id`;
    return isGateQuestion(id) ? [{ rule: "duplicate-id", path, message }] : [];
  });
  return [
    ...repeated(subtasks, "subtasks"),
    ...repeated(blocking_questions, "blocking_questions"),
    ...taken,
  ];
}

function repeated(all: readonly { readonly id: string }[], where: string): Violation[] {
  const first = new Map<string, number>();
  return all.flatMap(({ id }, at) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, at);
    const message = `${id} is the name of ${where}[${before}] already: give it another`;
    return before === undefined
      ? []
      : [{ rule: "duplicate-id", path: `${where}[${at}].id`, message }];
  });
}

function checkUnknown(plan: Plan | Verimap): Violation[] {
  const known = new Set(plan.subtasks.map(({ id }) => id));
  const unknown = (id: string, path: string): Violation[] =>
    known.has(id)
      ? []
      : [
          {
            rule: "unknown-id",
            path,
            message: `there is no subtask ${id}: correct the name, or add it`,
          },
        ];
  return [
    ...plan.subtasks.flatMap(({ depends_on, context_required }, at) => [
      ...depends_on.flatMap((id, index) => unknown(id, `subtasks[${at}].depends_on[${index}]`)),
      ...Object.keys(context_required).flatMap((id) =>
        unknown(id, `subtasks[${at}].context_required.${id}`),
      ),
    ]),
    ...Object.keys(plan.staging_paths).flatMap((id) => unknown(id, `staging_paths.${id}`)),
    ...plan.assembly_order.flatMap((id, at) => unknown(id, `assembly_order[${at}]`)),
    ...plan.blocking_questions.flatMap(({ blocking }, at) =>
      unknown(blocking, `blocking_questions[${at}].blocking`),
    ),
  ];
}

function checkCycles(subtasks: Subtasks): Violation[] {
  const place = new Map(subtasks.map(({ id }, at) => [id, at]));
  return findCycles(subtasks).map((cycle) => {
    const at = place.get(cycle[0] ?? "") ?? 0;
    const round = [...cycle, cycle[0]].join(" → ");
    const message = `${round}: each waits for the next; take one of these dependencies out`;
    return { rule: "cycle", path: `subtasks[${at}].depends_on`, message };
  });
}

/**
 * Rounds of subtasks that wait for each other, each beginning where the walk met it first. Iterative,
 * because a long chain must not use up the stack.
 */
export function findCycles(subtasks: Subtasks): string[][] {
  const needs = new Map(subtasks.map(({ id, depends_on }) => [id, depends_on]));
  const state = new Map<string, "open" | "done">();
  const cycles: string[][] = [];
  for (const { id } of subtasks) {
    if (!state.has(id)) walkFrom(id, needs, state, cycles);
  }
  return cycles;
}

function walkFrom(
  root: string,
  needs: ReadonlyMap<string, readonly string[]>,
  state: Map<string, "open" | "done">,
  cycles: string[][],
): void {
  const trail = [{ id: root, next: 0 }];
  state.set(root, "open");
  for (let top = trail.at(-1); top && cycles.length < CYCLES_MAX; top = trail.at(-1)) {
    const wanted = needs.get(top.id)?.[top.next];
    top.next += 1;
    if (wanted === undefined) {
      state.set(top.id, "done");
      trail.pop();
    } else if (state.get(wanted) === "open") {
      cycles.push(trail.slice(trail.findIndex(({ id }) => id === wanted)).map(({ id }) => id));
    } else if (!state.has(wanted) && needs.has(wanted)) {
      state.set(wanted, "open");
      trail.push({ id: wanted, next: 0 });
    }
  }
}
