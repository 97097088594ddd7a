import type { ReportedFinding, ReviewerOutcome, ReviewReport } from "../schema/review.ts";
import { displayWidth, fitted, padded, wrapped } from "./display-width.ts";
import { claimedPlace, placeText, truePlace } from "./place.ts";
import { checkedOf, coverageWords, ofPriority, overallReliability, STATUS_WORDS } from "./tally.ts";
import { defused, oneLine } from "./visible-text.ts";

/** The narrowest terminal that is drawn for; below it lines are as long as here. */
const WIDTH_MIN = 40;
/** No reviewer's name takes more columns than this. */
const NAME_COLUMNS_MAX = 24;
/** How many refuted claims or gaps are named before the rest is counted. */
const NAMED_MAX = 5;
const INDENT = "  ";

export interface SummaryStyle {
  /** Columns of the terminal. */
  readonly width: number;
  readonly colours: boolean;
}

type Colour = "red" | "yellow" | "green" | "dim" | "bold";
type Paint = (colour: Colour, text: string) => string;
const CODES = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 } as const;

/**
 * The end of a run for a person at a terminal: who said what, what must be looked at, what was made
 * up, what nobody looked at, and what to do next. No character of a report reaches the terminal
 * unless it prints; no line is longer than the width.
 */
export function renderSummary(report: ReviewReport, { width, colours }: SummaryStyle): string {
  const columns = Math.max(WIDTH_MIN, width);
  const paint: Paint = (colour, text) => (colours ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text);
  const parts = [
    titleLines(report, columns, paint),
    reviewerLines(report.reviewers, columns, paint),
    findingLines(report, columns, paint),
    refutedLines(report, columns, paint),
    gapLines(report, columns, paint),
    noteLines(report, columns),
    knownLines(report, columns),
    wrapped(`Next: ${nextStep(report)}`, columns),
  ];
  const lines = parts.filter((part) => part.length > 0).flatMap((part) => [...part, ""]);
  return lines
    .slice(0, -1)
    .map((line) => `${line}\n`)
    .join("");
}

function words(text: string): string {
  return defused(oneLine(text));
}

function titleLines(report: ReviewReport, columns: number, paint: Paint): string[] {
  const { kind, subject, status } = report;
  const title = `Sworn: ${words(kind)} of ${words(subject.repository)}, ${words(subject.range)}`;
  const state = STATUS_WORDS[status].toUpperCase();
  const rest = `reliability ${overallReliability(report.reviewers)}, covered ${coverageWords(report.coverage)}`;
  return [
    paint("bold", fitted(title, columns)),
    paint(status === "completed" ? "green" : "red", state),
    ...wrapped(rest, columns),
  ];
}

function reviewerLines(
  reviewers: readonly ReviewerOutcome[],
  columns: number,
  paint: Paint,
): string[] {
  const names = reviewers.map(({ name }) => fitted(words(name), NAME_COLUMNS_MAX));
  const widest = Math.max(0, ...names.map(displayWidth));
  return reviewers.map((reviewer, index) => {
    const name = padded(names[index] ?? "", widest);
    const room = columns - widest - 2 * INDENT.length;
    const colour = reviewer.status === "complete" && reviewer.reliable ? "green" : "red";
    const line = paint(colour, fitted(outcomeWords(reviewer), room));
    return `${INDENT}${name}${INDENT}${line}`;
  });
}

function outcomeWords(reviewer: ReviewerOutcome): string {
  const { status, reliable, note, p1, p2, p3, hallucinated } = reviewer;
  const why = note === undefined ? "" : `: ${words(note)}`;
  if (status === "missing") return `missing${why}`;
  const { checked, all } = checkedOf(reviewer);
  const counts = `${p1} P1  ${p2} P2  ${p3} P3  checked ${checked}/${all}`;
  const lies = hallucinated === 0 ? "" : `  made up ${hallucinated}`;
  const state = reliable ? status : `${status}, unreliable`;
  return `${counts}${lies}  ${state}${why}`;
}

function findingLines(report: ReviewReport, columns: number, paint: Paint): string[] {
  const [p1, p2, p3] = [
    ofPriority(report, "P1"),
    ofPriority(report, "P2"),
    ofPriority(report, "P3"),
  ];
  const lines = [
    ...p1.flatMap((reported) => oneFinding(reported, columns, paint, "red")),
    ...p2.flatMap((reported) => oneFinding(reported, columns, paint, "yellow")),
  ];
  if (p3.length > 0) lines.push(paint("dim", `and ${p3.length} P3, in the report`));
  return lines.length === 0 ? ["No finding."] : lines;
}

function oneFinding(
  reported: ReportedFinding,
  columns: number,
  paint: Paint,
  colour: Colour,
): string[] {
  const { finding, verdict, support, same_lines: others = [] } = reported;
  const doubt = [
    ...(verdict === "CONFIRMED" ? [] : [verdict.toLowerCase()]),
    ...(support === "quotation" ? ["quotation only"] : []),
    ...(others.length === 0 ? [] : [`same lines: ${others.map(words).join(", ")}`]),
  ];
  const place =
    defused(placeText(truePlace(reported))) + (doubt.length > 0 ? ` (${doubt.join(", ")})` : "");
  const title = `${words(finding.id)}  ${words(finding.title)}`;
  return [
    `${paint(colour, finding.priority)}  ${fitted(title, columns - 4)}`,
    paint("dim", `    ${fitted(place, columns - 4)}`),
  ];
}

function refutedLines({ refuted }: ReviewReport, columns: number, paint: Paint): string[] {
  if (refuted.length === 0) return [];
  const lines = refuted.slice(0, NAMED_MAX).map(({ by, finding, reason }) => {
    const place = defused(placeText(claimedPlace({ finding })));
    return fitted(`${INDENT}${words(by)} cited ${place}: ${words(reason)}`, columns);
  });
  return [paint("red", `Lies caught: ${refuted.length}`), ...lines, ...furtherOnes(refuted.length)];
}

function gapLines({ gaps }: ReviewReport, columns: number, paint: Paint): string[] {
  if (gaps.length === 0) return [];
  const lines = gaps
    .slice(0, NAMED_MAX)
    .map(({ what, why }) => fitted(`${INDENT}${words(what)}: ${words(why)}`, columns));
  return [paint("yellow", `Not covered: ${gaps.length}`), ...lines, ...furtherOnes(gaps.length)];
}

function noteLines({ notes }: ReviewReport, columns: number): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, NAMED_MAX).map((note) => fitted(`${INDENT}${words(note)}`, columns));
  return [`Notes: ${notes.length}`, ...lines, ...furtherOnes(notes.length)];
}

function knownLines({ dismissed, baseline }: ReviewReport, columns: number): string[] {
  if (dismissed + baseline === 0) return [];
  const counts = `${dismissed} dismissed, ${baseline} from the baseline`;
  return wrapped(`Known before and not raised again: ${counts}`, columns);
}

function furtherOnes(count: number): string[] {
  return count > NAMED_MAX ? [`${INDENT}and ${count - NAMED_MAX} more, in the report`] : [];
}

/** Reports of other agents of which nothing was understood, by their file. */
function unheardReports({ reviewers, gaps }: ReviewReport): string[] {
  const missing = reviewers.filter(({ status }) => status === "missing");
  // A built-in reviewer that failed has gaps of its own, about source.
  const names = new Set(
    missing.map(({ name }) => name).filter((name) => name.startsWith("agent-")),
  );
  return gaps.flatMap(({ who, what }) => (names.has(who ?? "") ? [what] : []));
}

function nextStep(report: ReviewReport): string {
  const count = (priority: "P1" | "P2"): number => ofPriority(report, priority).length;
  const blocking = ofPriority(report, "P1").filter(({ support }) => support !== "quotation");
  if (report.status === "failed") return "nothing can be relied on; run the review again.";
  if (blocking.length > 0) return `fix the ${blocking.length} supported P1, then review again.`;
  const [unheard] = unheardReports(report);
  if (unheard !== undefined) {
    return `have ${unheard} written in a form that is understood; "sworn check ${unheard}" says which.`;
  }
  if (count("P1") > 0) return "look at each P1 yourself: only a quotation supports it.";
  if (report.status !== "completed") return "have the parts reviewed that are not covered.";
  if (count("P2") > 0) return "decide about each P2: fix it, or dismiss it with a reason.";
  return "nothing stands against it as far as these reviewers looked.";
}
