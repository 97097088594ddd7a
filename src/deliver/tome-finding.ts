import type { Citation } from "../schema/finding.ts";
import type { ReportedFinding } from "../schema/review.ts";
import { languageOf } from "./language.ts";
import {
  codeFence,
  codeSpan,
  commentValue,
  escapeWords,
  indented,
  markdownLine,
  markdownProse,
} from "./markdown.ts";
import {
  citedPlace,
  claimedPlace,
  isMisplaced,
  type Place,
  placeText,
  sourceAt,
  truePlace,
} from "./place.ts";
import { SUPPORT_WORDS } from "./tally.ts";
import { oneLine, visibleName, visibleSource } from "./visible-text.ts";

/** Enough to name it to "sworn dismiss". */
const IDENTITY_CHARS = 12;

/**
 * One finding as Markdown between two comments that carry the run's nonce. Everything a reviewer
 * wrote stands inside one list item, indented, so that it can neither end the item nor start at the
 * place where the comments are looked for.
 */
export function tomeFinding(reported: ReportedFinding, nonce: string): string[] {
  const { finding } = reported;
  const place = truePlace(reported);
  const id = commentValue(finding.id);
  return [
    `<!-- RUNE:FINDING nonce="${nonce}" id="${id}" file="${commentValue(place.file)}" line="${place.line ?? ""}" severity="${finding.priority}" -->`,
    "",
    `- [ ] **[${escapeWords(oneLine(finding.id))}] ${markdownLine(finding.title)}** in ${codeSpan(placeText(place))}`,
    ...indented(details(reported, place)),
    "",
    `<!-- /RUNE:FINDING ${id} -->`,
    "",
  ];
}

function details(reported: ReportedFinding, place: Place): string[] {
  const { finding } = reported;
  const parts = [
    ["**Rune Trace:**", "", ...evidence(reported, place)],
    markdownProse("**Issue:**", finding.issue ?? "not given"),
    markdownProse("**Fix:**", finding.fix ?? "not given"),
    verdict(reported, place),
    [`**Support:** ${SUPPORT_WORDS[reported.support]}`],
    [`**By:** ${[reported.by, ...reported.also_by].map(markdownLine).join(", also ")}`],
    sameLines(reported),
    [`**Identity:** \`${reported.identity.slice(0, IDENTITY_CHARS)}\``],
    further(finding.citations.slice(1), "**Also at:**", ", "),
    further(finding.path ?? [], "**Path:**", " → "),
    absence(reported),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part) => ["", ...part]);
}

function sameLines({ same_lines: others = [] }: ReportedFinding): string[] {
  return others.length === 0 ? [] : [`**Same lines:** ${others.map(markdownLine).join(", ")}`];
}

/** The quoted lines, or else the source itself, under a comment that says where they stand. */
function evidence(reported: ReportedFinding, place: Place): string[] {
  const quote = reported.finding.citations[0]?.quote;
  const source = quote === undefined ? sourceAt(reported, place) : visibleSource(quote);
  const { lineComment, name } = languageOf(place.file);
  const where =
    place.line === undefined
      ? `Somewhere in ${visibleName(place.file)}`
      : `Lines ${place.line}-${place.endLine ?? place.line} of ${visibleName(place.file)}`;
  const lines = source ?? ["(no lines were quoted)"];
  return codeFence([`${lineComment} ${where}`, ...lines.flatMap(visibleSource)], name);
}

function verdict(reported: ReportedFinding, place: Place): string[] {
  const said = `**Verdict:** ${reported.verdict}. ${markdownLine(reported.reason)}`;
  if (!isMisplaced(reported)) return [said];
  const cited = codeSpan(placeText(claimedPlace(reported)));
  return [said, `**True place:** ${codeSpan(placeText(place))}, cited as ${cited}`];
}

function further(citations: readonly Citation[], label: string, between: string): string[] {
  if (citations.length === 0) return [];
  const places = citations.map((citation) => codeSpan(placeText(citedPlace(citation))));
  return [`${label} ${places.join(between)}`];
}

function absence({ finding }: ReportedFinding): string[] {
  if (finding.absence === undefined) return [];
  const { text, within } = finding.absence;
  const where =
    within.length === 0
      ? "the whole tree"
      : within.map((path) => codeSpan(visibleName(path))).join(", ");
  return [`**Searched for:** ${codeSpan(visibleName(text))} in ${where}; nothing was found`];
}
