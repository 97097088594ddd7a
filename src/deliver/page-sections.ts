import type { ReviewerOutcome, ReviewReport } from "../schema/review.ts";
import { html, type Markup, shown } from "./markup.ts";
import { claimedPlace, placeText } from "./place.ts";
import { checkedOf, coverageWords } from "./tally.ts";
import { oneLine, visibleText } from "./visible-text.ts";

/** How many cells the bar of covered files has. */
const CELLS = 50;

export function reviewersPart({ reviewers }: ReviewReport): Markup {
  const head = [
    "Reviewer",
    "Status",
    "Files",
    "P1",
    "P2",
    "P3",
    "Confidence",
    "Checked",
    "Confirmed",
    "Inaccurate",
    "Made up",
    "Unread",
  ];
  const table = html`<table class="reviewers">
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${reviewers.map((reviewer) => reviewerRow(reviewer, head))}</tbody>
</table>
`;
  return part("reviewers", "Reviewers", reviewers.length === 0 ? [] : [table]);
}

function reviewerRow(reviewer: ReviewerOutcome, head: readonly string[]): Markup {
  const { checked, all } = checkedOf(reviewer);
  const { name, role, note, status, reliable, confidence } = reviewer;
  const state = reliable ? status : `${status}, unreliable`;
  const kind = status === "complete" && reliable ? "good" : "bad";
  const numbers = [
    ...[reviewer.files, reviewer.p1, reviewer.p2, reviewer.p3, confidence ?? "none"],
    ...[`${checked}/${all}`, reviewer.confirmed, reviewer.inaccurate, reviewer.hallucinated],
    reviewer.unread,
  ];
  const cells = numbers.map(
    (value, index) =>
      html`<td class="${value === 0 ? "zero" : "some"}" data-label="${head[index + 2] ?? ""}">${value}</td>`,
  );
  const noteLine =
    note === undefined ? html`` : html`<small class="note">${shown(oneLine(note))}</small>`;
  return html`<tr class="${kind}"><th scope="row"><span class="name">${shown(oneLine(name))}</span> <small>${shown(oneLine(role))}</small> ${noteLine}</th><td class="state" data-label="Status">${state}</td>${cells}</tr>
`;
}

export function refutedPart({ refuted }: ReviewReport): Markup {
  const items = refuted.map(({ finding, by, verdict, reason }) => {
    const quote = finding.citations[0]?.quote;
    const code =
      quote === undefined
        ? html``
        : html`<pre tabindex="0" role="group" aria-label="Refuted quotation"><code><del>${shown(visibleText(quote))}</del></code></pre>
`;
    return html`<article class="refuted">
<p class="tags"><span class="tag verdict-${verdict.toLowerCase()}">${verdict}</span><span class="tag raw">said by ${shown(oneLine(by))}</span></p>
<p class="claim"><del><span class="id">${shown(oneLine(finding.id))}</span> ${shown(oneLine(finding.title))}</del></p>
<p class="at"><del>${shown(placeText(claimedPlace({ finding })))}</del></p>
${code}<p class="why"><b>Why:</b> ${shown(oneLine(reason))}</p>
</article>
`;
  });
  return part("refuted", "Refuted claims", items);
}

export function unreadPart({ unread }: ReviewReport): Markup {
  const items = unread.map(
    ({ by, line, why, text }) => html`<article class="unread">
<p>Line ${line} of the report by ${shown(oneLine(by))}: ${shown(oneLine(why))}</p>
<pre tabindex="0" role="group" aria-label="Text that was not read"><code>${shown(text)}</code></pre>
</article>
`,
  );
  return part("unread", "Not read", items);
}

export function gapsPart({ gaps, coverage }: ReviewReport): Markup {
  const rows = gaps.map(
    ({
      what,
      who,
      why,
    }) => html`<li><span class="at">${shown(oneLine(what))}</span> <span>${shown(oneLine(why))}${who === undefined ? html`` : html` (${shown(oneLine(who))})`}</span></li>
`,
  );
  const list =
    rows.length === 0
      ? html`<p class="none">No gap is known.</p>
`
      : html`<ul class="gaps">
${rows}</ul>
`;
  return part("gaps", "Gaps and coverage", [html`${coverageBar(coverage)}${list}`]);
}

function coverageBar(coverage: ReviewReport["coverage"]): Markup {
  const { files, covered } = coverage;
  const filled = files === 0 ? 0 : Math.min(CELLS, Math.floor((covered * CELLS) / files));
  const cells = Array.from(
    { length: CELLS },
    (_, index) =>
      html`<rect class="${index < filled ? "full" : "void"}" x="${index * 10}" y="0" width="8" height="16" />`,
  );
  return html`<p>Covered: ${coverageWords(coverage)}</p>
<svg class="bar" viewBox="0 0 ${CELLS * 10} 16" preserveAspectRatio="none" role="img" aria-label="Covered: ${coverageWords(coverage)}">${cells}</svg>
`;
}

export function selfReviewPart({ self_review }: ReviewReport): Markup {
  const rows = self_review.map((each) => {
    const counts = `${each.confirmed} confirmed, ${each.revised} revised, ${each.deleted} deleted; ${each.logged} of ${each.expected} logged`;
    const notes = each.notes.map((note) => html` <small>${shown(oneLine(note))}</small>`);
    return html`<li class="health-${each.health}"><span class="at">${shown(oneLine(each.reviewer))}</span> <span><b>${each.health}</b>: ${counts}.${notes}</span></li>
`;
  });
  const list = html`<ul class="gaps">
${rows}</ul>
`;
  return part("self-review", "Self-review", rows.length === 0 ? [] : [list]);
}

export function notesPart({ notes }: ReviewReport): Markup {
  const list = html`<ul class="notes">
${notes.map(
  (note) => html`<li>${shown(oneLine(note))}</li>
`,
)}</ul>
`;
  return part("notes", "Notes between reviewers", notes.length === 0 ? [] : [list]);
}

function part(id: string, title: string, content: readonly Markup[]): Markup {
  const inside =
    content.length === 0
      ? html`<p class="none">None.</p>
`
      : html`${content}`;
  return html`<section id="${id}" aria-labelledby="h-${id}">
<h2 id="h-${id}">${title}</h2>
${inside}</section>
`;
}
