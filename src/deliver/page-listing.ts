import type { ReportedFinding } from "../schema/review.ts";
import { highlightLines, type Token } from "./highlight.ts";
import { languageOf } from "./language.ts";
import { html, type Markup, shown } from "./markup.ts";
import { type Place, placeText } from "./place.ts";
import { visibleLines, visibleText } from "./visible-text.ts";

/** Line by line, what a source listing shows. */
interface Listing {
  readonly lines: readonly string[];
  /** The number of the first line; undefined where the lines have none. */
  readonly from: number | undefined;
  readonly isCited: (line: number) => boolean;
}

/**
 * The source around a finding with the cited lines marked, or the bare quotation where the report
 * carries no source.
 */
export function pageListing(reported: ReportedFinding, place: Place): Markup {
  const listing = listingOf(reported, place);
  const colours = highlightLines(listing.lines, languageOf(place.file));
  const rows = colours.map((tokens, index) => row(tokens, index, listing));
  return html`<figure class="listing">
<figcaption>${shown(placeText(place))}</figcaption>
<pre tabindex="0" role="group" aria-label="Source at ${placeText(place)}"><code>${rows}</code></pre>
</figure>
`;
}

function listingOf({ context, finding }: ReportedFinding, { line, endLine }: Place): Listing {
  if (context.lines.length > 0) {
    return {
      lines: context.lines.map(singleLine),
      from: context.from,
      isCited: (number) => line !== undefined && number >= line && number <= (endLine ?? line),
    };
  }
  const quote = finding.citations[0]?.quote ?? "(no lines were quoted)";
  return { lines: visibleLines(quote), from: undefined, isCited: () => false };
}

/** A line break inside a line would shift every number below it. */
function singleLine(line: string): string {
  return visibleText(line).replaceAll("\n", "⟦U+000A⟧");
}

function row(tokens: readonly Token[], index: number, { from, isCited }: Listing): Markup {
  const code = tokens.map(({ kind, text }) =>
    kind === "plain" ? shown(text) : html`<span class="t-${kind}">${shown(text)}</span>`,
  );
  if (from === undefined)
    return html`<span class="row"><span class="src">${code}</span>
</span>`;
  const number = from + index;
  const cells = html`<span class="no">${number}</span><span class="src">${code}</span>
`;
  return isCited(number)
    ? html`<mark class="row cited">${cells}</mark>`
    : html`<span class="row">${cells}</span>`;
}
