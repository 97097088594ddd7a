import type { Citation, Finding, Priority } from "../schema/finding.ts";
import { FINDING_TEXT_CHARS_MAX } from "../schema/finding.ts";
import { readSearch, saysAbsent } from "./absence.ts";
import { CITATIONS_MAX, toCitations } from "./citations.ts";
import { cutText } from "./cut-text.ts";
import type { Head } from "./head.ts";
import { plain, readInline } from "./inline.ts";
import { type FieldName, splitLabels } from "./label.ts";
import { hasFileEnding } from "./path-like.ts";
import { lineRange, type Place, placesIn } from "./place.ts";
import { confidenceIn, priorityIn } from "./priority.ts";
import { readQuotes } from "./quote.ts";

/** Text that keeps running until the next label. */
const RUNNING: ReadonlySet<FieldName | undefined> = new Set([
  "issue",
  "fix",
  "evidence",
  "flow",
  "file",
]);
/** Prose that leads to code as it should be, which is nowhere yet. */
const LEADS_TO_FIX =
  /\b(?:fix(?:ed)?|replace|instead|should be|should read|suggest\w{0,9}|rewrite|rewritten|change (?:it|this|that|the line) to|better)\b[^.\n]{0,60}:\s*$/i;
const LEAD_CHARS_MAX = 200;
/** More text than any field keeps; what is longer would only be cut later. */
const PARTS_MAX = 2_000;

/** What a finding is when nobody said how urgent it is: neither blocking nor mere advice. */
const UNSTATED: Priority = "P2";

/** A finding while it is being read: whatever its parts say, in the order they come. */
export class Draft {
  readonly head: Head;
  readonly #places: Place[];
  readonly #hints: Place[] = [];
  readonly #flow: Place[] = [];
  readonly #evidence: { text: string; language: string; isLabelled: boolean }[] = [];
  readonly #prose: Record<"issue" | "fix" | "search", string[]> = {
    issue: [],
    fix: [],
    search: [],
  };
  #priority: Priority | undefined;
  #confidence: number | undefined;
  #category: string | undefined;
  #id: string | undefined;
  #title: string | undefined;
  #field: FieldName | undefined;
  /** The end of the prose before a block, which says what the block shows. */
  #lead = "";
  readonly #labels = new Set<FieldName>();
  readonly #cut = new Set<string>();

  constructor(head: Head) {
    this.head = head;
    this.#places = [...head.places];
    this.#priority = head.priority;
    this.#confidence = head.confidence;
    this.#id = head.id;
    if (head.rest !== "" && head.rest !== head.title) this.#prose.issue.push(head.rest);
  }

  get id(): string | undefined {
    return this.#id;
  }

  /** What it said beyond our bounds, in words; known once it was made a finding. */
  get cut(): ReadonlySet<string> {
    return this.#cut;
  }

  /** How many kinds of parts it has that only a finding has. */
  get parts(): number {
    const telling = ["evidence", "issue", "fix", "priority", "confidence", "search"] as const;
    const labelled = telling.filter((field) => this.#labels.has(field)).length;
    return labelled + (this.#evidence.length > 0 && !this.#labels.has("evidence") ? 1 : 0);
  }

  /** Whether it names a line under a label of its own; a list of files alone may be a scope. */
  get saysWhere(): boolean {
    return this.#labels.has("file") && this.#places.some(({ line }) => line !== undefined);
  }

  get hasPlaces(): boolean {
    return this.#places.length > 0 || this.#hints.length > 0;
  }

  /** Text below the head, with or without labels in it. */
  takeText(text: string): void {
    for (const part of splitLabels(text)) {
      if (part.field === undefined) this.#continue(part.text);
      else this.takeField(part.field, part.text);
    }
  }

  /** A part that says what it is. */
  takeField(field: FieldName, text: string): void {
    this.#labels.add(field);
    this.#field = field;
    if (text !== "") this.#put(field, text);
  }

  /** Code or quoted prose: evidence, unless it shows the fix or comes after evidence. */
  takeEvidence(text: string, language: string, mark: "```" | ">"): void {
    const isFix = this.#field === "fix" || LEADS_TO_FIX.test(this.#lead);
    this.#lead = "";
    const isIllustration = this.#field === "issue" && this.#evidence.length > 0;
    if (isFix || isIllustration) {
      const shown = mark === ">" ? `> ${text.replaceAll("\n", "\n> ")}` : fenced(text, language);
      this.#push(isFix ? "fix" : "issue", shown);
      return;
    }
    if (this.#evidence.length < CITATIONS_MAX)
      this.#evidence.push({ text, language, isLabelled: this.#field === "evidence" });
    else this.#cut.add(`shows more than ${CITATIONS_MAX} pieces of evidence`);
    if (this.#field !== "issue") this.#field = undefined;
  }

  #continue(text: string): void {
    if (text === "") return;
    this.#lead = text.slice(-LEAD_CHARS_MAX);
    this.#put(RUNNING.has(this.#field) ? this.#field : undefined, text);
  }

  #put(field: FieldName | undefined, text: string): void {
    if (field === undefined || field === "issue") this.#push("issue", text);
    else if (field === "fix" || field === "search") this.#push(field, text);
    else if (field === "file") this.#putFile(text);
    else if (field === "flow") this.#flow.push(...placesIn(text));
    else if (field === "evidence") this.#putEvidence(text);
    else if (field === "line") this.#putLine(text);
    else this.#putMark(field, text);
  }

  #push(field: "issue" | "fix" | "search", text: string): void {
    if (this.#prose[field].length < PARTS_MAX) this.#prose[field].push(text);
    else this.#cut.add(`has more than ${PARTS_MAX} parts under ${field}`);
  }

  /** Places, on one line or several; a line that names none is what is said about them. */
  #putFile(text: string): void {
    const isFirst = this.#places.length === 0;
    for (const [index, line] of text.split("\n").entries()) {
      const places = placesIn(line, isFirst && index === 0);
      if (places.length > 0) this.#places.push(...places);
      else if (line.trim() !== "") this.#push("issue", line.trim());
    }
  }

  /** Evidence in a line of prose: a place, code in backticks, or words that belong to the issue. */
  #putEvidence(text: string): void {
    const places = placesIn(text);
    const [only, ...more] = readInline(text);
    this.#hints.push(...places);
    if (places.length > 0) return;
    if (only?.kind === "code" && more.every((span) => span.text.trim() === "")) {
      this.#evidence.push({ text: only.text, language: "", isLabelled: true });
    } else {
      this.#push("issue", text);
    }
  }

  #putLine(text: string): void {
    const match = /L?(\d{1,9})(?:\s?[-–—]\s?L?(\d{1,9}))?/.exec(text.slice(0, 100));
    const at = this.#places.findIndex((place) => place.line === undefined);
    const place = this.#places[at];
    if (match !== null && place !== undefined) {
      this.#places[at] = { ...place, ...lineRange(match[1], match[2]) };
    }
  }

  #putMark(field: "priority" | "confidence" | "category" | "id" | "title", text: string): void {
    const words = plain(text);
    if (field === "priority") this.#priority = priorityIn(words) ?? this.#priority;
    else if (field === "confidence") this.#confidence = confidenceIn(words) ?? this.#confidence;
    else if (field === "category") this.#category = slug(words);
    else if (field === "id") this.#id ??= words.slice(0, 64).replace(/^\[(.*)\]$/, "$1");
    else this.#title = words;
  }

  /** The finding, or why it is none. `fallback` is what the place around it says. */
  toFinding(
    id: string,
    fallback: { readonly priority: Priority | undefined; readonly place?: Place | undefined },
  ): Finding | { readonly why: string } {
    const absence = this.#absence();
    const citations = this.#citations(absence?.within[0], fallback.place);
    if (citations.length === 0) return { why: "names no file, so that nothing can be checked" };
    const issue = this.#joined("issue");
    const fix = this.#joined("fix");
    const title = this.#title ?? (this.head.title || plain(issue).slice(0, 200) || id);
    return {
      id,
      title: cutText(title, 500),
      priority: this.#priority ?? fallback.priority ?? UNSTATED,
      citations: this.#first(citations, "places"),
      ...(this.#category === undefined ? {} : { category: this.#category }),
      ...(issue === "" ? {} : { issue }),
      ...(fix === "" ? {} : { fix }),
      ...(this.#confidence === undefined ? {} : { confidence: this.#confidence }),
      ...(this.#flow.length === 0
        ? {}
        : { path: toCitations(this.#first(this.#flow, "steps"), []) }),
      ...(absence === undefined ? {} : { absence }),
    };
  }

  #first<T>(all: readonly T[], what: string): T[] {
    if (all.length > CITATIONS_MAX) {
      this.#cut.add(`names ${all.length} ${what}; the first ${CITATIONS_MAX} were read`);
    }
    return all.slice(0, CITATIONS_MAX);
  }

  #joined(field: "issue" | "fix"): string {
    const text = this.#prose[field].join("\n\n").trim();
    if (text.length > FINDING_TEXT_CHARS_MAX) {
      const most = `the first ${FINDING_TEXT_CHARS_MAX} were read`;
      this.#cut.add(`has ${text.length} characters under ${field}; ${most}`);
    }
    return cutText(text, FINDING_TEXT_CHARS_MAX);
  }

  #absence(): ReturnType<typeof readSearch> {
    const search = joined(this.#prose.search);
    const found = readSearch(search);
    const words = `${this.head.title} ${joined(this.#prose.issue)}`;
    if (found !== undefined && saysAbsent(words)) return found;
    if (search !== "") this.#push("issue", `Search: ${search}`);
    return undefined;
  }

  #citations(searched: string | undefined, around: Place | undefined): Citation[] {
    const named = this.#named();
    const quotes = this.#evidence.flatMap(({ text, language, isLabelled }) =>
      readQuotes(text, language, { cited: named[0], isProposal: !isLabelled }),
    );
    if (named.length > 0 || quotes.some((quote) => quote.file !== undefined)) {
      return toCitations(named, quotes);
    }
    const spare =
      around ?? this.#placeInProse() ?? (searched === undefined ? undefined : { file: searched });
    return toCitations(spare === undefined ? [] : [spare], quotes);
  }

  /**
   * The places that count. `store.backup` in a title is more likely a function than a file: it gives way to
   * a line of a file that the finding names elsewhere.
   */
  #named(): readonly Place[] {
    const named = [this.#places, this.#hints].find((places) => places.length > 0) ?? [];
    const isDoubtful = named.every(({ file, line }) => line === undefined && !hasFileEnding(file));
    if (!isDoubtful) return named;
    const sure = this.#hints.find(({ line }) => line !== undefined) ?? this.#placeInProse();
    return sure === undefined ? named : [sure];
  }

  #placeInProse(): Place | undefined {
    const places = this.#prose.issue.flatMap((text) => placesIn(text));
    return places.find((place) => place.line !== undefined);
  }
}

const joined = (parts: readonly string[]): string =>
  cutText(parts.join("\n\n").trim(), FINDING_TEXT_CHARS_MAX);

/** Code inside prose, behind a fence longer than any in it. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function slug(text: string): string | undefined {
  const words = text
    .slice(0, 64)
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 64).replace(/-$/, "");
}
