import { anchorsOf } from "./slug.ts";

/** A word or address on a page, and the line it stands in. */
export interface Mention {
  readonly text: string;
  readonly line: number;
}

/** A block of code, in a fence or indented. */
export interface Fence {
  /** As written after the fence, in lower case: `sh`; empty where nothing is. */
  readonly language: string;
  readonly lines: readonly Mention[];
}

/** What a page of Markdown refers to, and what can be referred to on it. */
export interface Page {
  /** Anchors, in lower case. */
  readonly anchors: ReadonlySet<string>;
  /** False for a page with more headings than are read: nothing can be said about its anchors. */
  readonly hasAllAnchors: boolean;
  readonly links: readonly Mention[];
  /** Inline code. */
  readonly spans: readonly Mention[];
  readonly fences: readonly Fence[];
}

/** Longer lines hold data; their beginning is read. */
const LINE_CHARS_MAX = 4_000;
const HEADINGS_MAX = 5_000;

const FENCE = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] ){0,24}(`{3,}|~{3,})[ \t]{0,8}\{?\.?([\w+-]{0,40})/;
const SPAN = /(?<!`)(`{1,3})(?!`)([^`\n]{1,300})\1(?!`)/g;
const LINK =
  /\]\(\s{0,5}(<[^<>\n]{1,500}>|[^\s()<>]{1,500}(?:\([^\s()]{0,100}\)[^\s()<>]{0,200})?)(?:\s{1,5}(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\([^)\n]{0,300}\)))?\s{0,5}\)/g;
const DEFINITION = /^ {0,3}\[[^\]^\n][^\]\n]{0,200}\]:\s{1,8}(<[^>\n]{1,500}>|[^\s<]{1,500})/;
const HTML_LINK =
  /<(?:a|img|source)\s[^>]{0,500}?\b(?:href|src)\s{0,3}=\s{0,3}["']([^"'\n]{1,500})["']/gi;
const HTML_ANCHOR = /\b(?:id|name)\s{0,3}=\s{0,3}["']([^"'\n]{1,200})["']/gi;
const LIST_ITEM = /^ {0,8}(?:[-*+]|\d{1,9}[.)])\s/;

/**
 * Reads a page line by line. It knows what a check of references needs and no more, and takes time
 * in proportion to the text, which parsers of all of Markdown do not.
 */
export function readMarkdown(text: string): Page {
  const reader = new PageReader();
  const lines = text.split("\n");
  const start = frontMatterLines(lines);
  for (const [at, line] of lines.entries()) {
    if (at >= start) reader.take(line.replace(/\r$/, "").slice(0, LINE_CHARS_MAX), at + 1);
  }
  return reader.page();
}

function frontMatterLines(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.slice(0, 200).findIndex((line, at) => at > 0 && line.trimEnd() === "---");
  return end < 0 ? 0 : end + 1;
}

interface OpenFence {
  readonly mark: string;
  readonly language: string;
  readonly lines: Mention[];
}

/** What every line of a block has to begin with, so that it can only be meant for a shell. */
const TYPED =
  /^\s{0,40}(?:\$ \S|#|(?:npm|npx|pnpm|yarn|make|node|git|cd|python3?|pip3?|cargo|go|docker|export)\s)/;

/** An indented block says no language: it is a shell's where nothing but commands stand in it. */
function languageOf(lines: readonly Mention[]): string {
  return lines.every(({ text }) => TYPED.test(text)) ? "sh" : "";
}

class PageReader {
  readonly #headings: string[] = [];
  readonly #anchors: string[] = [];
  readonly #links: Mention[] = [];
  readonly #spans: Mention[] = [];
  readonly #fences: Fence[] = [];
  #fence: OpenFence | undefined;
  readonly #blocks: OpenFence[] = [];
  #indented: OpenFence | undefined;
  #inComment = false;
  #inList = false;
  #before = "";

  take(line: string, number: number): void {
    if (this.#fence !== undefined) this.#takeFenced(this.#fence, line, number);
    else if (!this.#skipsComment(line) && !this.#opensFence(line)) this.#takeProse(line, number);
  }

  page(): Page {
    if (this.#fence !== undefined) this.#fences.push(this.#fence);
    const hasAllAnchors = this.#headings.length <= HEADINGS_MAX;
    const anchors = anchorsOf(hasAllAnchors ? this.#headings : []);
    for (const anchor of this.#anchors) anchors.add(anchor.toLowerCase());
    const shown = this.#blocks.map(({ lines }) => ({ language: languageOf(lines), lines }));
    const fences = [...this.#fences, ...shown];
    return { anchors, hasAllAnchors, links: this.#links, spans: this.#spans, fences };
  }

  #takeFenced(fence: OpenFence, line: string, number: number): void {
    const end = line.replace(/^[ \t>]{1,40}/, "").trimEnd();
    if (end.startsWith(fence.mark) && end === fence.mark.charAt(0).repeat(end.length)) {
      this.#fences.push(fence);
      this.#fence = undefined;
    } else fence.lines.push({ text: line, line: number });
  }

  #opensFence(line: string): boolean {
    const opened = FENCE.exec(line);
    // A line such as ```code``` is inline code.
    if (opened === null || line.slice(opened[0].length).includes("`")) return false;
    const [, mark = "", language = ""] = opened;
    this.#fence = { mark, language: language.toLowerCase(), lines: [] };
    this.#indented = undefined;
    this.#before = "";
    return true;
  }

  #skipsComment(line: string): boolean {
    const opens = line.lastIndexOf("<!--");
    const closes = line.lastIndexOf("-->");
    const was = this.#inComment;
    if (was) this.#inComment = closes < 0 || opens > closes;
    else this.#inComment = opens >= 0 && closes < opens;
    return was || this.#inComment;
  }

  #takeProse(line: string, number: number): void {
    if (this.#isIndentedCode(line)) {
      this.#takeIndented(line, number);
      return;
    }
    if (line.trim() !== "") this.#indented = undefined;
    this.#takeHeading(line);
    if (line.trim() !== "")
      this.#inList = LIST_ITEM.test(line) || (this.#inList && /^\s/.test(line));
    this.#before = line;
    for (const [, , text = ""] of line.matchAll(SPAN))
      this.#spans.push({ text: text.trim(), line: number });
    const bare = line
      .replace(SPAN, (span) => " ".repeat(span.length))
      .replace(/<!--.{0,2000}?-->/g, "");
    for (const [, anchor = ""] of bare.matchAll(HTML_ANCHOR)) this.#anchors.push(anchor);
    const definition = DEFINITION.exec(bare);
    const targets = [
      ...(definition ? [definition[1] ?? ""] : []),
      ...[...bare.matchAll(LINK)].map((match) => match[1] ?? ""),
      ...[...bare.matchAll(HTML_LINK)].map((match) => match[1] ?? ""),
    ];
    for (const target of targets)
      this.#links.push({ text: target.replace(/^<|>$/g, ""), line: number });
  }

  /** A block of code without a fence says no language; its lines go on past blank ones. */
  #takeIndented(line: string, number: number): void {
    if (this.#indented === undefined) {
      this.#indented = { mark: "", language: "", lines: [] };
      this.#blocks.push(this.#indented);
    }
    this.#indented.lines.push({ text: line.replace(/^(?: {4}|\t)/, ""), line: number });
  }

  #isIndentedCode(line: string): boolean {
    const isIndented = /^(?: {4}|\t)\s{0,200}\S/.test(line);
    return isIndented && !this.#inList && this.#before.trim() === "";
  }

  #takeHeading(line: string): void {
    const heading = /^[ >]{0,6}#{1,6}[ \t]{1,20}(.{1,1000})$/.exec(line)?.[1];
    if (heading !== undefined) this.#headings.push(heading.trimEnd().replace(/[ \t]#{1,20}$/, ""));
    else if (/^ {0,3}(?:={1,200}|-{2,200})[ \t]{0,20}$/.test(line) && this.#before.trim() !== "") {
      this.#headings.push(this.#before.trim());
    }
    const html = /<h[1-6][^>]{0,300}>(.{1,500}?)<\/h[1-6]>/i.exec(line)?.[1];
    if (html !== undefined) this.#headings.push(html);
  }
}
