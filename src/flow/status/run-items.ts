import { messageOf } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { type DamagedRun, isCutShort, readRuns } from "../agent/known-runs.ts";
import type { Place } from "../place.ts";
import type { StatusItem } from "./status-item.ts";

/** The runs of agents: those that go on, were cut short, or said what was refuted. */
export interface KnownRuns {
  readonly items: readonly StatusItem[];
  readonly count: number;
  /** How long agents ran, as far as their ends are known. */
  readonly ms: number;
  /** Traces of runs; what they wait for is told of the run. */
  readonly traces: ReadonlySet<string>;
}

export function runItems(place: Place): KnownRuns {
  try {
    const { runs: here, damaged } = readRuns(place);
    const runs = here.map(({ info }) => info);
    return {
      items: [...damaged.map(damagedItem), ...runs.flatMap(itemOf)],
      count: runs.length + damaged.length,
      ms: runs.reduce((sum, run) => sum + lengthOf(run), 0),
      traces: new Set(runs.flatMap(({ trace }) => trace ?? [])),
    };
  } catch (error) {
    // Said, and not hidden: without it nobody would know that runs are missing here.
    const broken = damagedItem({ run_id: "runs", task_id: null, why: messageOf(error) });
    return { items: [broken], count: 0, ms: 0, traces: new Set() };
  }
}

function damagedItem({
  run_id: name,
  task_id: task,
  why: about,
}: Pick<DamagedRun, "run_id" | "why"> & { readonly task_id: string | null }): StatusItem {
  return {
    ...{ urgency: "damaged", kind: "run", name, task, trace: null, at: null },
    ...{ state: "unreadable", waits_for: "you", about, next: "sworn agents runs" },
  };
}

function lengthOf({ start_time, end_time }: RunInfo): number {
  return end_time === null ? 0 : Math.max(0, Date.parse(end_time) - Date.parse(start_time));
}

function itemOf(info: RunInfo): StatusItem[] {
  const { run_id: id, task_id: task, agent, trace, status, start_time } = info;
  const own = { kind: "run", name: id, task, trace: trace ?? null, at: start_time } as const;
  if (isCutShort(info)) {
    const about = `${agent} was cut short; what it did is saved on resuming`;
    const waits = { state: "cut short", waits_for: "you", next: "sworn resume" };
    return [{ ...own, ...waits, urgency: "blocked", about }];
  }
  if (status === "running") {
    const runs = { state: status, waits_for: agent, next: `sworn cancel ${id}` };
    return [{ ...own, ...runs, urgency: "runs", about: `since ${start_time}` }];
  }
  const refuted = info.said?.filter(({ verdict }) => verdict === "HALLUCINATED") ?? [];
  if (refuted.length === 0) return [];
  const about = `${agent} said what is not so: ${refuted[0]?.text ?? ""}`;
  const look = { state: "refuted", waits_for: null, next: `sworn agents show ${id}` };
  return [{ ...own, ...look, urgency: "unproven", about }];
}
