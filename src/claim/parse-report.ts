import { SwornError } from "../base/index.ts";
import { detectFormat } from "./detect-format.ts";
import { parseFindingsJson } from "./findings-json.ts";
import { parseMarkdownReport } from "./markdown-report.ts";
import { type ParsedReport, REPORT_BYTES_MAX, type ReportFormat } from "./parsed-report.ts";
import { parseRdjson } from "./rdjson.ts";
import { parseSarif } from "./sarif.ts";

interface ReadOptions {
  readonly path: string;
  readonly format?: ReportFormat | undefined;
  /**
   * The text is a review for sure. Where no finding in it has a priority, its items and headings with a
   * line of a file are its findings; in other prose they are a list of what was done.
   */
  readonly isReview?: boolean;
}

/**
 * Reads what a reviewer wrote. Nothing in it is believed or checked here; everything that looks
 * like a finding is either read or named as unread.
 *
 * @throws SwornError `INPUT_INVALID` if it is no report, `LIMIT_EXCEEDED` beyond our bounds.
 */
export function parseReport(text: string, options: ReadOptions): ParsedReport {
  const { path } = options;
  if (Buffer.byteLength(text) > REPORT_BYTES_MAX) {
    const most = `expected a report of at most ${REPORT_BYTES_MAX} bytes`;
    throw new SwornError("LIMIT_EXCEEDED", `${path}: ${most}, found ${Buffer.byteLength(text)}`);
  }
  if (text.includes("\0")) {
    const expected = "expected a report in Markdown, findings JSON, SARIF or rdjson";
    throw new SwornError("INPUT_INVALID", `${path}: ${expected}, found bytes that are no text`);
  }
  const bare = text.replace(/^\uFEFF/, "");
  switch (options.format ?? detectFormat(bare, path)) {
    case "markdown":
      return parseMarkdownReport(bare, options.isReview);
    case "findings-json":
      return parseFindingsJson(bare, path);
    case "sarif":
      return parseSarif(bare, path);
    case "rdjson":
      return parseRdjson(bare, path);
  }
}
