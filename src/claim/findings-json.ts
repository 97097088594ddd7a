import { type Json, SwornError } from "../base/index.ts";
import { Finding, type Unread } from "../schema/finding.ts";
import { toCitations } from "./citations.ts";
import { cutText, shownText } from "./cut-text.ts";
import { asLine, asObject, asText, member, parseReportJson } from "./json-value.ts";
import { bareReport, FINDINGS_MAX, type ParsedReport } from "./parsed-report.ts";
import { lineRange, type Place, readPlaces } from "./place.ts";
import { confidenceIn, priorityIn } from "./priority.ts";
import { readQuotes } from "./quote.ts";

/** Findings read from JSON, and elements that are none; their place in the list counts from one. */
export interface JsonFindings {
  readonly findings: Finding[];
  readonly unread: Unread[];
}

/**
 * Reads the companion file of a reviewer: `{ tarnished, workflow, findings: [...] }`, or the list
 * alone.
 *
 * @throws SwornError `INPUT_INVALID` if it is no such file.
 */
export function parseFindingsJson(text: string, path: string): ParsedReport {
  const value = parseReportJson(text, path, "a JSON file with a list of findings");
  const list = Array.isArray(value) ? value : member(value, "findings");
  if (!Array.isArray(list)) {
    throw new SwornError("INPUT_INVALID", `${path}: expected a member "findings" with a list`);
  }
  const reviewer = asText(member(value, "tarnished")) ?? asText(member(value, "reviewer"));
  const read = readElements(list, toFinding, path);
  return bareReport("findings-json", {
    ...read,
    ...(reviewer === undefined ? {} : { reviewer: cutText(reviewer, 200) }),
  });
}

/** Reads each element by itself, so that a bad one costs nothing but itself. */
export function readElements(
  list: readonly Json[],
  read: (element: Json, index: number) => Finding | { readonly why: string },
  path: string,
): JsonFindings {
  if (list.length > FINDINGS_MAX) {
    const found = `expected at most ${FINDINGS_MAX} findings, found ${list.length}`;
    throw new SwornError("LIMIT_EXCEEDED", `${path}: ${found}`);
  }
  const findings: Finding[] = [];
  const unread: Unread[] = [];
  for (const [index, element] of list.entries()) {
    const result = closed(read(element, index));
    if ("why" in result)
      unread.push({ line: index + 1, text: shownText(JSON.stringify(element)), why: result.why });
    else findings.push(result);
  }
  return { findings, unread };
}

/** Our own reading must fit the shape too: what does not is named instead of passed on. */
function closed(result: Finding | { readonly why: string }): Finding | { readonly why: string } {
  if ("why" in result) return { why: cutText(result.why, 500) };
  const parsed = Finding.safeParse(result);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return {
    why: cutText(`${issue?.path.join(".") ?? "it"}: ${issue?.message ?? "not readable"}`, 500),
  };
}

/** One element of such a list; a status of no consequence here is left out. */
export function toFinding(element: Json, index: number): Finding | { readonly why: string } {
  if (asObject(element) === undefined) return { why: "expected an object" };
  const field = (name: string): string | undefined => asText(member(element, name));
  const title = field("title") ?? field("issue");
  const file = field("file") ?? field("path");
  const priority = priorityIn(field("priority") ?? field("severity") ?? "");
  if (file === undefined) return { why: "names no file, so that nothing can be checked" };
  if (title === undefined) return { why: "has neither title nor issue" };
  if (priority === undefined) return { why: "expected a priority P1, P2 or P3" };
  const [place = { file }] = withLine(file, member(element, "line"), member(element, "end_line"));
  const trace = unfenced(field("rune_trace") ?? field("evidence") ?? "");
  const confidence = confidenceIn(String(member(element, "confidence") ?? ""));
  const category = field("category")
    ?.toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join("-")
    .slice(0, 64);
  return {
    id: cutText(field("id") ?? `X-${index + 1}`, 64),
    title: cutText(title, 500),
    priority,
    citations: toCitations([place], readQuotes(trace.text, trace.language, { cited: place })),
    ...(category === undefined ? {} : { category: category.replace(/-$/, "") }),
    ...prose("issue", field("issue")),
    ...prose("fix", field("fix")),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

function withLine(file: string, line: Json | undefined, end: Json | undefined): Place[] {
  const number = asLine(line);
  if (number !== undefined) {
    const last = asLine(end);
    return [
      { file, line: number, ...(last !== undefined && last > number ? { end_line: last } : {}) },
    ];
  }
  const range = /^\s*L?(\d{1,9})\s?[-–]\s?L?(\d{1,9})\s*$/.exec(asText(line) ?? "");
  if (range !== null) return [{ file, ...lineRange(range[1], range[2]) }];
  return readPlaces(file, true);
}

/** The text of a trace that came with its fence. */
function unfenced(text: string): { text: string; language: string } {
  const lines = text.replaceAll("\r\n", "\n").trim().split("\n");
  const open = /^(`{3,20}|~{3,20})([\w+-]{0,40})\s*$/.exec(lines[0] ?? "");
  if (open === null || lines.at(-1)?.trim() !== open[1])
    return { text: text.replaceAll("\r\n", "\n"), language: "" };
  return { text: lines.slice(1, -1).join("\n"), language: open[2] ?? "" };
}

const prose = (name: "issue" | "fix", text: string | undefined): Partial<Finding> =>
  text === undefined ? {} : { [name]: cutText(text, 20_000) };
