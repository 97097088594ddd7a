import { join } from "node:path";
import { ensureFolder, writeFileDurably } from "../../base/index.ts";
import { renderHtml, renderSarif, renderTome } from "../../deliver/index.ts";
import type { ReviewOutcome } from "./review.ts";

/** Writes the report in all its forms beside the record, and gives the folder. */
export function writeReport({ report, place, trace, contract }: ReviewOutcome): string {
  const folder = join(place.store, "reviews", trace);
  ensureFolder(folder);
  writeFileDurably(join(folder, "inscription.json"), contract);
  writeFileDurably(join(folder, "TOME.md"), renderTome(report));
  writeFileDurably(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileDurably(join(folder, "report.sarif"), `${JSON.stringify(renderSarif(report))}\n`);
  writeFileDurably(join(folder, "report.html"), renderHtml(report));
  return folder;
}
