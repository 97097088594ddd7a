import type { Priority } from "../schema/finding.ts";
import type { Origin, Placed } from "./draft-list.ts";
import { type Head, readHead } from "./head.ts";
import { splitLabels, startsWithLabel } from "./label.ts";
import { hasLine, isLevelledParagraph } from "./looks-like-finding.ts";

interface Around {
  /** The finding that would otherwise take the text. */
  readonly open: Placed | undefined;
  /** Of the section. */
  readonly priority: Priority | undefined;
  /** Nothing in the report has a priority: an item with a line of a file is a finding. */
  readonly isUnstated: boolean;
}

/**
 * Whether an item or paragraph starts a finding, or goes on with the open one. Reviewers write
 * findings as items with items in them, so that id, box, place and level decide together.
 */
export function startsFinding(
  text: string,
  where: Pick<Origin, "kind" | "depth" | "list">,
  around: Around,
): boolean {
  const { open, priority } = around;
  if (startsWithLabel(text)) {
    return open === undefined && priority !== undefined && where.kind === "item";
  }
  const head = readHead(splitLabels(text)[0]?.text ?? "");
  if (head.id !== undefined) return isOwnId(head, text, where, open);
  if (where.kind === "paragraph") {
    return where.depth === 0 && isBetween(open) && isLevelledParagraph(head, text);
  }
  return startsItem(head, where, around);
}

/** An item inside an item belongs to that one. */
const isNoPart = (where: Pick<Origin, "depth" | "list">, open: Placed | undefined): boolean =>
  open?.origin.kind !== "item" ||
  open.origin.list === where.list ||
  where.depth <= open.origin.depth;

function startsItem(head: Head, where: Pick<Origin, "depth" | "list">, around: Around): boolean {
  const { open, priority, isUnstated } = around;
  if (isUnstated && hasLine(head) && isNoPart(where, open)) return true;
  if (open === undefined) return priority !== undefined || isMarked(head);
  if (open.origin.kind !== "item") return isMarked(head) || isBelowGroup(head, around);
  if (open.origin.list !== where.list) return isMarked(head);
  return priority !== undefined || isMarked(head);
}

/** An item with a place, under a heading that names none, is one of several. */
function isBelowGroup(head: Head, { open, priority }: Around): boolean {
  const isGroup = open?.draft.parts === 0 && !open.draft.hasPlaces && open.draft.id === undefined;
  return isGroup && priority !== undefined && head.places.length > 0;
}

/** Below a heading that only opens a section, or behind another paragraph that is a finding. */
function isBetween(open: Placed | undefined): boolean {
  if (open === undefined || open.origin.kind === "paragraph") return true;
  const { draft, origin } = open;
  const isTitled = draft.id !== undefined || draft.head.priority !== undefined || draft.hasPlaces;
  return origin.kind === "heading" && draft.parts === 0 && !isTitled;
}

/** Whether an item is beside the open finding and names a place of its own: it is no part of that one. */
export function isBeside(text: string, list: object, open: Placed | undefined): boolean {
  if (open?.origin.kind !== "item" || open.origin.list !== list) return false;
  return !startsWithLabel(text) && hasLine(readHead(text));
}

/** Ids are also those of tasks: that one is done is nothing that is wrong with code. */
const IS_DONE =
  /^(?:(?:is|was|has been|is now)\s(?:all\s)?(?:done|complete|completed|finished|ready|implemented|resolved|closed)\b|(?:done|completed?|finished)(?=[.!,;:]|$|\s(?:in|with|and)\b))/i;

/** An id starts a finding, unless the open one only speaks of another: `- [SEC-002] is related`. */
function isOwnId(
  head: Head,
  text: string,
  where: Pick<Origin, "kind" | "depth" | "list">,
  open: Placed | undefined,
): boolean {
  if (IS_DONE.test(head.title)) return false;
  if (head.places.length > 0 || head.hasBox) return true;
  if (where.kind === "paragraph") return /^[\s*_]{0,5}\[/.test(text) && open === undefined;
  return open === undefined || where.depth <= open.origin.depth || open.origin.kind !== "item";
}

const isMarked = (head: Head): boolean =>
  (head.hasBox || head.priority !== undefined) && head.places.length > 0;
