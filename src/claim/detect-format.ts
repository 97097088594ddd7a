import { type Json, SwornError } from "../base/index.ts";
import { member, parseReportJson } from "./json-value.ts";
import type { ReportFormat } from "./parsed-report.ts";

const EXPECTED = "a report as findings JSON, SARIF or rdjson";

/**
 * Tells a report's format from its name and, where that leaves several, from its members.
 *
 * @throws SwornError `INPUT_INVALID` if the name or the first character promises JSON and it is no
 * report.
 */
export function detectFormat(text: string, path: string): ReportFormat {
  const name = path.toLowerCase();
  if (/\.sarif(?:\.json)?$/.test(name)) return "sarif";
  if (/\.rdjsonl?$|\.jsonl$|\.ndjson$/.test(name)) return "rdjson";
  const isJson = /\.json$/.test(name) || /^\s{0,1000}[{[]\s{0,1000}["{}\]]/.test(text);
  if (!isJson || /\.(?:md|markdown|mdx)$/.test(name)) return "markdown";
  if (isLines(text)) return "rdjson";
  return formatOf(parseReportJson(text, path, EXPECTED), path);
}

/** Several objects, one a line: the first line alone is complete, and more follows. */
function isLines(text: string): boolean {
  const [first = "", second = ""] = text.trimStart().split("\n", 2);
  return /^\{.*\}\s*$/.test(first) && second.startsWith("{") && first.includes('"message"');
}

function formatOf(value: Json, path: string): ReportFormat {
  if (Array.isArray(value) || member(value, "findings") !== undefined) return "findings-json";
  if (member(value, "runs") !== undefined) return "sarif";
  if (member(value, "diagnostics") !== undefined) return "rdjson";
  if (member(value, "message") !== undefined && member(value, "location") !== undefined)
    return "rdjson";
  const wanted = 'a member "findings", "runs" or "diagnostics"';
  throw new SwornError("INPUT_INVALID", `${path}: expected ${EXPECTED}: with ${wanted}`);
}
