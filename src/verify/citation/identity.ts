import { canonicalize, sha256Hex } from "../../base/index.ts";
import type { Finding } from "../../schema/finding.ts";

/**
 * A finding's name across runs: path, quoted text and category. Lines, numbers and the reviewer are
 * left out, so that a dismissal survives a rebase, a moved function and another numbering. Without
 * a quote or a category, the words of the title stand in.
 */
export function identityOf(finding: Finding, resolvedPath: string): string {
  const anchor = collapse(finding.citations[0]?.quote ?? "");
  const needsTitle = anchor === "" || finding.category === undefined;
  const identity = {
    v: 1,
    path: resolvedPath,
    anchor,
    category: finding.category ?? "",
    title: needsTitle ? wordsOf(finding.title) : "",
  };
  // A lone surrogate has no canonical form, and a reviewer's output may have one.
  return sha256Hex(canonicalize(wellFormed(identity)));
}

function wellFormed<T extends Record<string, string | number>>(values: T) {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? value.toWellFormed() : value,
    ]),
  );
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Numbers are left out: in a title they are mostly lines and counts. */
function wordsOf(title: string): string {
  return (title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
    .filter((word) => !/^\d+$/.test(word))
    .join(" ");
}
