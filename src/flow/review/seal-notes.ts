import type { ParsedReport } from "../../claim/index.ts";
import { sealProblems } from "../../verify/contract/index.ts";

const SEAL_ANYWHERE = /^[^\w\n]*SEAL:/m;

/** What a person should know of an agent's Seal. It lends no trust either way; a false one costs some. */
export function sealNotes(name: string, report: ParsedReport, text: string): string[] {
  if (report.seal === undefined) {
    return SEAL_ANYWHERE.test(text)
      ? [`${name}: the Seal in it stands in quoted text, so it is not this report's Seal`]
      : [];
  }
  return sealProblems(report, undefined).map((problem) => `${name}: ${problem}`);
}
