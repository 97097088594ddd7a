import { type Json, SwornError } from "../base/index.ts";
import type { Finding } from "../schema/finding.ts";
import { cutText } from "./cut-text.ts";
import { readElements } from "./findings-json.ts";
import { asLine, asList, asText, member, parseReportJson } from "./json-value.ts";
import { bareReport, type ParsedReport } from "./parsed-report.ts";
import { priorityIn } from "./priority.ts";

const EXPECTED = "diagnostics in reviewdog's format";

/**
 * Reads diagnostics in reviewdog's format: one document with a list, or one diagnostic a line.
 *
 * @throws SwornError `INPUT_INVALID` if it is neither.
 */
export function parseRdjson(text: string, path: string): ParsedReport {
  const { diagnostics, around } = isOneDocument(text, path)
    ? document(text, path)
    : lines(text, path);
  const source = asText(member(member(around, "source"), "name")) ?? sourceOf(diagnostics[0]);
  const severity = asText(member(around, "severity"));
  const read = readElements(
    diagnostics,
    (element, index) => toFinding(element, index, severity),
    path,
  );
  return bareReport("rdjson", {
    ...read,
    ...(source === undefined ? {} : { reviewer: cutText(source, 200) }),
  });
}

interface Diagnostics {
  readonly diagnostics: readonly Json[];
  readonly around: Json | undefined;
}

/** A document names its list; a line of the other form is a diagnostic and has none. */
function isOneDocument(text: string, path: string): boolean {
  // A linter that writes lines and found nothing writes nothing.
  if (text.trim() === "" && /\.(?:rdjsonl|jsonl|ndjson)$/i.test(path)) return false;
  const end = text.trimStart().indexOf("\n");
  const first = end < 0 ? text : text.trimStart().slice(0, end);
  return !/^\s*\{.*\}\s*$/.test(first) || /^\s*\{.*"diagnostics"\s*:/.test(first);
}

function document(text: string, path: string): Diagnostics {
  const around = parseReportJson(text, path, EXPECTED);
  const diagnostics = member(around, "diagnostics");
  if (!Array.isArray(diagnostics)) {
    throw new SwornError("INPUT_INVALID", `${path}: expected a member "diagnostics" with a list`);
  }
  return { diagnostics, around };
}

function lines(text: string, path: string): Diagnostics {
  const diagnostics = text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    return [parseReportJson(line, `${path}, line ${index + 1}`, EXPECTED)];
  });
  return { diagnostics, around: undefined };
}

const sourceOf = (element: Json | undefined): string | undefined =>
  asText(member(member(element, "source"), "name"));

function toFinding(
  element: Json,
  index: number,
  severity: string | undefined,
): Finding | { readonly why: string } {
  const message = asText(member(element, "message"));
  const location = member(element, "location");
  const file = asText(member(location, "path"));
  if (message === undefined) return { why: "has no message" };
  if (file === undefined) return { why: "has no location.path" };
  const code = asText(member(member(element, "code"), "value"));
  const category = code
    ?.toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join("-")
    .slice(0, 64)
    .replace(/-$/, "");
  const level = asText(member(element, "severity")) ?? severity ?? "INFO";
  const fix = asList(member(element, "suggestions"))
    .flatMap((suggestion) => asText(member(suggestion, "text")) ?? [])
    .join("\n\n");
  return {
    id: `X-${index + 1}`,
    title: cutText(message.split("\n")[0] ?? "", 500),
    priority: priorityIn(level === "UNKNOWN_SEVERITY" ? "INFO" : level) ?? "P3",
    citations: [{ file, ...rangeOf(member(location, "range")) }],
    issue: cutText(message, 20_000),
    ...(category === undefined || category === "" ? {} : { category }),
    ...(fix === "" ? {} : { fix: cutText(fix, 20_000) }),
  };
}

function rangeOf(range: Json | undefined): { line?: number; end_line?: number } {
  const line = asLine(member(member(range, "start"), "line"));
  const end = asLine(member(member(range, "end"), "line"));
  if (line === undefined) return {};
  return end !== undefined && end > line ? { line, end_line: end } : { line };
}
