import { PRIORITIES } from "../schema/finding.ts";
import type { ReviewReport } from "../schema/review.ts";
import { LEVELS, ruleOf, sarifMessage, sarifResult } from "./sarif-result.ts";
import { ofPriority, overallReliability } from "./tally.ts";
import { visibleText } from "./visible-text.ts";

export const SARIF_SCHEMA =
  "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json";

/**
 * The report as a SARIF 2.1.0 log with one run, for programs that collect findings. What the source
 * refutes is counted and is no result. A run with gaps says that it did not succeed, so that an empty
 * list is not taken for a clean one.
 */
export function renderSarif(report: ReviewReport): object {
  const findings = PRIORITIES.flatMap((priority) => ofPriority(report, priority));
  const rules = [...new Set(findings.map(ruleOf))];
  return {
    $schema: SARIF_SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Sworn", rules: rules.map((id) => ({ id })) } },
        automationDetails: { id: `sworn/${encodeURIComponent(report.kind.toWellFormed())}/` },
        invocations: [invocation(report)],
        originalUriBaseIds: {
          SRCROOT: { description: { text: "The root of the reviewed repository." } },
        },
        results: findings.map((reported) => sarifResult(reported, rules)),
        properties: runProperties(report),
      },
    ],
  };
}

function invocation({ status, gaps, reviewers, unread, refuted }: ReviewReport): object {
  const open = reviewers.filter((reviewer) => reviewer.status !== "complete");
  const notes = [
    ...gaps.map(({ what, who, why }) => `Not covered: ${what}${who ? ` (${who})` : ""}: ${why}`),
    ...open.map(
      ({ name, status: state, note }) =>
        `Reviewer ${name} is ${state}: ${note ?? "no reason is known"}`,
    ),
    ...refuted.map(({ by, finding, reason }) => `Refuted: ${by} said ${finding.title}: ${reason}`),
    ...unread.map(({ by, line, why }) => `Not read: line ${line} of the report by ${by}: ${why}`),
  ];
  return {
    executionSuccessful: status === "completed",
    exitCodeDescription: status,
    toolExecutionNotifications: notes.map((text) => ({
      level: LEVELS.P2,
      message: sarifMessage(text),
    })),
  };
}

function runProperties({ subject, refuted, reviewers, ...report }: ReviewReport): object {
  return {
    kind: visibleText(report.kind),
    status: report.status,
    repository: visibleText(subject.repository),
    range: visibleText(subject.range),
    head: visibleText(subject.head),
    base: subject.base === null ? null : visibleText(subject.base),
    coverage: report.coverage,
    reliability: overallReliability(reviewers),
    refuted: refuted.length,
    dismissed: report.dismissed,
    baseline: report.baseline,
    ...(report.trace === undefined ? {} : { trace: visibleText(report.trace) }),
    ...(report.digest === undefined ? {} : { digest: report.digest }),
  };
}
