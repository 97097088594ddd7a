import { join } from "node:path";
import { ensureFolder } from "../../base/index.ts";
import { renderHtml, renderSarif, renderTome } from "../../deliver/index.ts";
import type { ReviewReport } from "../../schema/review.ts";
import type { Place } from "../place.ts";
import { writeOutput } from "../write-output.ts";

function folderOf(place: Place, trace: string): string {
  return join(place.store, "reviews", trace);
}

/** Writes down what the team owes, where its output will lie; before anybody begins. */
export function writeContract(place: Place, trace: string, contract: string): void {
  const folder = folderOf(place, trace);
  ensureFolder(folder);
  writeOutput(join(folder, "inscription.json"), contract);
}

/** Writes the report in all its forms beside its contract, and gives the folder. */
export function writeReport(place: Place, trace: string, report: ReviewReport): string {
  const folder = folderOf(place, trace);
  ensureFolder(folder);
  writeOutput(join(folder, "TOME.md"), renderTome(report));
  writeOutput(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeOutput(join(folder, "report.sarif"), `${JSON.stringify(renderSarif(report))}\n`);
  writeOutput(join(folder, "report.html"), renderHtml(report));
  return folder;
}
