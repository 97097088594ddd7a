import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../base/index.ts";
import { readRunInfo } from "../../../run/files/index.ts";
import type { RunSettings } from "../../../schema/config.ts";
import { RunId } from "../../../schema/run-info.ts";
import type { DoneFacts } from "../../../vote/index.ts";
import { budgetOf } from "../../exec/run-budget.ts";
import type { Place } from "../../place.ts";
import { readTrace } from "../../trace/look.ts";

const RUNS_MAX = 10_000;
const NAMED_MAX = 3;

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
  const found = [tests, runs?.sum, day?.words].filter((one) => one !== undefined);
  if (found.length === 0) {
    const why = runs?.unread ?? "nothing ran that could be measured; see the item tests";
    return { unknown: { budgets: why } };
  }
  const measured = runs?.unread === undefined ? found : [...found, runs.unread];
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

/** One that is damaged keeps no other from being measured, and is named beside what was. */
function runsIn(place: Place, trace: string, task: string) {
  const ids = readTrace(place, trace).flatMap(({ type, body }) =>
    type === "run_started" ? [body.run_id] : [],
  );
  const seconds: number[] = [];
  const unread: string[] = [];
  for (const id of ids.slice(-RUNS_MAX)) {
    try {
      seconds.push(...secondsOf(place, task, id));
    } catch (error) {
      unread.push(`how long ${id} took is not known: ${messageOf(error)}`);
    }
  }
  const sum = seconds.reduce((total, one) => total + one, 0);
  return {
    sum: seconds.length === 0 ? undefined : `${seconds.length} runs in ${sum.toFixed(1)} s`,
    unread: unread.length === 0 ? undefined : namedOnes(unread),
  };
}

function namedOnes(words: readonly string[]): string {
  const more = words.length - NAMED_MAX;
  return `${words.slice(0, NAMED_MAX).join("; ")}${more > 0 ? `; and of ${more} more` : ""}`;
}

function secondsOf(place: Place, task: string, id: string): number[] {
  const path = join(place.talkFolder(task), "runs", id, "run-info.yaml");
  if (!RunId.safeParse(id).success || !existsSync(path)) return [];
  const { start_time, end_time } = readRunInfo(path);
  return end_time === null ? [] : [(Date.parse(end_time) - Date.parse(start_time)) / 1_000];
}
