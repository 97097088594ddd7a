import { SwornError } from "../../base/index.ts";
import { type FenceLine, fenceBehind, fenceOn } from "./fence-line.ts";
import { headerLine } from "./header-line.ts";
import { heredocLine } from "./heredoc-line.ts";
import { htmlEnd, readHidden } from "./html-block.ts";
import { LineCursor } from "./line-cursor.ts";
import { ListPlace } from "./list-place.ts";
import type { Part } from "./part.ts";
import { readFence } from "./read-fence.ts";
import { readHeredoc, readIndented, readRaw, readStray } from "./read-unfenced.ts";

/** More blocks than any response has; a list of refusals without end would be an attack of its own. */
const PARTS_MAX = 50_000;
const AFTER_CHARS_MAX = 400;
const SHIFT_MAX = 3;
const COMMAND = /^(?:\$ )?(?:cat|tee|sudo|mkdir|cd)\s/;

type Seen = Pick<Part, "kind" | "content"> & Partial<Part>;

/**
 * Finds every stretch of a response that could be a file, in order, in one pass: fenced and indented
 * blocks, text below `--- name ---`, heredocs, and fences in places where they are none.
 *
 * @throws SwornError `LIMIT_EXCEEDED` when there are too many.
 */
export function scanParts(text: string): Part[] {
  return new PartScanner(text).scan();
}

class PartScanner {
  private readonly cursor: LineCursor;
  private readonly list = new ListPlace();
  private readonly parts: Part[] = [];
  /** The paragraph that would introduce a block which comes next. */
  private lead: [number, number] = [0, 0];
  /** The paragraph before that. */
  private context: [number, number] = [0, 0];
  private isAfterBlank = true;
  private isAfterHeading = false;

  constructor(text: string) {
    this.cursor = new LineCursor(text);
  }

  scan(): Part[] {
    const { cursor } = this;
    while (cursor.advance()) {
      if (cursor.isBlank) {
        this.isAfterBlank = true;
        continue;
      }
      const first = cursor.number;
      const seen = this.partHere();
      if (seen === undefined) this.noteProse();
      else this.take(seen, first);
    }
    return this.parts;
  }

  private take(seen: Seen, first: number): void {
    const { cursor, parts } = this;
    if (parts.length >= PARTS_MAX) {
      throw new SwornError("LIMIT_EXCEEDED", `the response has more than ${PARTS_MAX} blocks`);
    }
    const [lead, context] = [cursor.text.slice(...this.lead), cursor.text.slice(...this.context)];
    const after = wordsAfter(cursor.text.slice(cursor.next, cursor.next + AFTER_CHARS_MAX));
    parts.push({ lead, context, after, lines: [first, cursor.number], ...seen });
    this.lead = [cursor.next, cursor.next];
    this.context = this.lead;
    this.isAfterBlank = true;
  }

  private partHere(): Seen | undefined {
    const { cursor } = this;
    const { text, start, indent } = cursor;
    switch (text.charAt(start + indent)) {
      case "`":
      case "~":
        return this.fenceHere();
      case ">":
      case "\t":
        return this.strayHere() ?? this.indentedHere(indent);
      case "<":
        return this.hiddenHere() ?? this.indentedHere(indent);
      case "-":
        return this.headerHere(indent) ?? this.strayHere() ?? this.indentedHere(indent);
      default:
        return this.heredocHere(indent) ?? this.indentedHere(indent);
    }
  }

  private fenceHere(header?: string): Seen | undefined {
    const { cursor, list } = this;
    const open = fenceOn(cursor);
    if (open === undefined) return undefined;
    const base = list.baseAt(open.indent);
    if (open.indent > base + SHIFT_MAX) return this.strayHere();
    return {
      kind: "fence",
      info: open.info,
      ...this.named(header),
      ...readFence(cursor, open, base),
    };
  }

  private named(header: string | undefined): Pick<Part, "header"> {
    return header === undefined ? {} : { header };
  }

  /** A fence that is no block where it stands: quoted, behind a tab, or on the line of a list's mark. */
  private strayHere(): Seen | undefined {
    const { cursor } = this;
    if (cursor.end - cursor.start > 10_000) return undefined;
    const { line } = cursor;
    const char = fenceBehind(line) ?? fenceBehind(line.replace(/^\s*(?:[-*+]|\d{1,9}[.)])\s/, ""));
    return char === undefined ? undefined : { kind: "stray", ...readStray(cursor, char) };
  }

  private hiddenHere(): Seen | undefined {
    const end = htmlEnd(this.cursor.line);
    if (end === undefined) return undefined;
    const hidden = readHidden(this.cursor, end);
    return hidden.problem === undefined ? undefined : { kind: "stray", ...hidden };
  }

  private headerHere(indent: number): Seen | undefined {
    const { cursor } = this;
    const header = indent === 0 ? headerLine(cursor.line) : undefined;
    if (header?.kind !== "begin") return undefined;
    const from = cursor.next;
    const first = cursor.number;
    let open: FenceLine | undefined;
    while (cursor.advance()) {
      if (cursor.isBlank) continue;
      open = fenceOn(cursor);
      break;
    }
    if (open !== undefined && open.indent <= SHIFT_MAX) return this.fenceHere(header.name);
    cursor.rewind(from, first);
    return { kind: "raw", header: header.name, ...readRaw(cursor) };
  }

  private heredocHere(indent: number): Seen | undefined {
    const { cursor } = this;
    if (indent > 0 || !COMMAND.test(cursor.text.slice(cursor.start, cursor.start + 10)))
      return undefined;
    const opened = heredocLine(cursor.line);
    return opened === undefined ? undefined : { kind: "heredoc", ...readHeredoc(cursor, opened) };
  }

  private indentedHere(indent: number): Seen | undefined {
    const { cursor, list } = this;
    const isTab = cursor.text.charCodeAt(cursor.start) === 9;
    if (!this.isAfterBlank || (indent <= SHIFT_MAX && !isTab)) return undefined;
    const base = list.baseAt(indent);
    if (isTab ? base > 0 : indent <= base + SHIFT_MAX) return undefined;
    return { kind: "indented", ...readIndented(cursor, base) };
  }

  private noteProse(): void {
    const { cursor, list } = this;
    const isItem = list.note(cursor, this.isAfterBlank);
    const isHeading = cursor.text.charAt(cursor.start) === "#";
    const isNew = this.isAfterBlank || isItem || isHeading || this.isAfterHeading;
    if (isNew) this.context = this.lead;
    this.lead = [isNew ? cursor.start : this.lead[0], cursor.end];
    this.isAfterBlank = false;
    this.isAfterHeading = isHeading;
  }
}

/** The paragraph after a block, unless it introduces the next one. */
function wordsAfter(text: string): string {
  const paragraph =
    text
      .trimStart()
      .split(/\n[ \t\r]*\n|\n[ \t]*(?:```|~~~)/, 1)[0]
      ?.trim() ?? "";
  return /^(?:```|~~~|---)|:$/.test(paragraph) ? "" : paragraph;
}
