import type { CiCheck, CiReport, CiRun } from "../../schema/ci-report.ts";
import { defused, oneLine } from "../visible-text.ts";
import { type CiRow, ciRows, ciSuggestion, ciVerdict } from "./ci-rows.ts";

const CELL_CHARS_MAX = 100;
const SHOWS_CHARS_MAX = 240;
const ROWS_MAX = 200;
const LINES_SHOWN = 20;

/** The same for a person at a terminal, or in the log of a runner: no line of it is obeyed there. */
export function renderCiWords(report: CiReport): { title: string; rows: string[][]; rest: string } {
  const { base, head, judge, notes, request } = report;
  const of = request === null ? "" : ` of pull request ${request}`;
  const rows = ciRows(report);
  const left = rows.length - ROWS_MAX;
  return {
    title: `Base ${base.slice(0, 12)}, head ${head.slice(0, 12)}${of}; judged by sworn.yaml of ${line(judge.how, CELL_CHARS_MAX)} (${judge.commit.slice(0, 12)})`,
    rows: rows.slice(0, ROWS_MAX).map(cells),
    rest: [
      ...(left > 0 ? [`${left} more rows; --json has all of them.`, ""] : []),
      ...notes.map((note) => `Note: ${line(note, SHOWS_CHARS_MAX)}`),
      ...report.checks.flatMap(printedLines),
      ...(judge.declared === null
        ? ["Declare what is to be run, in sworn.yaml of that branch:"]
        : []),
      ...(judge.declared === null ? ciSuggestion(report).map((one) => `  ${defused(one)}`) : []),
      ciVerdict(report),
    ].join("\n"),
  };
}

function cells({ result, what, base, head, oldTests, shows }: CiRow): string[] {
  const wide = line(what, CELL_CHARS_MAX);
  return [result, wide, base, head, oldTests, line(shows, SHOWS_CHARS_MAX)];
}

/** What a check printed that did not pass, as far as it tells something. A mark before each line: runners obey some that begin with colons. */
function printedLines({ name, status, head, old_tests }: CiCheck): string[] {
  const shown: [string, CiRun][] = [
    ...(head.state === "pass" ? [] : [["head", head] as [string, CiRun]]),
    ...(head.state === "pass" && status !== "pass" && old_tests.state !== "same"
      ? [["head with the tests of base", old_tests] as [string, CiRun]]
      : []),
  ];
  return shown.flatMap(([where, { output, why }]) => {
    const lines = output.split("\n").filter((one) => one.trim() !== "");
    return [
      `${line(name, CELL_CHARS_MAX)} on ${where}: ${line(why, SHOWS_CHARS_MAX)}`,
      ...tellingLines(lines).map((one) => `  | ${line(one, SHOWS_CHARS_MAX)}`),
      "",
    ];
  });
}

/** How the common runners begin a line that names a test that failed. */
const FAILED = /^\s*(?:not ok \d|[✖✗×] |--- FAIL|FAIL(?:ED)?\b|\d+\) |● )/;
const FAILED_MAX = 4;
const LINES_EACH = 4;

/** What failed, by name, with the first lines of why; and the end. */
function tellingLines(lines: readonly string[]): string[] {
  const failed = lines.flatMap((one, at) => (FAILED.test(one) ? at : [])).slice(0, FAILED_MAX);
  const telling = new Set(
    failed.flatMap((at) => Array.from({ length: LINES_EACH }, (_, more) => at + more)),
  );
  for (let at = lines.length - 1; at >= 0 && telling.size < LINES_SHOWN; at -= 1) telling.add(at);
  return [...telling].sort((a, b) => a - b).flatMap((at) => lines[at] ?? []);
}

function line(text: string, charsMax: number): string {
  const words = defused(oneLine(text.slice(0, charsMax * 4).toWellFormed()));
  return words.length <= charsMax ? words : `${words.slice(0, charsMax - 1).toWellFormed()}…`;
}
