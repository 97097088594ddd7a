import { existsSync } from "node:fs";
import { join } from "node:path";
import { readRunInfo } from "../../../run/files/index.ts";
import type { RunSettings } from "../../../schema/config.ts";
import { RunId } from "../../../schema/run-info.ts";
import type { DoneFacts } from "../../../vote/index.ts";
import { budgetOf } from "../../exec/run-budget.ts";
import type { Place } from "../../place.ts";
import { readTrace } from "../../trace/look.ts";

const RUNS_MAX = 10_000;

/**
 * What the work cost, from what the runner wrote down: how long its runs and tests took, and what the
 * day has cost against its ceiling.
 */
export function budgetFacts(
  place: Place,
  { trace, task }: { readonly trace: string; readonly task: string | undefined },
  { spend, tests }: { readonly spend: RunSettings["spend"]; readonly tests: string | undefined },
): Pick<DoneFacts, "budgets" | "unknown"> {
  const runs = task === undefined ? undefined : runsIn(place, trace, task);
  const day = dayOf(place, spend);
  const measured = [tests, runs, day?.words].filter((one) => one !== undefined);
  if (measured.length === 0) {
    return { unknown: { budgets: "nothing ran that could be measured; see the item tests" } };
  }
  return { budgets: { overrun: day?.isOver ? [day.words] : [], measured } };
}

function dayOf(place: Place, spend: RunSettings["spend"]) {
  if (spend?.per_day === undefined) return undefined;
  const { spent_thousandths: spent, ceiling_thousandths } = budgetOf(place, 0, spend);
  const ceiling = ceiling_thousandths ?? 0;
  // A day whose sum nobody knows may be over it.
  const isOver = spent === null || spent > ceiling;
  const words = `${spent === null ? "an unknown sum" : spent / 1_000} of ${ceiling / 1_000} spent today`;
  return { isOver, words };
}

function runsIn(place: Place, trace: string, task: string): string | undefined {
  const ids = readTrace(place, trace).flatMap(({ type, body }) =>
    type === "run_started" ? [body.run_id] : [],
  );
  const seconds = ids.slice(-RUNS_MAX).flatMap((id) => secondsOf(place, task, id));
  if (seconds.length === 0) return undefined;
  const sum = seconds.reduce((total, one) => total + one, 0);
  return `${seconds.length} runs in ${sum.toFixed(1)} s`;
}

function secondsOf(place: Place, task: string, id: string): number[] {
  const path = join(place.talkFolder(task), "runs", id, "run-info.yaml");
  if (!RunId.safeParse(id).success || !existsSync(path)) return [];
  const { start_time, end_time } = readRunInfo(path);
  return end_time === null ? [] : [(Date.parse(end_time) - Date.parse(start_time)) / 1_000];
}
