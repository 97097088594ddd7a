import type { Citation } from "../schema/finding.ts";
import type { ReportedFinding } from "../schema/review.ts";
import { fileUri } from "./file-uri.ts";
import { citedPlace, type Place, placeText, sourceAt, truePlace } from "./place.ts";
import { oneLine, visibleText } from "./visible-text.ts";

/** How loud a finding is for programs that know only these three. */
export const LEVELS = { P1: "error", P2: "warning", P3: "note" } as const;

/** The rule of a finding: its category, or one rule for all that have none. */
export function ruleOf({ finding }: ReportedFinding): string {
  return finding.category ?? "uncategorised";
}

/** A plain message. A viewer would follow `[text](target)` in it, so that form is broken up. */
export function sarifMessage(text: string): { text: string } {
  return { text: visibleText(text).replaceAll("](", "] (") };
}

/** One finding as a result of the rule at its place in the list. */
export function sarifResult(reported: ReportedFinding, rules: readonly string[]): object {
  const { finding, verdict, reason, support, by, also_by, identity } = reported;
  const place = truePlace(reported);
  const rule = ruleOf(reported);
  const [, ...further] = finding.citations;
  const path = finding.path ?? [];
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: LEVELS[finding.priority],
    message: sarifMessage(messageOf(reported)),
    locations: [primaryLocation(reported, place)],
    relatedLocations: [...further, ...path].map((citation, index) => ({
      id: index + 1,
      ...location(citedPlace(citation), citation.quote),
    })),
    ...(path.length === 0 ? {} : { codeFlows: [codeFlow(path)] }),
    partialFingerprints: { "swornIdentity/v1": identity },
    properties: {
      ...{ id: visibleText(finding.id), priority: finding.priority, verdict, support },
      ...{ reason: visibleText(reason), by: visibleText(by), also_by: also_by.map(visibleText) },
    },
  };
}

function messageOf({ finding }: ReportedFinding): string {
  const { id, title, issue, fix } = finding;
  return [
    `[${oneLine(id)}] ${oneLine(title)}`,
    ...(issue === undefined ? [] : [issue]),
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
  ].join("\n\n");
}

function primaryLocation(reported: ReportedFinding, place: Place): object {
  const quote = reported.finding.citations[0]?.quote;
  const where = location(place, sourceAt(reported, place)?.join("\n") ?? quote);
  const { from, lines } = reported.context;
  const isAround = sourceAt(reported, place) !== undefined;
  if (where.physicalLocation === undefined || !isAround) return where;
  const contextRegion = {
    startLine: from,
    endLine: from + lines.length - 1,
    snippet: snippet(lines.join("\n")),
  };
  return { ...where, physicalLocation: { ...where.physicalLocation, contextRegion } };
}

interface Location {
  readonly physicalLocation?: object;
  readonly message?: object;
}

function location(place: Place, source: string | undefined): Location {
  const uri = fileUri(place.file);
  // Without a name inside the tree there is nothing to open; the reader is told what was cited.
  if (uri === undefined) return { message: sarifMessage(`cited as ${placeText(place)}`) };
  const artifactLocation = { uri, uriBaseId: "SRCROOT" };
  if (place.line === undefined) return { physicalLocation: { artifactLocation } };
  const region = {
    startLine: place.line,
    endLine: place.endLine ?? place.line,
    ...(source === undefined ? {} : { snippet: snippet(source) }),
  };
  return { physicalLocation: { artifactLocation, region } };
}

function snippet(text: string): { text: string } {
  return { text: text.toWellFormed() };
}

function codeFlow(path: readonly Citation[]): object {
  const locations = path.map((citation) => ({
    location: location(citedPlace(citation), citation.quote),
  }));
  return { threadFlows: [{ locations }] };
}
