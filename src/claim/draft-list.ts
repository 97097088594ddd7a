import { SwornError } from "../base/index.ts";
import type { Finding, Priority, Unread } from "../schema/finding.ts";
import { Draft } from "./draft.ts";
import { BRACKETED_ID, type Head } from "./head.ts";
import { withoutCode } from "./inline.ts";
import { hasLine } from "./looks-like-finding.ts";
import { mergeThin, type Sourced } from "./merge-thin.ts";
import { FINDINGS_MAX } from "./parsed-report.ts";
import { UnreadList } from "./unread-list.ts";
import type { Wrapper } from "./wrapper.ts";

/** How a finding was started, and what stands around it. */
export interface Origin {
  readonly kind: "item" | "heading" | "paragraph" | "row";
  readonly line: number;
  readonly text: string;
  /** How deep the heading or the list is. */
  readonly depth: number;
  /** Which list, where it is an item. */
  readonly list?: object | undefined;
  readonly priority: Priority | undefined;
  readonly wrapper: Wrapper | undefined;
}

/** A draft in its place. */
export interface Placed {
  readonly draft: Draft;
  readonly origin: Origin;
  /** A heading over findings, not one itself. */
  isGroup: boolean;
}

/** Something that must become part of a finding, name one, or be told of: an item, a heading, an id. */
interface Mention {
  readonly line: number;
  readonly text: string;
  readonly id: string | undefined;
  readonly why: string;
  readonly owner: Placed | undefined;
}

/** Findings with their nonces, and what is left over. */
export interface Gathered {
  readonly findings: Finding[];
  readonly nonces: (string | undefined)[];
  readonly unread: Unread[];
}

/** The most mentions that are remembered; a report with more is no report. */
const MENTIONS_MAX = 200_000;

/** Everything that may be a finding, until the whole report is read and it can be decided. */
export class DraftList {
  readonly #drafts: Placed[] = [];
  readonly #mentions: Mention[] = [];
  readonly #ready: Finding[] = [];
  readonly #unread = new UnreadList();
  #open: Placed | undefined;
  /** Nothing in the report has a priority: what names a line of a file is a finding without more. */
  readonly isUnstated: boolean;

  constructor(isUnstated = false) {
    this.isUnstated = isUnstated;
  }

  /** The one that further text belongs to. */
  get open(): Placed | undefined {
    return this.#open;
  }

  /** What could not be read for reasons of its own. */
  get unread(): UnreadList {
    return this.#unread;
  }

  start(head: Head, origin: Origin): Placed {
    if (this.#drafts.length >= MENTIONS_MAX) throw tooMany();
    this.#open = { draft: new Draft(head), origin, isGroup: false };
    this.#drafts.push(this.#open);
    return this.#open;
  }

  close(): void {
    this.#open = undefined;
  }

  /** Takes a finding that was complete as it came. */
  add(finding: Finding): void {
    this.#ready.push(finding);
  }

  /** Remembers every id in brackets, so that none is lost. */
  mention(text: string, line: number, why = "is named outside of any finding"): void {
    if (text.includes("[")) this.#mention(withoutCode(text), line, why, this.#open);
  }

  /** The same for text that is no part of the finding around it, such as HTML; code in it counts too. */
  mentionApart(text: string, line: number, why: string): void {
    this.#mention(text, line, why, undefined);
  }

  #mention(text: string, line: number, why: string, owner: Placed | undefined): void {
    for (const [index, words] of text.split("\n").entries()) {
      for (const match of words.matchAll(BRACKETED_ID)) {
        const around = words.slice(Math.max(0, match.index - 100), match.index + 200);
        this.#remember({ line: line + index, text: around, id: match[1], why, owner });
      }
    }
  }

  /** Remembers what has to be told of unless it turns out to be part of a finding. */
  doubt(text: string, line: number, why: string): void {
    this.#remember({ line, text: text.slice(0, 2_000), id: undefined, why, owner: this.#open });
  }

  #remember(mention: Mention): void {
    if (this.#mentions.length >= MENTIONS_MAX) throw tooMany();
    this.#mentions.push(mention);
  }

  /** Decides what is a finding. Afterwards the list must not be used any more. */
  finish(): Gathered {
    const names = new Names(this.#drafts.map(({ draft }) => draft.id));
    const accepted = new Map<Placed, Sourced>();
    const told = new Map<Placed, string>();
    for (const placed of this.#drafts) {
      const result = judge(placed, names.free, this.isUnstated);
      if (!("why" in result)) {
        if (placed.draft.id === undefined) names.take();
        accepted.set(placed, { finding: result, nonce: nonceOf(placed, result) });
      } else if (result.isTold) told.set(placed, result.why);
      if (accepted.size > FINDINGS_MAX) throw tooMany();
    }
    const merged = mergeThin([...accepted.values()], this.#ready, this.#unread);
    if (merged.length > FINDINGS_MAX) throw tooMany();
    this.#tell(accepted, told, new Set(merged.map(({ finding }) => finding.id)));
    return {
      findings: merged.map(({ finding }) => finding),
      nonces: merged.map(({ nonce }) => nonce),
      unread: this.#unread.sorted(),
    };
  }

  #tell(
    accepted: ReadonlyMap<Placed, Sourced>,
    told: ReadonlyMap<Placed, string>,
    found: ReadonlySet<string>,
  ): void {
    for (const [{ draft, origin }, { finding }] of accepted) {
      for (const why of draft.cut) {
        this.#unread.add(origin.line, origin.text, `[${finding.id}] ${why}`);
      }
    }
    for (const [{ draft, origin }, why] of told) {
      // A second mention of a known finding, as in a summary, is no finding that got lost.
      if (!found.has(draft.id ?? "")) this.#unread.add(origin.line, origin.text, why);
    }
    this.#tellMentions(accepted, told, found);
  }

  #tellMentions(
    accepted: ReadonlyMap<Placed, Sourced>,
    told: ReadonlyMap<Placed, string>,
    found: ReadonlySet<string>,
  ): void {
    for (const mention of this.#mentions) {
      const { line, text, id, why, owner } = mention;
      if (isIn(accepted, owner)) continue;
      // The parts of a draft that was told of need no telling of their own; ids do.
      const isKnown = id === undefined ? isIn(told, owner) : found.has(id);
      if (isKnown || this.#unread.names(line, id)) continue;
      this.#unread.add(line, text, id === undefined ? why : `[${id}] ${why}`);
    }
  }
}

const isIn = (drafts: ReadonlyMap<Placed, unknown>, owner: Placed | undefined): boolean =>
  owner !== undefined && drafts.has(owner);

function judge(
  { draft, origin, isGroup }: Placed,
  freeId: string,
  isUnstated: boolean,
): Finding | { readonly why: string; readonly isTold: boolean } {
  if (isGroup) return { why: "is a heading over findings", isTold: false };
  const isPlaced = isUnstated && hasLine(draft.head);
  const isTitled = draft.id !== undefined || draft.head.priority !== undefined || isPlaced;
  const isTold = origin.kind !== "heading" || origin.priority !== undefined || isTitled;
  if (origin.kind === "heading" && !isTitled && !isFindingHeading(draft, origin)) {
    return { why: "is a heading without a file and without evidence, issue or fix below", isTold };
  }
  const result = draft.toFinding(draft.id ?? freeId, {
    priority: origin.priority ?? origin.wrapper?.priority,
    place: origin.wrapper?.place,
  });
  return "why" in result ? { why: result.why, isTold } : result;
}

/** Headings are over everything in a report; one without an id needs what only a finding has. */
function isFindingHeading(draft: Draft, origin: Origin): boolean {
  if (draft.saysWhere) return true;
  if (origin.priority === undefined) return draft.parts >= 2;
  return draft.parts >= 1 || draft.head.places.length > 0;
}

function nonceOf({ origin: { wrapper } }: Placed, finding: Finding): string | undefined {
  if (wrapper === undefined || !wrapper.isClosed || wrapper.isUsed || wrapper.id !== finding.id) {
    return undefined;
  }
  wrapper.isUsed = true;
  return wrapper.nonce;
}

/** Numbers for findings that came without one. */
class Names {
  readonly #taken: ReadonlySet<string | undefined>;
  #next = 1;

  constructor(taken: readonly (string | undefined)[]) {
    this.#taken = new Set(taken);
  }

  get free(): string {
    while (this.#taken.has(`X-${this.#next}`)) this.#next += 1;
    return `X-${this.#next}`;
  }

  take(): void {
    this.#next += 1;
  }
}

function tooMany(): SwornError {
  return new SwornError(
    "LIMIT_EXCEEDED",
    `the report names more than ${FINDINGS_MAX} findings; split it, or report only what matters`,
  );
}
