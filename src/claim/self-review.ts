import type { SelfReviewRow } from "../schema/contract.ts";
import type { Row } from "./block.ts";
import { cutText } from "./cut-text.ts";
import { plain } from "./inline.ts";
import type { UnreadList } from "./unread-list.ts";

const ACTIONS: readonly (readonly [SelfReviewRow["action"], RegExp])[] = [
  ["confirmed", /^confirm(?:ed)?\b/i],
  ["revised", /^revised?\b/i],
  ["deleted", /^(?:deleted?|removed?)\b/i],
];

/**
 * Reads an agent's log of its second look. Columns are found by their headings; a row without a
 * known action is told of, because a log that is cut short looks better than it is.
 */
export function readSelfReview(rows: readonly Row[], unread: UnreadList): SelfReviewRow[] {
  const [heading, ...body] = rows;
  const names = (heading?.cells ?? []).map((cell) => plain(cell).toLowerCase());
  const at = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
  const columns = {
    number: at(/^(?:#|no\.?|id)$/),
    finding: at(/^finding/),
    action: at(/^action/),
    notes: at(/^(?:notes?|reason|comment)/),
  };
  if (columns.action < 0 || (columns.finding < 0 && columns.number < 0)) {
    const found = names.join(", ").slice(0, 200);
    unread.add(
      heading?.line ?? 1,
      found,
      "expected a log with the columns #, Finding, Action, Notes",
    );
    return [];
  }
  return body.flatMap((row) => toRow(row, columns, unread) ?? []);
}

function toRow(
  row: Row,
  columns: { number: number; finding: number; action: number; notes: number },
  unread: UnreadList,
): SelfReviewRow | undefined {
  const word = plain(row.cells[columns.action] ?? "")
    .replace(/^[^A-Za-z]{1,9}/, "")
    .replace(/[`"]/g, "");
  const action = ACTIONS.find(([, pattern]) => pattern.test(word))?.[0];
  if (action === undefined) {
    const why = "expected the action confirmed, revised or deleted in a row of the Self-Review Log";
    unread.add(row.line, row.cells.join(" | "), why);
    return undefined;
  }
  const finding = plain(row.cells[columns.finding] ?? "") || plain(row.cells[columns.number] ?? "");
  return {
    finding: cutText(finding, 500),
    action,
    notes: cutText(plain(row.cells[columns.notes] ?? ""), 2_000),
  };
}
