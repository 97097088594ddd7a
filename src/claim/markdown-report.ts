import type { Block } from "./block.ts";
import { DraftList } from "./draft-list.ts";
import { MarkdownReader } from "./markdown-reader.ts";
import { namedPlaces } from "./named-places.ts";
import type { ParsedReport } from "./parsed-report.ts";
import { readBlocks } from "./read-blocks.ts";
import { saysNothing } from "./says-nothing.ts";
import { findSeal } from "./seal.ts";
import { withShiftedFences } from "./shifted-fences.ts";

/**
 * Reads a report in Markdown.
 *
 * @throws SwornError `LIMIT_EXCEEDED` for a report beyond our bounds.
 */
export function parseMarkdownReport(text: string, isReview = false): ParsedReport {
  const lines = withShiftedFences(text.toWellFormed().split(/\r\n|\n|\r/));
  const blocks = readBlocks(lines);
  const stated = readAll(blocks, false);
  const isSilent = stated.gathered.findings.length === 0 && !saysNothing(text);
  const unstated = isReview && isSilent ? readAll(blocks, true) : stated;
  const { reader, gathered } = unstated.gathered.findings.length > 0 ? unstated : stated;
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

function readAll(blocks: readonly Block[], isUnstated: boolean) {
  const reader = new MarkdownReader(new DraftList(isUnstated));
  reader.read(blocks);
  return { reader, gathered: reader.finish() };
}
