import type { ReviewerOutcome, ReviewReport } from "../schema/review.ts";
import { codeFence, indented, markdownCell, markdownLine } from "./markdown.ts";
import { claimedPlace, placeText } from "./place.ts";
import { coverageWords } from "./tally.ts";
import { visibleLines } from "./visible-text.ts";

/** Before every line of a refuted or unread text: a search for findings by line does not match it. */
const BAR = "│ ";

/** What the source refutes. The text is fenced and barred: it is shown, and can be taken for nothing else. */
export function refutedSection({ refuted }: ReviewReport): string[] {
  const items = refuted.flatMap(({ finding, by, verdict, reason, ...checked }) => {
    const place = placeText(claimedPlace({ finding, ...checked }));
    const quote = finding.citations[0]?.quote;
    const said = [
      `[${finding.id}] ${finding.priority} ${finding.title}`,
      `cited: ${place}`,
      ...(quote === undefined ? [] : ["quoted:", quote]),
      ...(finding.issue === undefined ? [] : ["issue:", finding.issue]),
    ].join("\n");
    return [
      `- ${verdict}, said by ${markdownLine(by)}. ${markdownLine(reason)}`,
      "",
      ...indented(barred(said)),
      "",
    ];
  });
  return section("Refuted", items);
}

/** What looked like a finding and could not be read as one. */
export function unreadSection({ unread }: ReviewReport): string[] {
  const items = unread.flatMap(({ by, line, why, text }) => [
    `- Line ${line} of the report by ${markdownLine(by)}: ${markdownLine(why)}`,
    "",
    ...indented(barred(text)),
    "",
  ]);
  return section("Not read", items);
}

export function incompleteSection(report: ReviewReport): string[] {
  const open = report.reviewers.filter(({ status }) => status !== "complete");
  const rows = open.map((reviewer) => {
    const status = reviewer.status === "missing" ? "Missing" : "Partial";
    const note = reviewer.note === undefined ? "" : ` (${markdownCell(reviewer.note)})`;
    return `| ${markdownCell(reviewer.name)} | ${status}${note} | ${impactOf(reviewer, report)} |`;
  });
  const table = ["| Teammate | Status | Impact |", "| --- | --- | --- |", ...rows, ""];
  return section("Incomplete Deliverables", rows.length === 0 ? [] : table);
}

function impactOf({ name, status, files }: ReviewerOutcome, { gaps }: ReviewReport): string {
  const own = gaps.filter(({ who }) => who === name);
  if (own.length > 0) return own.map(({ what }) => `not covered: ${markdownCell(what)}`).join("; ");
  return status === "missing"
    ? `nothing from this reviewer; files given to it: ${files}`
    : "what it says may not be all";
}

export function gapsSection({ gaps, coverage }: ReviewReport): string[] {
  const items = gaps.map(({ what, who, why }) => {
    const whose = who === undefined ? "" : ` (${markdownLine(who)})`;
    return `- ${markdownLine(what)}${whose}: ${markdownLine(why)}`;
  });
  return section("Gaps and Coverage", [
    `Covered: ${coverageWords(coverage)}.`,
    "",
    ...(items.length === 0 ? ["No gap is known.", ""] : [...items, ""]),
  ]);
}

export function selfReviewSection({ self_review }: ReviewReport): string[] {
  const rows = self_review.map((each) => {
    const counts = [each.confirmed, each.revised, each.deleted].join(" | ");
    const notes = each.notes.length === 0 ? "" : each.notes.map(markdownCell).join("; ");
    return `| ${markdownCell(each.reviewer)} | ${each.health} | ${each.logged}/${each.expected} | ${counts} | ${notes} |`;
  });
  const table = [
    "| Reviewer | Health | Logged | Confirmed | Revised | Deleted | Notes |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows,
    "",
  ];
  return section("Self-Review", rows.length === 0 ? [] : table);
}

export function notesSection({ notes }: ReviewReport): string[] {
  const items = notes.map((note) => `- ${markdownLine(note)}`);
  return section("Notes Between Reviewers", items.length === 0 ? [] : [...items, ""]);
}

export function knownSection({ dismissed, baseline }: ReviewReport): string[] {
  return section("Known Before", [
    `Dismissed before and not raised again: ${dismissed}. Known from the baseline: ${baseline}.`,
    "",
  ]);
}

function section(title: string, lines: readonly string[]): string[] {
  return [`## ${title}`, "", ...(lines.length === 0 ? ["None.", ""] : lines)];
}

function barred(text: string): string[] {
  return codeFence(
    visibleLines(text).map((line) => `${BAR}${line}`),
    "text",
  );
}
