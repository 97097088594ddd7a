import type { CiReport } from "../../schema/ci-report.ts";
import { codeFence, markdownCell } from "../markdown.ts";
import { defused, visibleLines } from "../visible-text.ts";
import { type CiRow, ciRows, ciSuggestion, ciVerdict } from "./ci-rows.ts";

const CELL_CHARS_MAX = 300;
const ROWS_MAX = 200;

/**
 * The table for a forge. All words of the pull request are somebody else's: nothing in them is markup,
 * calls a person, names an issue or leads anywhere.
 */
export function renderCiMarkdown(report: CiReport): string {
  const { base, head, judge, notes, put_back, status } = report;
  const rows = ciRows(report);
  const left = rows.length - ROWS_MAX;
  return [
    `### Sworn: ${ciVerdict(report)}`,
    "",
    "| result | what | base | head | head, tests of base | shows |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.slice(0, ROWS_MAX).map(rowLine),
    "",
    ...(left > 0 ? [`${left} more rows are in the report.`, ""] : []),
    `Base ${short(base)}, head ${short(head)}; judged by \`sworn.yaml\` of ${short(judge.commit)}.`,
    ...(put_back.length === 0 ? [] : [`Files as at base in the last run: ${put_back.length}.`]),
    ...notes.map((note) => `- ${calm(note)}`),
    ...(status === "undeclared" || judge.declared === null
      ? [
          "",
          "Declare what is to be run, in `sworn.yaml` of the branch itself:",
          "",
          ...suggestionLines(report),
        ]
      : []),
    "",
  ].join("\n");
}

function rowLine({ result, what, base, head, oldTests, shows }: CiRow): string {
  return `| ${[result, what, base, head, oldTests, shows].map((one) => (one === "" ? "" : calm(one))).join(" | ")} |`;
}

function suggestionLines(report: CiReport): string[] {
  return codeFence(visibleLines(ciSuggestion(report).join("\n")), "yaml");
}

function short(commit: string): string {
  // As code: a forge makes a link of a bare one.
  return `\`${commit.slice(0, 12)}\``;
}

/** Words for a cell, without anything that a forge or a runner acts upon. */
function calm(text: string): string {
  const cut =
    text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX).toWellFormed()}…` : text;
  return markdownCell(defused(cut))
    .replace(/@(?=[\p{L}\p{N}_-])/gu, "@\u200b")
    .replace(/#(?=[\p{L}\p{N}])/gu, "#\u200b")
    .replace(/\bGH-(?=\d)/gi, "GH\u2011");
}
