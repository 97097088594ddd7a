import type { ReviewReport } from "../schema/review.ts";
import { html, type Markup, shown } from "./markup.ts";
import { ofPriority, overallReliability, RELIABILITY_RULE, STATUS_WORDS } from "./tally.ts";
import { oneLine } from "./visible-text.ts";

/** The top of the page: what was looked at, how it ended, and the figures. */
export function pageHead(report: ReviewReport): Markup {
  const { kind, subject, status } = report;
  const { repository, base, head, range } = subject;
  const compared = base === null ? html`whole tree` : html`${shown(oneLine(base))}`;
  return html`<header class="top status-${status}">
<div class="stripes" aria-hidden="true"></div>
<div class="mast">
<div>
<p class="brand">SWORN</p>
<h1>${shown(oneLine(kind))} of <span class="subject">${shown(oneLine(repository))}</span></h1>
<dl class="commits">
<div><dt>Range</dt><dd>${shown(oneLine(range))}</dd></div>
<div><dt>Base</dt><dd>${compared}</dd></div>
<div><dt>Head</dt><dd>${shown(oneLine(head))}</dd></div>
</dl>
</div>
<p class="stamp"><span>Status</span> <strong>${STATUS_WORDS[status]}</strong></p>
</div>
<ul class="figures">
${figures(report)}</ul>
<p class="rule"><b>Reliability: ${overallReliability(report.reviewers)}.</b> The rule: ${RELIABILITY_RULE}.</p>
</header>
`;
}

function figures(report: ReviewReport): Markup[] {
  const { refuted, gaps, coverage } = report;
  const count = (priority: "P1" | "P2" | "P3"): number => ofPriority(report, priority).length;
  const covered = coverage.files === 0 ? "none" : `${coverage.covered}/${coverage.files}`;
  const isWhole = coverage.files > 0 && coverage.covered >= coverage.files;
  const all: [label: string, value: number | string, kind: string][] = [
    ["P1 critical", count("P1"), count("P1") > 0 ? "danger" : "quiet"],
    ["P2 high", count("P2"), count("P2") > 0 ? "warn" : "quiet"],
    ["P3 medium", count("P3"), "plain"],
    ["Lies caught", refuted.length, refuted.length > 0 ? "danger-line" : "quiet"],
    ["Gaps", gaps.length, gaps.length > 0 ? "warn-line" : "quiet"],
    ["Files covered", covered, isWhole ? "plain" : "warn-line"],
  ];
  return all.map(
    ([
      label,
      value,
      kind,
    ]) => html`<li class="${kind}"><strong>${value}</strong> <span>${label}</span></li>
`,
  );
}
