import type { Citation } from "../schema/finding.ts";
import type { ReportedFinding } from "../schema/review.ts";
import { html, type Markup, shown } from "./markup.ts";
import { pageListing } from "./page-listing.ts";
import { citedPlace, claimedPlace, isMisplaced, placeText, truePlace } from "./place.ts";
import { proseBlocks, proseSpans } from "./prose.ts";
import { PRIORITY_NAMES, SUPPORT_WORDS } from "./tally.ts";
import { oneLine } from "./visible-text.ts";

/** A finding with its number on the page and the numbers of the reviewers behind it. */
export interface PageFinding {
  readonly reported: ReportedFinding;
  readonly number: number;
  readonly reviewers: readonly number[];
}

/** What filters look at; names are hostile, so reviewers appear as numbers. */
export function filterData({ reported, reviewers }: PageFinding): Markup {
  return html`data-priority="${reported.finding.priority}" data-by="${reviewers.join(" ")}"`;
}

export function pageFinding(page: PageFinding): Markup {
  const { reported, number } = page;
  const { finding, verdict } = reported;
  const place = truePlace(reported);
  const { priority } = finding;
  return html`<article class="finding ${priority.toLowerCase()}" id="f${number}" ${filterData(page)} aria-labelledby="t${number}">
<header>
<p class="tags"><span class="prio">${priority} ${PRIORITY_NAMES[priority]}</span><span class="tag verdict-${verdict.toLowerCase()}">${verdict}</span><span class="tag raw">${finding.category ?? "uncategorised"}</span></p>
<h3 id="t${number}"><a href="#f${number}"><span class="id">${shown(oneLine(finding.id))}</span> ${shown(oneLine(finding.title))}</a></h3>
</header>
${pageListing(reported, place)}<div class="body">
${proseSection("Issue", finding.issue)}${proseSection("Fix", finding.fix)}${pathSection(finding.path ?? [])}<dl class="facts">
${facts(reported)}</dl>
</div>
</article>
`;
}

function facts(reported: ReportedFinding): Markup[] {
  const { finding, reason, support, by, also_by } = reported;
  const rows: [string, Markup][] = [
    ["Checked", shown(oneLine(reason))],
    ["Support", shown(SUPPORT_WORDS[support])],
    ["Said by", shown([by, ...also_by].map(oneLine).join(", "))],
  ];
  if (isMisplaced(reported)) {
    rows.push(["Cited as", html`<del>${shown(placeText(claimedPlace(reported)))}</del>`]);
  }
  const further = finding.citations.slice(1);
  if (further.length > 0) {
    rows.push(["Also at", shown(further.map((each) => placeText(citedPlace(each))).join(", "))]);
  }
  if (finding.absence !== undefined) {
    const where = finding.absence.within.map(oneLine).join(", ");
    const text = `${oneLine(finding.absence.text)} in ${where === "" ? "the whole tree" : where}`;
    rows.push(["Searched", html`${shown(text)}; nothing was found`]);
  }
  return rows.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
  );
}

function pathSection(path: readonly Citation[]): Markup {
  if (path.length === 0) return html``;
  const steps = path.map((citation, index) => {
    const name = index === 0 ? "Source" : index === path.length - 1 ? "Sink" : "Step";
    const quote =
      citation.quote === undefined ? html`` : html` <code>${shown(oneLine(citation.quote))}</code>`;
    return html`<li><b>${name}</b> <span class="at">${shown(placeText(citedPlace(citation)))}</span>${quote}</li>
`;
  });
  return html`<h4>Path</h4>
<ol class="path">
${steps}</ol>
`;
}

function proseSection(title: string, text: string | undefined): Markup {
  if (text === undefined) return html``;
  const blocks = proseBlocks(text).map(({ kind, lines }) =>
    kind === "code"
      ? html`<pre tabindex="0" role="group" aria-label="${title}, code"><code>${shown(lines.join("\n"))}</code></pre>
`
      : html`<p>${lines.map(proseLine)}</p>
`,
  );
  return html`<h4>${title}</h4>
${blocks}`;
}

function proseLine(line: string): Markup {
  const spans = proseSpans(line).map(({ kind, text }) =>
    kind === "code" ? html`<code>${shown(text)}</code>` : shown(text),
  );
  return html`${spans}
`;
}
