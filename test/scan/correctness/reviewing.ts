import { correctness } from "../../../src/scan/correctness/index.ts";

/** Findings of a text as `P2 unreachable-code 3`: priority, category, line. */
export function reviewed(text: string, path = "lib/file.js"): string[] {
  return correctness
    .review({ path, text })
    .map(({ priority, category, citations }) => `${priority} ${category} ${citations[0]?.line}`);
}
