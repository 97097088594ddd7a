import type { DraftList } from "./draft-list.ts";
import { looksLikeFinding } from "./looks-like-finding.ts";
import { isBeside } from "./starts-finding.ts";

/** An item that started no finding: told of where it looks like one, unless it is part of one. */
export function doubtItem(
  drafts: DraftList,
  text: string,
  { line, list }: { readonly line: number; readonly list: object },
): void {
  if (isBeside(text, list, drafts.open)) {
    const why = "names a place beside a finding, and no priority; it was not checked";
    drafts.unread.add(line, text, why);
  } else doubt(drafts, text, line, "item");
}

/** What has a level and a place and started no finding is told of, unless it is part of one. */
export function doubt(
  drafts: DraftList,
  text: string,
  line: number,
  kind: "item" | "paragraph",
): void {
  const why = looksLikeFinding(text, kind);
  if (why !== undefined) drafts.doubt(text, line, why);
}
