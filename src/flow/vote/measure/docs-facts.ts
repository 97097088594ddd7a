import { type DoneFacts, isCovered } from "../../../vote/index.ts";
import { builtInReport, findingLine, type ReviewedChange } from "../../agent/built-in-report.ts";

const DOCUMENT = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)docs?\//i;

/** A change whose documents are looked at. */
export interface DocumentedChange extends ReviewedChange {
  readonly changed: readonly string[];
  /** Why no document had to change, where somebody says so. */
  readonly reason: string | undefined;
}

/**
 * Whether the documents are current: what the reviewer of documents finds in the change, and for a
 * change of code that touches none, somebody's word why none had to change.
 */
export async function docsFacts(
  change: DocumentedChange,
): Promise<Pick<DoneFacts, "docs" | "unknown">> {
  const { changed, reason } = change;
  if (isUndocumented(changed) && reason === undefined) {
    const how = "change one, or say why none has to with --docs 'why'";
    return { unknown: { docs: `${UNDOCUMENTED}; ${how}` } };
  }
  return { docs: { missing: await staleIn(change) } };
}

export const UNDOCUMENTED = "code changed and no document did";

/** Whether a change has code in it and no document. */
export function isUndocumented(changed: readonly string[]): boolean {
  return changed.some((path) => isCovered(path)) && !changed.some((path) => DOCUMENT.test(path));
}

async function staleIn(change: DocumentedChange): Promise<string[]> {
  return (await builtInReport(change, ["document"])).findings.map(findingLine);
}
