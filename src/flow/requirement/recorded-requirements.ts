import { parseJson } from "../../base/index.ts";
import { requirementIds } from "../../scan/requirement/index.ts";
import { Plan } from "../../schema/plan.ts";
import type { Quotable } from "../context/context-block.ts";
import { planOf } from "../context/plan-part.ts";
import { readRecord } from "../context/read-record.ts";
import type { Place } from "../place.ts";
import { Bus } from "../talk/bus.ts";
import type { RequirementTrail } from "./requirement-row.ts";

const PLAN_BYTES_MAX = 16 << 20;

/** Finds the trail of an id, and begins one where there is none. */
type TrailOf = (id: string) => RequirementTrail | undefined;

/** Adds what decisions and the plan of a task say about requirements. */
export function recordedRequirements(place: Place, task: string | undefined, trailOf: TrailOf) {
  const projectBus = Bus.find({ place });
  const taskBus = task === undefined ? undefined : Bus.find({ place, task });
  try {
    const record = readRecord({ place, task, taskBus, projectBus });
    for (const { stated, quotable } of record.statements) {
      if (stated.kind === "decision") takeDecision(quotable, trailOf);
    }
    const plan = planOf(place, record.sessions, record.project);
    if (plan !== undefined) takePlan(plan, trailOf);
  } finally {
    projectBus?.close();
    taskBus?.close();
  }
}

function takeDecision({ text, address }: Quotable, trailOf: TrailOf): void {
  for (const id of idsIn(text)) {
    const trail = trailOf(id);
    trail?.decisions.push(address);
    trail?.links.push(address);
  }
}

function takePlan({ text, title }: Quotable, trailOf: TrailOf): void {
  const { data } = Plan.safeParse(jsonOf(text));
  const parts = data?.subtasks.map((one) => [one.id, JSON.stringify(one)] as const);
  for (const [name, part] of parts ?? [[title, text] as const]) {
    for (const id of idsIn(part)) trailOf(id)?.plan.push(name);
  }
}

/** An id stands in one line; in JSON, line breaks of the text are written out. */
function idsIn(text: string): Set<string> {
  return new Set(text.split(/\n|\\n|",/).flatMap(requirementIds));
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text, PLAN_BYTES_MAX);
  } catch {
    // No plan of ours: its lines are read as they are.
    return undefined;
  }
}
