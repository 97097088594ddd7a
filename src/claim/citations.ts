import type { Citation } from "../schema/finding.ts";
import { FINDING_TEXT_CHARS_MAX } from "../schema/finding.ts";
import { cutText } from "./cut-text.ts";
import type { Place } from "./place.ts";
import type { Quote } from "./quote.ts";

/** Most places one finding may point at. */
export const CITATIONS_MAX = 100;

/**
 * Brings places and quotes together. A quote that tells its lines corrects the place it belongs to;
 * one of another file is a place of its own.
 */
export function toCitations(places: readonly Place[], quotes: readonly Quote[]): Citation[] {
  const citations = places.map(({ file, line, end_line }) => citation({ file, line, end_line }));
  for (const quote of quotes) {
    const at = placeOf(citations, quote);
    const known = citations[at];
    const file = known?.file ?? quote.file ?? citations[0]?.file;
    if (file === undefined) continue;
    const range = quote.line === undefined ? known : quote;
    const cited = citation({
      file,
      line: range?.line,
      end_line: range?.end_line,
      quote: quote.text,
    });
    if (known === undefined) citations.push(cited);
    else citations[at] = cited;
  }
  return citations;
}

/** The place a quote belongs to: of its file, around its lines if possible, and not quoted yet. */
function placeOf(citations: readonly Citation[], quote: Quote): number {
  const isFree = (cited: Citation): boolean =>
    cited.quote === undefined && (quote.file === undefined || isSameFile(cited.file, quote.file));
  const around = citations.findIndex((cited) => isFree(cited) && covers(quote, cited.line));
  return around >= 0 ? around : citations.findIndex(isFree);
}

function covers(quote: Quote, line: number | undefined): boolean {
  if (quote.line === undefined || line === undefined) return false;
  return line >= quote.line && line <= (quote.end_line ?? quote.line);
}

/** Whether two spellings can mean one file: `b.ts` in a comment, `src/b.ts` in the head. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.replace(/^\.\//, ""));
  return a === b || `${a}`.endsWith(`/${b}`) || `${b}`.endsWith(`/${a}`);
}

function citation(parts: {
  file: string;
  line?: number | undefined;
  end_line?: number | undefined;
  quote?: string;
}): Citation {
  return {
    file: parts.file,
    ...(parts.line === undefined ? {} : { line: parts.line }),
    ...(parts.end_line === undefined ? {} : { end_line: parts.end_line }),
    ...(parts.quote === undefined ? {} : { quote: cutText(parts.quote, FINDING_TEXT_CHARS_MAX) }),
  };
}
