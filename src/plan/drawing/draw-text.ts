import { criticalPath, type Drawn, layersOf } from "./layers.ts";
import { someNames } from "./some-names.ts";

const NAME_CHARS_MAX = 60;

/**
 * A plan for a terminal: a block for each layer, in which nobody waits for another, with `*` on the
 * critical path and what each subtask waits for.
 */
export function drawText(plan: Drawn, held: ReadonlySet<string>): string {
  const critical = new Set(criticalPath(plan));
  const byId = new Map(plan.subtasks.map((subtask) => [subtask.id, subtask]));
  const layers = layersOf(plan);
  const drawn = new Set(layers.flat());
  const lines = layers.flatMap((layer, level) => [
    ...(level === 0 ? [] : ["  │"]),
    ...layer.map((id, at) => {
      const branch = branchOf(at, layer.length);
      const mark = critical.has(id) ? "*" : " ";
      return `  ${branch} ${mark}${lineOf(byId.get(id))}${held.has(id) ? "  (waits for an answer)" : ""}`;
    }),
  ]);
  const left = plan.subtasks.filter(({ id }) => !drawn.has(id)).map(({ id }) => id);
  const cycle = left.length > 0 ? [`  in or behind a cycle: ${someNames(left)}`] : [];
  return [...lines, ...cycle].join("\n");
}

function branchOf(at: number, count: number): string {
  if (count === 1) return "──";
  if (at === 0) return "┬─";
  return at === count - 1 ? "└─" : "├─";
}

function lineOf(subtask: Drawn["subtasks"][number] | undefined): string {
  if (subtask === undefined) return "";
  const { id, type, name, depends_on } = subtask;
  const waits = depends_on.length === 0 ? "" : `  ← ${someNames(depends_on)}`;
  return `${id} ${type.padEnd(6)} ${short(name)}${waits}`;
}

function short(name: string): string {
  const letters = [...name.replaceAll(/\s+/gu, " ").trim()];
  return letters.length > NAME_CHARS_MAX
    ? `${letters.slice(0, NAME_CHARS_MAX - 1).join("")}…`
    : letters.join("");
}
