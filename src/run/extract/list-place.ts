import type { LineCursor } from "./line-cursor.ts";

const MARK = /^( {0,200})(?:[-*+]|\d{1,9}[.)])( {1,200}|\t|$)/;
const MARK_CHARS_MAX = 420;

/** Where the text of the list items begins that a line is in: blocks inside are counted from there. */
export class ListPlace {
  private readonly offsets: number[] = [];

  /** The place that a line with so many spaces belongs to; items it stands left of are over. */
  baseAt(indent: number): number {
    while ((this.offsets.at(-1) ?? 0) > indent) this.offsets.pop();
    return this.offsets.at(-1) ?? 0;
  }

  /** Takes a line of prose into account; true when it begins an item. */
  note(cursor: LineCursor, isAfterBlank: boolean): boolean {
    const { text, start, end, indent } = cursor;
    const mark = MARK.exec(text.slice(start, Math.min(end, start + MARK_CHARS_MAX)));
    if (mark === null) {
      // A line that goes on with a paragraph may stand left of it; after an empty line it may not.
      if (isAfterBlank) this.baseAt(indent);
      return false;
    }
    const base = this.baseAt(indent);
    if (indent > base + 3) return false;
    const gap = mark[2]?.length ?? 1;
    const width = mark[0].length - gap;
    this.offsets.push(width + (gap >= 1 && gap <= 4 ? gap : 1));
    return true;
  }
}
