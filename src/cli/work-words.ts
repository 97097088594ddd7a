import type { WorkOutcome } from "../flow/work/work.ts";
import { sharedInWork } from "../flow/work/work-seats.ts";
import { weakenedTests, weakenedWords } from "../view/index.ts";
import type { Answer } from "./io.ts";

const EXITS = {
  completed: 0,
  "completed-with-gaps": 0,
  failed: 3,
  blocked: 3,
  open: 1,
} as const;

/** A work that came to an end, or as far as it can. */
export function workAnswer({ report, folder }: WorkOutcome): Answer {
  const { status, reason, branch, start, trace, subtasks, unproven, questions, work } = report;
  const counts = subtasks.filter((one) => one.status === "proven").length;
  const words = [
    `work ${work}: ${status}${reason === undefined ? "" : ` (${reason})`}`,
    ...weakenedWords(weakenedTests(report)),
    `${counts} of ${subtasks.length} subtasks are proven`,
    ...unproven.map((what) => `not proven: ${what}`),
    ...sharedInWork(report.seats).map((one) => `not independent: ${one}`),
    ...questions.map(
      ({ id, question, blocks }) => `${id} blocks ${blocks ?? "everything"}: ${question}`,
    ),
    ...(branch === undefined ? [] : [`branch ${branch}: git diff ${start.slice(0, 12)} ${branch}`]),
    `report ${folder}/report.md`,
    `trace ${trace}`,
    nextOf(report),
  ].join("\n");
  return { exit: EXITS[status], json: report, words, isAnswered: true };
}

/** What whoever reads this will most likely want to do. */
function nextOf({ status, branch, work, subtasks }: WorkOutcome["report"]): string {
  if (status === "open" || status === "blocked") return "Next: sworn resume";
  if (branch !== undefined && status !== "failed") {
    return `Next: look at the branch, then sworn deliver ${work}`;
  }
  const failed = subtasks.find((one) => one.status === "failed");
  const waive = failed === undefined ? "" : `, or waive it: --waive '${failed.id}=why'`;
  return `Next: read the report, put right what it names, and work again${waive}`;
}
