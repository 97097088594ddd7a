import type { SelfReviewRow } from "../schema/contract.ts";
import type { Unread } from "../schema/finding.ts";
import type { Block, Item } from "./block.ts";
import { readCompanion } from "./companion.ts";
import { shownText } from "./cut-text.ts";
import type { DraftList, Gathered, Origin } from "./draft-list.ts";
import { readFindingTable } from "./finding-table.ts";
import { type Head, readHead } from "./head.ts";
import { plain, splitComments, splitHtmlComments } from "./inline.ts";
import { fieldOf, splitLabels, startsWithLabel } from "./label.ts";
import { looksSwallowed } from "./looks-swallowed.ts";
import { Outline } from "./outline.ts";
import type { Question, ReportSection } from "./parsed-report.ts";
import { NOTHING } from "./says-nothing.ts";
import { SEAL } from "./seal.ts";
import { readSelfReview } from "./self-review.ts";
import { startsFinding } from "./starts-finding.ts";
import { doubt, doubtItem } from "./tell-doubt.ts";
import { WrapperWatch } from "./wrapper.ts";

type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

const AUTHOR = "reviewer|tarnished|agent";
const REVIEWER = new RegExp(
  `^[\\s*_-]{0,5}(?:${AUTHOR})[\\s*_]{0,5}:[\\s*_\`]{0,5}([^\\n*_\`]{1,100})`,
  "im",
);
/** A line of a quote that would start a finding elsewhere; list marks are gone. */
const HEAD_IN_QUOTE = /^\s{0,9}(?:\[[ xX]\] )?\*{0,2}\[[A-Z]{1,16}-\d{1,8}\]/m;
const LINE_CHARS_MAX = 4_000;

/** Walks through the blocks of a report and hands each part to whom it belongs. */
export class MarkdownReader {
  readonly #outline = new Outline();
  readonly #drafts: DraftList;
  readonly #wrappers = new WrapperWatch();
  readonly #questions: { kind: Question["kind"]; line: number; parts: string[] }[] = [];
  readonly selfReview: SelfReviewRow[] = [];
  readonly unverified: Unread[] = [];
  reviewer: string | undefined;
  #isAsking = false;

  constructor(drafts: DraftList) {
    this.#drafts = drafts;
  }

  get sections(): ReportSection[] {
    return this.#outline.sections;
  }

  get questions(): Question[] {
    return this.#questions.map(({ kind, line, parts }) => ({
      kind,
      line,
      text: shownText(parts.join("\n")),
    }));
  }

  /** What became of everything that looked like a finding. */
  finish(): Gathered {
    return this.#drafts.finish();
  }

  /** Reads blocks of one level; `depth` counts the lists around them. */
  read(blocks: readonly Block[], depth = 0): void {
    for (const block of blocks) this.#block(block, depth);
  }

  #block(block: Block, depth: number): void {
    if (block.kind === "heading") this.#heading(block);
    else if (block.kind === "paragraph") this.#paragraph(block, depth);
    else if (block.kind === "list") for (const item of block.items) this.#item(item, depth, block);
    else if (block.kind === "code") this.#code(block, depth);
    else if (block.kind === "quote") this.#quote(block);
    else if (block.kind === "table") this.#table(block, depth);
    else if (block.kind === "html") this.#html(block);
    else this.#endPart();
  }

  /** A rule or a heading ends what came before, whatever it was. */
  #endPart(): void {
    this.#isAsking = false;
    this.#drafts.close();
  }

  #heading({ text, depth, line }: BlockOf<"heading">): void {
    const { prose } = this.#withoutComments(text, line);
    const open = this.#drafts.open;
    const isPart = open?.origin.kind === "heading" && depth > open.origin.depth;
    const field = isPart ? fieldOf(plain(prose)) : undefined;
    this.#isAsking = false;
    const { isStructure } = this.#outline.enter(prose, depth, line);
    if (field !== undefined) {
      open?.draft.takeField(field, "");
      return;
    }
    this.#drafts.close();
    if (isStructure) {
      this.#structure(prose, line);
      return;
    }
    const head = readHead(prose.slice(0, LINE_CHARS_MAX));
    if (this.#outline.zone === "unverified") {
      this.#setAside(prose, line);
      return;
    }
    const isMarked = head.id !== undefined || (head.hasTag && head.places.length > 0);
    if ((depth >= 2 || isMarked) && !NOTHING.test(prose)) {
      this.#start(head, { kind: "heading", line, text: prose, depth });
    }
    this.#drafts.mention(prose, line);
  }

  /** A heading that opens a part of the report; it may itself ask something or name an id. */
  #structure(prose: string, line: number): void {
    this.#drafts.mention(prose, line);
    const zone = this.#outline.zone;
    if (zone === "escalation") this.#ask("Human Escalation Required", line, "");
    if (zone === "clarification") this.#ask("CLARIFICATION_REQUEST", line, "");
  }

  #paragraph(block: BlockOf<"paragraph">, depth: number): void {
    const { prose } = this.#withoutComments(block.text, block.line);
    if (prose.trim() === "") return;
    // The Seal is no part of the section that happens to come last.
    if (depth === 0 && SEAL.test(prose)) {
      this.#drafts.mention(prose, block.line);
      return;
    }
    this.#outline.addWords(prose);
    if (this.#outline.isPreface)
      this.reviewer ??= REVIEWER.exec(prose.slice(0, 2_000))?.[1]?.trim();
    if (this.#outline.zone === "unverified") {
      this.#setAside(prose, block.line);
      return;
    }
    if (this.#isStart(prose, { kind: "paragraph", depth })) {
      this.#open(prose, { kind: "paragraph", line: block.line, depth });
    } else {
      if (depth === 0) doubt(this.#drafts, prose.slice(0, LINE_CHARS_MAX), block.line, "paragraph");
      this.#text(prose, block.line);
    }
  }

  /** Text that starts nothing: it belongs to the finding that is open, or to a question. */
  #text(prose: string, line: number): void {
    this.#drafts.mention(prose, line);
    const asked = /^[\s*_]{0,5}CLARIFICATION_REQUEST\b[\s*_:]{0,5}/.exec(prose);
    if (asked !== null) this.#ask("CLARIFICATION_REQUEST", line, prose.slice(asked[0].length));
    else if (this.#isAsking) this.#questions.at(-1)?.parts.push(prose);
    this.#drafts.open?.draft.takeText(prose);
  }

  #ask(kind: Question["kind"], line: number, text: string): void {
    this.#questions.push({ kind, line, parts: text === "" ? [] : [text] });
    this.#isAsking = true;
  }

  #item(item: Item, depth: number, list: object): void {
    const [first, ...rest] = item.blocks;
    if (first === undefined) return;
    if (first.kind !== "paragraph") {
      if (this.#drafts.open === undefined) this.#expect("a list item without words", item.line);
      this.read(item.blocks, depth + 1);
      return;
    }
    const { prose } = this.#withoutComments(first.text, first.line);
    this.#outline.addWords(prose);
    if (this.#outline.zone === "unverified") {
      this.#setAsideItem(prose, item, depth);
      return;
    }
    if (NOTHING.test(prose.slice(0, 200))) return;
    if (this.#isStart(prose, { kind: "item", depth, list })) {
      this.#open(prose, { kind: "item", line: item.line, depth, list });
    } else {
      this.#expect(prose, item.line);
      doubtItem(this.#drafts, prose.slice(0, LINE_CHARS_MAX), { line: item.line, list });
      this.#text(prose, first.line);
    }
    this.read(rest, depth + 1);
  }

  #isStart(prose: string, where: Pick<Origin, "kind" | "depth" | "list">): boolean {
    const words = prose.slice(0, LINE_CHARS_MAX);
    return startsFinding(words, where, {
      open: this.#drafts.open,
      priority: this.#outline.priority,
      isUnstated: this.#drafts.isUnstated,
    });
  }

  /** Starts a finding from its first text: the head up to the first label, and its parts. */
  #open(prose: string, where: Pick<Origin, "kind" | "line" | "depth" | "list">): void {
    const words = prose.slice(0, LINE_CHARS_MAX);
    const [first] = startsWithLabel(words) ? [] : splitLabels(words);
    const text = first?.text ?? "";
    const placed = this.#start(readHead(text), { ...where, text: prose });
    this.#drafts.mention(prose, where.line);
    const after = first === undefined ? 0 : prose.indexOf(text) + text.length;
    placed.draft.takeText(prose.slice(after));
  }

  #start(head: Head, where: Pick<Origin, "kind" | "line" | "text" | "depth" | "list">) {
    const open = this.#drafts.open;
    const isOver = open?.origin.kind === "heading" && open.draft.id === undefined;
    if (open !== undefined && isOver && open.draft.parts === 0) open.isGroup = true;
    this.#isAsking = false;
    const around = { priority: this.#outline.priority, wrapper: this.#wrappers.current };
    return this.#drafts.start(head, { ...where, text: where.text.slice(0, 2_000), ...around });
  }

  #expect(text: string, line: number): void {
    if (this.#outline.priority === undefined) return;
    this.#drafts.doubt(text, line, "stands under a priority and is no part of a finding");
  }

  /** An item is one observation, its own items are others. */
  #setAsideItem(prose: string, item: Item, depth: number): void {
    const more = item.blocks.slice(1);
    const words = more.flatMap((block) => (block.kind === "paragraph" ? [block.text] : []));
    this.#setAside([prose, ...words].join("\n"), item.line);
    this.read(
      more.filter((block) => block.kind !== "paragraph"),
      depth + 1,
    );
  }

  #setAside(text: string, line: number): void {
    if (NOTHING.test(text.slice(0, 200))) return;
    const why = "stands under Unverified Observations";
    if (this.unverified.length < 20_000) this.unverified.push({ line, text: shownText(text), why });
    else this.#drafts.unread.add(line, text, why);
  }

  #code({ text, language, line, isFenced, isOpen }: BlockOf<"code">, depth: number): void {
    this.#outline.addWords(text);
    if (this.#isAsking) this.#questions.at(-1)?.parts.push(text);
    const isJson = isFenced && depth === 0 && language.startsWith("json");
    if (isJson && readCompanion(text, line, this.#outline.zone === "json", this.#drafts)) return;
    if (looksSwallowed(text, language, isOpen)) {
      const why = "stands in a fence, where nothing is a finding; close the fence before it";
      this.#drafts.unread.add(line, text, why);
    }
    this.#drafts.open?.draft.takeEvidence(text, language, "```");
  }

  #quote({ text, line }: BlockOf<"quote">): void {
    this.#outline.addWords(text);
    const why = "stands in a block quote; quoted text is never a finding";
    if (HEAD_IN_QUOTE.test(text)) this.#drafts.mentionApart(text, line, why);
    else this.#drafts.mention(text, line, why);
    this.#drafts.open?.draft.takeEvidence(text, "", ">");
  }

  #html({ text, line }: BlockOf<"html">): void {
    const { prose, comments } = splitHtmlComments(text);
    this.#comments(comments, line);
    this.#drafts.mentionApart(prose, line, "stands in HTML; write findings in Markdown");
  }

  #table(block: BlockOf<"table">, depth: number): void {
    for (const { cells } of block.rows) this.#outline.addWords(cells.join(" "));
    if (this.#outline.zone === "self-review") {
      this.selfReview.push(...readSelfReview(block.rows, this.#drafts.unread));
      return;
    }
    if (this.#outline.zone === "unverified") {
      for (const row of block.rows.slice(1)) this.#setAside(row.cells.join(" | "), row.line);
      return;
    }
    const rows = readFindingTable(block.rows, this.#outline.priority !== undefined);
    if (rows === undefined) {
      for (const row of block.rows) this.#text(row.cells.join(" | "), row.line);
      return;
    }
    for (const row of rows) {
      const placed = this.#start(row.head, { kind: "row", line: row.line, text: row.text, depth });
      for (const [field, text] of row.fields) placed.draft.takeField(field, text);
      this.#drafts.mention(row.text, row.line);
    }
    this.#drafts.close();
  }

  /** Cuts comments out, and lets wrappers take effect: here, where neither code nor quotes come. */
  #withoutComments(text: string, line: number): { prose: string } {
    const { prose, comments } = splitComments(text);
    this.#comments(comments, line);
    return { prose };
  }

  #comments(comments: readonly string[], line: number): void {
    for (const comment of comments) {
      if (!this.#wrappers.see(comment)) {
        this.#drafts.mentionApart(comment, line, "stands in a comment that nobody sees");
      } else if (comment.startsWith("/")) this.#drafts.close();
    }
  }
}
