import * as z from "zod";
import { judgePlan } from "../../flow/plan/judge-plan.ts";
import { writeOutput } from "../../flow/write-output.ts";
import {
  criticalPath,
  drawMermaid,
  drawSvg,
  drawText,
  type GateReport,
  heldSubtasks,
  layersOf,
  mayStart,
  READY_POINTS_MIN,
  someNames,
} from "../../plan/index.ts";
import { Profile } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { outPath, PICTURE } from "../out-file.ts";
import { planBytes } from "../plan-input.ts";
import { planWords } from "../plan-words.ts";

export const Arguments = z.strictObject({
  plan: z.string().min(1),
  profile: Profile.default("solo"),
  svg: z.string().min(1).optional(),
  mermaid: z.boolean().default(false),
  force: z.boolean().default(false),
});

type Given = z.infer<typeof Arguments>;

/** A plan that breaks rules is drawn all the same: a picture of a cycle helps to find it. */
export async function run(args: Given, io: Io): Promise<Answer> {
  const report = judgePlan(await planBytes(args.plan, io));
  const { plan, violations } = report;
  if (plan === undefined) {
    return { exit: 2, json: { violations }, words: planWords(report, args.profile) };
  }
  const svg = args.svg === undefined ? null : outPath(args.svg, PICTURE, args.force, io);
  if (svg !== null) writeOutput(svg, drawSvg(plan));
  const now = startable(report, args.profile);
  const path = criticalPath(plan);
  const json = {
    layers: layersOf(plan),
    critical_path: path,
    may_start: now,
    mermaid: drawMermaid(plan),
    svg,
  };
  if (args.mermaid) return { exit: 0, json, words: json.mermaid };
  const held = heldSubtasks(plan, report.questions, args.profile);
  const words = [
    plan.verimapped_task.split("\n")[0],
    drawText(plan, held),
    `Longest chain (*): ${someNames(path, " → ")}`,
    `May start now (${args.profile}): ${now.length === 0 ? notNow(report) : someNames(now)}`,
    ...(svg === null ? [] : [`Wrote ${svg}`]),
  ];
  return { exit: 0, json, words: words.join("\n") };
}

function startable({ plan, points, questions, violations }: GateReport, profile: Given["profile"]) {
  const isOpen = plan !== undefined && violations.length === 0 && points >= READY_POINTS_MIN;
  return isOpen ? mayStart(plan, questions, profile) : [];
}

function notNow({ violations, points }: GateReport): string {
  if (violations.length > 0) return `nothing (${violations.length} violations: sworn plan check)`;
  return points < READY_POINTS_MIN ? `nothing (${points} points)` : "nothing (questions are open)";
}
