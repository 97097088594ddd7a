import { basename, extname } from "node:path";
import type { ParsedReport } from "../../claim/index.ts";
import { isUnheard, readReport } from "../check/check.ts";

/** A report that takes part in a review under a name of its own. */
export interface ReportPart {
  readonly name: string;
  readonly path: string;
  readonly report: ParsedReport;
  /** What the agent wrote, word for word; this is what is recorded. */
  readonly text: string;
  /** Nothing of it was understood, so that nothing of it was checked. */
  readonly isUnheard: boolean;
}

const NAME_CHARS_MAX = 40;

/** Reads other agents' reports, each under a name of its own. */
export function readReports(paths: readonly string[]): ReportPart[] {
  const names = namesFor(paths);
  return paths.map((path, index) => {
    const { report, text } = readReport(path);
    return { name: names[index] ?? "", path, report, text, isUnheard: isUnheard(report, text) };
  });
}

/** The names that reports get from their files, no two the same. */
export function namesFor(paths: readonly string[]): string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const name = freeName(nameOf(path), taken);
    taken.add(name);
    return name;
  });
}

/** A name the record takes: what the file is called, in plain letters. */
function nameOf(path: string): string {
  const plain = basename(path, extname(path))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, NAME_CHARS_MAX);
  return plain.startsWith("agent-") ? plain : `agent-${plain || "report"}`;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}-${number}`)) number += 1;
  return `${wanted}-${number}`;
}
