import type { Plan, PlanSubtask } from "../../schema/plan.ts";
import type { SubtaskStatus } from "../../schema/work.ts";

/** The graph of a plan, and what of it can begin. It has no clock and starts nothing. */
export class WorkGraph {
  readonly #subtasks: ReadonlyMap<string, PlanSubtask>;
  readonly #dependents = new Map<string, string[]>();

  constructor({ subtasks }: Plan) {
    this.#subtasks = new Map(subtasks.map((one) => [one.id, one]));
    for (const { id, depends_on } of subtasks) {
      for (const upstream of new Set(depends_on)) {
        this.#dependents.set(upstream, [...(this.#dependents.get(upstream) ?? []), id]);
      }
    }
  }

  subtask(id: string): PlanSubtask | undefined {
    return this.#subtasks.get(id);
  }

  /** Whoever waits for this one, directly. */
  dependentsOf(id: string): readonly string[] {
    return this.#dependents.get(id) ?? [];
  }

  /** Whether everything that it stands on is there. An upstream nobody knows never is. */
  isReady(id: string, statusOf: (id: string) => SubtaskStatus | undefined): boolean {
    const subtask = this.#subtasks.get(id);
    if (subtask === undefined || statusOf(id) !== "waiting") return false;
    return subtask.depends_on.every((upstream) => isDone(statusOf(upstream)));
  }

  /** Everything that stands on one of these, however far; a ring ends where it began. */
  below(ids: Iterable<string>): Set<string> {
    const found = new Set<string>();
    const open = [...ids];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      for (const next of this.dependentsOf(id)) {
        if (!found.has(next)) open.push(next);
        found.add(next);
      }
    }
    return found;
  }
}

/** Whether a subtask's work counts: shown, or let through by a person who said why. */
export function isDone(status: SubtaskStatus | undefined): boolean {
  return status === "proven" || status === "waived";
}

/** Why a work may not be put together; empty when it may. */
export function whyLocked(state: {
  readonly planned: readonly string[];
  /** The subtasks that were expected when work began. */
  readonly expected: readonly string[];
  /** Those that were given to somebody, or waived by name. */
  readonly dispatched: ReadonlySet<string>;
  readonly statusOf: (id: string) => SubtaskStatus | undefined;
}): string[] {
  const { planned, expected, dispatched, statusOf } = state;
  const odd = [
    ...planned.filter((id) => !expected.includes(id)).map((id) => `${id} was not expected`),
    ...expected.filter((id) => !planned.includes(id)).map((id) => `${id} is not in the plan`),
  ];
  // With nothing expected or given out, "all of them are done" is true and says nothing.
  const empty = planned.length === 0 || dispatched.size === 0 ? ["nothing was given out"] : [];
  const open = planned.flatMap((id) => {
    if (!dispatched.has(id)) return [`${id} was not given out`];
    return isDone(statusOf(id)) ? [] : [`${id} is ${statusOf(id) ?? "unknown"}`];
  });
  return [...odd, ...empty, ...open];
}
