import { sha256 } from "../base/index.ts";
import { PRIORITIES } from "../schema/finding.ts";
import type { ReviewReport } from "../schema/review.ts";
import { html, Markup, shown } from "./markup.ts";
import { filterData, type PageFinding, pageFinding } from "./page-finding.ts";
import { pageHead } from "./page-head.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import {
  gapsPart,
  notesPart,
  refutedPart,
  reviewersPart,
  selfReviewPart,
  unreadPart,
} from "./page-sections.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { placeText, truePlace } from "./place.ts";
import { ofPriority } from "./tally.ts";
import { oneLine } from "./visible-text.ts";

/**
 * The report as one page that needs nothing else: no request leaves it, and a policy inside it lets
 * no script run but ours, by hash. Reviewers' text passes through `html`, the only way into it.
 */
export function renderHtml(report: ReviewReport): string {
  const { findings, names } = numbered(report);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy()}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="referrer" content="no-referrer" />
<meta name="color-scheme" content="dark" />
<title>Sworn: ${oneLine(report.kind)} of ${oneLine(report.subject.repository)}</title>
<style>${Markup.ours(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${pageHead(report)}<main>
${reviewersPart(report)}${findingsPart(findings, names)}${refutedPart(report)}${unreadPart(report)}${gapsPart(report)}${selfReviewPart(report)}${notesPart(report)}</main>
${foot(report)}<script>${Markup.ours(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

function policy(): string {
  const hashOf = (text: string): string => `'sha256-${sha256(text).toString("base64")}'`;
  return [
    "default-src 'none'",
    `style-src ${hashOf(PAGE_STYLE)}`,
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** The findings in the order of the page, and the names of all who stand behind one of them. */
function numbered(report: ReviewReport): { findings: PageFinding[]; names: string[] } {
  const sorted = PRIORITIES.flatMap((priority) => ofPriority(report, priority));
  const names = [...new Set(sorted.flatMap(({ by, also_by }) => [by, ...also_by]))];
  const findings = sorted.map((reported, index) => ({
    reported,
    number: index + 1,
    reviewers: [...new Set([reported.by, ...reported.also_by])].map((name) => names.indexOf(name)),
  }));
  return { findings, names };
}

function findingsPart(findings: readonly PageFinding[], names: readonly string[]): Markup {
  const list =
    findings.length === 0
      ? html`<p class="none">No finding.</p>
`
      : html`${filters(names, findings.length)}${index(findings)}${findings.map(pageFinding)}`;
  return html`<section id="findings" aria-labelledby="h-findings">
<h2 id="h-findings">Findings</h2>
${list}</section>
`;
}

function filters(names: readonly string[], count: number): Markup {
  const button = (group: string, value: string, label: Markup): Markup =>
    html`<button type="button" data-group="${group}" value="${value}" aria-pressed="true">${label}</button>
`;
  return html`<div id="filters" class="filters" role="toolbar" aria-label="Filter findings" hidden="">
<div class="group"><span class="label">Priority</span>
${PRIORITIES.map((priority) => button("priority", priority, html`${priority}`))}</div>
<div class="group"><span class="label">Reviewer</span>
${names.map((name, at) => button("reviewer", String(at), shown(oneLine(name))))}</div>
<div class="group"><button type="button" id="reset">Show all</button>
<output id="shown">${count} of ${count} findings shown</output></div>
</div>
`;
}

function index(findings: readonly PageFinding[]): Markup {
  const rows = findings.map((page) => {
    const { finding } = page.reported;
    return html`<li class="${finding.priority.toLowerCase()}" ${filterData(page)}><a href="#f${page.number}"><span class="prio">${finding.priority}</span> <span class="what">${shown(oneLine(finding.title))}</span> <span class="at">${shown(placeText(truePlace(page.reported)))}</span></a></li>
`;
  });
  return html`<nav aria-label="All findings"><ul class="index">
${rows}</ul></nav>
`;
}

function foot({ nonce, trace, digest, dismissed, baseline }: ReviewReport): Markup {
  const recorded = trace === undefined ? "not recorded" : oneLine(trace);
  return html`<footer>
<dl class="facts">
<div><dt>Known before</dt><dd>${dismissed} dismissed, ${baseline} from the baseline; not raised again</dd></div>
<div><dt>Record</dt><dd>${recorded}</dd></div>
<div><dt>Nonce</dt><dd>${nonce}</dd></div>
<div><dt>Digest</dt><dd>${digest ?? "none"}</dd></div>
</dl>
</footer>
`;
}
