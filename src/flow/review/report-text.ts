import { renderTome } from "../../deliver/index.ts";
import type { ReviewReport } from "../../schema/review.ts";

/** A report as the text that people read, and that other readers of reports take. */
export function reportText(report: ReviewReport): string {
  return renderTome(report);
}
