import { join } from "node:path";
import type { ParsedReport } from "../../claim/index.ts";
import type { Contract } from "../../schema/contract.ts";
import type { Finding, Unread } from "../../schema/finding.ts";
import type { Delivered } from "./deliveries.ts";

/** Reads a file as a report; the reason where it cannot be read, undefined where there is none. */
type ReadFile = (
  path: string,
) =>
  | { readonly report: ParsedReport; readonly text: string }
  | { readonly why: string | undefined };

const WHY_CHARS_MAX = 500;

/**
 * Adds what a teammate's companion file says: `<name>-findings.json` beside its report. Programs
 * read that one, and mend by it, so a finding that only stands there is held against the source as
 * well. What the report has in the same words is not said twice. The Seal is about the report alone.
 */
export function withCompanion(
  folder: string,
  delivered: Delivered,
  { teammates }: Contract,
  read: ReadFile,
): Delivered {
  const { teammate, report } = delivered;
  const name = `${teammate.name}-findings.json`;
  const isOwed = teammates.some(
    ({ output_file }) => output_file.toLowerCase() === name.toLowerCase(),
  );
  if (report === undefined || isOwed) return delivered;
  const companion = read(join(folder, name));
  if ("why" in companion) {
    if (companion.why === undefined) return delivered;
    const unread = { line: 1, text: name, why: companion.why.slice(0, WHY_CHARS_MAX) };
    return { ...delivered, report: { ...report, unread: [...report.unread, unread] } };
  }
  const { findings, unread } = companion.report;
  const more = findings.filter((one) => !report.findings.some((other) => isSame(one, other)));
  const named = unread.map(
    (part): Unread => ({ ...part, why: `${name}: ${part.why}`.slice(0, WHY_CHARS_MAX) }),
  );
  return {
    ...delivered,
    report: {
      ...report,
      findings: [...report.findings, ...more],
      unread: [...report.unread, ...named],
    },
  };
}

/** Said of the same place under the same id, with the same evidence or none. */
function isSame(one: Finding, other: Finding): boolean {
  const [here] = one.citations;
  const [there] = other.citations;
  const isSameQuote = here?.quote === undefined || bare(here.quote) === bare(there?.quote ?? "");
  return one.id === other.id && here?.file === there?.file && isSameQuote;
}

const bare = (text: string): string => text.replaceAll(/\s+/g, "");
