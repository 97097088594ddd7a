import type { Plan, Verimap } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";

type AnyPlan = Plan | Verimap;
type Subtask = AnyPlan["subtasks"][number];

/** Keys that ask for everything instead of something. */
const VAGUE_KEYS = new Set([
  "*",
  "all",
  "everything",
  "anything",
  "previous_output",
  "full_output",
]);

/** LAW 04: a subtask names what it needs, of whom, and that there is such a thing. */
export function checkContextKeys(plan: AnyPlan): Violation[] {
  const upstream = new Map(plan.subtasks.map((subtask) => [subtask.id, subtask]));
  return plan.subtasks.flatMap((subtask, at) => [
    ...checkDependencies(subtask, at),
    ...Object.entries(subtask.context_required).flatMap(([id, keys]) =>
      checkKeys({ subtask, at, id, keys, from: upstream.get(id) }),
    ),
  ]);
}

function checkDependencies({ id, depends_on, context_required }: Subtask, at: number): Violation[] {
  const seen = new Set<string>();
  return depends_on.flatMap((wanted, index) => {
    const path = `subtasks[${at}].depends_on[${index}]`;
    const isSeen = seen.has(wanted);
    seen.add(wanted);
    if (isSeen) return [law(path, `${wanted} is named twice: once is enough`)];
    if (wanted === id) return [];
    if (Object.hasOwn(context_required, wanted)) return [];
    const where = `subtasks[${at}].context_required`;
    return [
      law(
        where,
        `${id} depends on ${wanted} and names no key of it: say which keys of its output it needs`,
      ),
    ];
  });
}

function checkKeys(asked: {
  subtask: Subtask;
  at: number;
  id: string;
  keys: readonly string[];
  from: Subtask | undefined;
}): Violation[] {
  const { subtask, at, id, keys, from } = asked;
  const path = `subtasks[${at}].context_required.${id}`;
  const violations: Violation[] = [];
  if (!subtask.depends_on.includes(id)) {
    violations.push(
      law(
        path,
        `${subtask.id} takes keys of ${id} and does not depend on it: add it to depends_on`,
      ),
    );
  }
  if (keys.length === 0) {
    violations.push(law(path, `no key is named: say which keys of the output of ${id} it needs`));
  }
  for (const [index, key] of keys.entries()) {
    const isVague = VAGUE_KEYS.has(key.toLowerCase());
    if (!isVague && (from === undefined || Object.hasOwn(from.output_schema, key))) continue;
    const known =
      Object.keys(from?.output_schema ?? {})
        .slice(0, 10)
        .join(", ") || "nothing";
    const message = isVague
      ? `"${key}" asks for everything: name the keys that are needed (there are ${known})`
      : `the output of ${id} has no key ${JSON.stringify(key)} (it has ${known})`;
    violations.push(law(`${path}[${index}]`, message));
  }
  return violations;
}

function law(path: string, message: string): Violation {
  return { rule: "law-04", path, message };
}
