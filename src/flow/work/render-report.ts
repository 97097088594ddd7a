import { fenced, visible } from "../../base/index.ts";
import { titleOf } from "../../run/proof/index.ts";
import type { ReportedTry, WorkReport } from "../../schema/work.ts";
import { weakenedTests } from "../../view/index.ts";
import { sharedInWork } from "./work-seats.ts";

const OUTPUT_CHARS_MAX = 4_000;

/** The report as a document for people. What workers and proofs printed stands in it as data. */
export function renderWorkReport(report: WorkReport): string {
  const { subtasks, gates, conflicts, questions, unproven } = report;
  const lines = [
    `# Work ${report.work}: ${report.status}`,
    "",
    plain(report.task),
    "",
    ...(report.reason === undefined ? [] : [`**${plain(report.reason)}**`, ""]),
    `- Plan: contract ${report.contract_digest}`,
    `- Profile: ${report.profile}`,
    ...sharedInWork(report.seats).map((one) => `- Not independent: ${plain(one)}`),
    `- Began with commit ${report.start}`,
    report.branch === undefined
      ? "- Nothing was put together."
      : `- Branch ${report.branch} at ${report.commit}: \`git diff ${report.start.slice(0, 12)} ${report.branch}\``,
    `- Record: ${report.trace} (\`sworn verify ${report.trace}\`)`,
    "",
    ...section("Weakened tests", weakenedTests(report)),
    "## What is not proven",
    "",
    ...(unproven.length === 0
      ? ["Nothing: every proof of every subtask passed."]
      : bullets(unproven)),
    "",
    ...section(
      "Open questions",
      questions.map(
        ({ id, question, blocks }) => `${id} (${blocks ?? "everything"} waits for it): ${question}`,
      ),
    ),
    ...section(
      "Contradictions",
      conflicts.map(
        ({ subtask, files, ours, theirs }) =>
          `${subtask} in ${files.join(", ")}: ${ours} and ${theirs}`,
      ),
    ),
    ...section(
      "Exit gates",
      gates.map(
        ({ gate, verdict, by, reasons }) =>
          `${gate}: ${verdict}, by ${by}${reasons.length === 0 ? "" : `: ${reasons.join("; ")}`}`,
      ),
    ),
    "## Subtasks",
    "",
    ...subtasks.flatMap(({ id, name, status, tries, commit }) => [
      `### ${id}: ${plain(name)} (${status})`,
      "",
      ...(commit === undefined ? [] : [`Commit ${commit}.`, ""]),
      ...tries.flatMap(tryLines),
    ]),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function tryLines({
  execution,
  run,
  status,
  why,
  proofs,
  against,
  weakened = [],
  notes,
  flaws,
}: ReportedTry): string[] {
  return [
    `- ${execution}${run === undefined ? "" : ` (run ${run})`}: ${status}${why === undefined ? "" : `: ${plain(why)}`}`,
    ...bullets([...against, ...weakened, ...notes], "  "),
    ...bullets(
      flaws.map((flaw) => `its author says: ${flaw}`),
      "  ",
    ),
    ...proofs.flatMap(({ proof, verdict, reason, output }) => [
      `  - ${verdict}: ${plain(titleOf(proof))}: ${plain(reason)}`,
      ...bullets(
        (proof.kind === "judge" ? [] : (proof.covers ?? [])).map((check) => `covers: ${check}`),
        "    ",
      ),
      ...(output.trim() === "" ? [] : ["", fenced("what it printed", shownLines(output)), ""]),
    ]),
    "",
  ];
}

function section(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`## ${title}`, "", ...bullets(items), ""];
}

function bullets(items: readonly string[], indent = ""): string[] {
  return items.map((item) => `${indent}- ${plain(item)}`);
}

function shownLines(output: string): string[] {
  return output
    .slice(-OUTPUT_CHARS_MAX)
    .split(/\r?\n/)
    .map((line) => visible(line.replaceAll("\t", "  ")));
}

/** One line of plain text: what others wrote must neither steer a terminal nor add a heading. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
}
