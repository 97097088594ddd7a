import type { Plan } from "../../schema/plan.ts";

/** All of a plan that its picture needs. */
export type Drawn = Pick<Plan, "subtasks">;

/**
 * The subtasks by how many others have to be done before them, at least. A plan with a cycle has no
 * such order: what is in it, or behind it, is left out.
 */
export function layersOf({ subtasks }: Drawn): string[][] {
  const layers: string[][] = [];
  for (const [id, level] of levelsOf(subtasks)) {
    const layer = layers[level] ?? [];
    layer.push(id);
    layers[level] = layer;
  }
  return layers;
}

/** The longest chain of subtasks that wait for each other: no number of workers makes it shorter. */
export function criticalPath({ subtasks }: Drawn): string[] {
  const levels = levelsOf(subtasks);
  const needs = new Map(subtasks.map(({ id, depends_on }) => [id, depends_on]));
  let at = [...levels].reduce<string | undefined>(
    (best, [id, level]) => (best === undefined || level > (levels.get(best) ?? 0) ? id : best),
    undefined,
  );
  const path: string[] = [];
  while (at !== undefined) {
    path.unshift(at);
    const level = levels.get(at) ?? 0;
    at = needs.get(at)?.find((wanted) => levels.get(wanted) === level - 1);
  }
  return path;
}

/** Kahn's way: whoever waits for nobody goes first. Each subtask and each dependency is met once. */
function levelsOf(subtasks: Drawn["subtasks"]): Map<string, number> {
  const { missing, followers } = edgesOf(subtasks);
  const levels = new Map<string, number>();
  let now = [...missing].filter(([, count]) => count === 0).map(([id]) => id);
  for (let level = 0; now.length > 0; level += 1) {
    for (const id of now) levels.set(id, level);
    now = now
      .flatMap((id) => followers.get(id) ?? [])
      .filter((id) => {
        const left = (missing.get(id) ?? 0) - 1;
        missing.set(id, left);
        return left === 0;
      });
  }
  return levels;
}

/** How many others each subtask waits for, and who waits for it. */
function edgesOf(subtasks: Drawn["subtasks"]) {
  const known = new Set(subtasks.map(({ id }) => id));
  const missing = new Map<string, number>();
  const followers = new Map<string, string[]>([...known].map((id) => [id, []]));
  for (const { id, depends_on } of subtasks) {
    const needs = new Set(depends_on.filter((wanted) => known.has(wanted)));
    missing.set(id, needs.size);
    for (const wanted of needs) followers.get(wanted)?.push(id);
  }
  return { missing, followers };
}
