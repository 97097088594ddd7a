import { join } from "node:path";
import { ensureFolder, writeFileDurably } from "../../../base/index.ts";
import type { Place } from "../../place.ts";
import { planText } from "./hand-over.ts";
import { planningFolder } from "./recall-planning.ts";

/** Writes a plan into its task's folder, and where else it was asked for; says where to find it. */
export function keepPlan(
  plan: unknown,
  { task }: { readonly task: string },
  place: Place,
  out: string | undefined,
): string {
  const text = planText(plan);
  const folder = planningFolder(place, task);
  ensureFolder(folder);
  const own = join(folder, "plan.json");
  for (const path of out === undefined ? [own] : [own, out]) writeFileDurably(path, text);
  return out ?? own;
}
