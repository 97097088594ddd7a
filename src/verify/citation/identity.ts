import { sha256Hex } from "../../base/index.ts";
import type { CheckedFinding, Finding, JudgedFinding } from "../../schema/finding.ts";

/**
 * A finding's name across runs: path, quoted text and category. Lines, numbers and the reviewer are
 * left out, so that a dismissal survives a rebase, a moved function and another numbering. Without
 * a quote or a category, the words of the title stand in.
 */
export function identityOf(finding: Finding, resolvedPath: string): string {
  const anchor = collapse(finding.citations[0]?.quote ?? "");
  const needsTitle = anchor === "" || finding.category === undefined;
  // A lone surrogate has no canonical form, and a reviewer's output may have one.
  const identity = {
    anchor: anchor.toWellFormed(),
    category: (finding.category ?? "").toWellFormed(),
    path: resolvedPath.toWellFormed(),
    title: needsTitle ? wordsOf(finding.title).toWellFormed() : "",
    v: 1,
  };
  // With its keys in order, this is the canonical form.
  return sha256Hex(JSON.stringify(identity));
}

/** With its identity; to check a quote takes none, and to make one costs as much as a tenth of that. */
export function identified({ path, ...judged }: JudgedFinding): CheckedFinding {
  return { ...judged, identity: identityOf(judged.finding, path) };
}

/** A single space stays as it is, which spares most of the work. */
function collapse(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, " ").trim();
}

/** Numbers are left out: in a title they are mostly lines and counts. */
function wordsOf(title: string): string {
  return (title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    .filter((word) => !/^\d+$/.test(word))
    .join(" ");
}
