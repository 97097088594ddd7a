import { type Json, parseJson, SwornError } from "../base/index.ts";
import type { DraftList } from "./draft-list.ts";
import { readElements, toFinding } from "./findings-json.ts";
import { member } from "./json-value.ts";
import { REPORT_BYTES_MAX } from "./parsed-report.ts";

/**
 * Takes a fenced list of findings into the report, if its heading announces one. Without that it may
 * be code under review, and whoever wrote that code could report in the reviewer's name. Says
 * whether the fence was such a list; if it is not believed, it is named as unread.
 */
export function readCompanion(
  text: string,
  line: number,
  isAnnounced: boolean,
  drafts: DraftList,
): boolean {
  if (!text.includes('"findings"')) return false;
  if (!isAnnounced) {
    drafts.doubt(
      text,
      line,
      "a fenced list of findings counts only under a heading that says JSON",
    );
    return false;
  }
  const list = member(parsed(text), "findings");
  if (!Array.isArray(list)) {
    drafts.unread.add(line, text, "expected JSON with a list under findings");
    return true;
  }
  const { findings, unread } = readElements(list as Json[], toFinding, `line ${line}`);
  for (const finding of findings) drafts.add(finding);
  for (const entry of unread)
    drafts.unread.add(line, entry.text, `element ${entry.line}: ${entry.why}`);
  return true;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text, REPORT_BYTES_MAX);
  } catch (error) {
    // The caller names the fence as unread; only our own bugs go further.
    if (error instanceof SwornError) return undefined;
    throw error;
  }
}
