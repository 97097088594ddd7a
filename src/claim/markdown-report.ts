import { MarkdownReader } from "./markdown-reader.ts";
import { namedPlaces } from "./named-places.ts";
import type { ParsedReport } from "./parsed-report.ts";
import { readBlocks } from "./read-blocks.ts";
import { findSeal } from "./seal.ts";
import { withShiftedFences } from "./shifted-fences.ts";

/**
 * Reads a report in Markdown.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for a report beyond our bounds.
 */
export function parseMarkdownReport(text: string): ParsedReport {
  const lines = withShiftedFences(text.toWellFormed().split(/\r\n|\n|\r/));
  const blocks = readBlocks(lines);
  const reader = new MarkdownReader();
  reader.read(blocks);
  const gathered = reader.finish();
  return {
    format: "markdown",
    ...gathered,
    sections: reader.sections,
    seal: findSeal(blocks, lines),
    selfReview: reader.selfReview,
    questions: reader.questions,
    unverified: reader.unverified,
    places: namedPlaces(blocks),
    ...(reader.reviewer === undefined ? {} : { reviewer: reader.reviewer }),
  };
}
