import type { Plan, Verimap } from "../../schema/plan.ts";

/** How strict a session is about open questions. */
export type GateProfile = "solo" | "team" | "strict";

/** All of a question that matters here; null stops the whole plan. */
export interface OpenQuestion {
  readonly blocks: string | null;
}

type Subtasks = Pick<Plan | Verimap, "subtasks">;

/**
 * The subtasks that wait for an answer: those that questions name, and all that depends on them. In
 * `strict` one open question holds everything; so does one that names nothing or nobody of the plan.
 */
export function heldSubtasks(
  { subtasks }: Subtasks,
  open: readonly OpenQuestion[],
  profile: GateProfile,
): ReadonlySet<string> {
  const all = new Set(subtasks.map(({ id }) => id));
  const named = open.map(({ blocks }) => blocks);
  if (named.length === 0) return new Set();
  if (profile === "strict" || named.some((id) => id === null || !all.has(id))) return all;
  const followers = new Map<string, string[]>();
  for (const { id, depends_on } of subtasks) {
    for (const wanted of depends_on) followers.set(wanted, [...(followers.get(wanted) ?? []), id]);
  }
  const held = new Set<string>();
  const waiting = named.filter((id) => id !== null);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (held.has(id)) continue;
    held.add(id);
    waiting.push(...(followers.get(id) ?? []));
  }
  return held;
}

/**
 * The subtasks that may begin now, in the plan's order: not held by a question, not done, and all they
 * depend on done. It asks nothing about points or violations: a plan that has to be refused for those
 * never comes here.
 */
export function mayStart(
  plan: Subtasks,
  open: readonly OpenQuestion[],
  profile: GateProfile,
  done: ReadonlySet<string> = new Set(),
): string[] {
  const held = heldSubtasks(plan, open, profile);
  return plan.subtasks
    .filter(
      ({ id, depends_on }) =>
        !done.has(id) && !held.has(id) && depends_on.every((one) => done.has(one)),
    )
    .map(({ id }) => id);
}
