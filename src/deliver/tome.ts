import { PRIORITIES, type Priority } from "../schema/finding.ts";
import type { ReviewReport } from "../schema/review.ts";
import { codeSpan, markdownCell, markdownLine } from "./markdown.ts";
import {
  checkedOf,
  ofPriority,
  overallReliability,
  PRIORITY_NAMES,
  RELIABILITY_RULE,
  STATUS_WORDS,
} from "./tally.ts";
import { tomeFinding } from "./tome-finding.ts";
import {
  gapsSection,
  incompleteSection,
  knownSection,
  notesSection,
  refutedSection,
  selfReviewSection,
  unreadSection,
} from "./tome-sections.ts";
import { visibleName } from "./visible-text.ts";

/**
 * The report for people, as Markdown. Its headings, comments and list items are ours whatever the
 * report says: reviewers' text is escaped, or fenced where it must be shown as written.
 */
export function renderTome(report: ReviewReport): string {
  const lines = [
    ...head(report),
    ...verificationSection(report),
    ...PRIORITIES.flatMap((priority) => prioritySection(report, priority)),
    ...refutedSection(report),
    ...unreadSection(report),
    ...incompleteSection(report),
    ...gapsSection(report),
    ...selfReviewSection(report),
    ...notesSection(report),
    ...knownSection(report),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function head({ kind, subject, status, trace, digest }: ReviewReport): string[] {
  const { repository, base, head: commit, range } = subject;
  const compared =
    base === null ? "the whole tree" : `compared with ${codeSpan(visibleName(base))}`;
  return [
    `# TOME: ${markdownLine(kind)} of ${markdownLine(repository)}`,
    "",
    `**Subject:** ${codeSpan(visibleName(range))} at ${codeSpan(visibleName(commit))}, ${compared}`,
    "",
    `**Status:** ${STATUS_WORDS[status]}`,
    "",
    ...(trace === undefined ? [] : [`**Recorded in:** ${codeSpan(visibleName(trace))}`, ""]),
    ...(digest === undefined ? [] : [`**Digest:** ${codeSpan(digest)}`, ""]),
  ];
}

function verificationSection({ reviewers }: ReviewReport): string[] {
  const rows = reviewers.map((each) => {
    const { checked, all } = checkedOf(each);
    const name = markdownCell(each.name) + (each.reliable ? "" : " (unreliable)");
    const confidence = each.confidence === null ? "none" : `${each.confidence}/100`;
    const counts = [each.confirmed, each.inaccurate, each.hallucinated].join(" | ");
    return `| ${name} | ${confidence} | ${checked}/${all} | ${counts} |`;
  });
  return [
    "## Verification Status",
    "",
    "| Reviewer | Confidence | Checked | Confirmed | Inaccurate | Hallucinated |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `**Overall reliability:** ${overallReliability(reviewers)} (${RELIABILITY_RULE})`,
    "",
  ];
}

function prioritySection(report: ReviewReport, priority: Priority): string[] {
  const findings = ofPriority(report, priority);
  return [
    `## ${priority} (${PRIORITY_NAMES[priority]})`,
    "",
    ...(findings.length === 0 ? ["None.", ""] : []),
    ...findings.flatMap((reported) => tomeFinding(reported, report.nonce)),
  ];
}
