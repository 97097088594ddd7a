import { fromMarkdown } from "mdast-util-from-markdown";
import { SwornError } from "../base/index.ts";
import { type TopBlock, topBlocks } from "./top-blocks.ts";

/** An opening comment as `renderTome` writes it, or as somebody imitates it. */
const OPENING = /<!-- RUNE:FINDING\b([^<>]*)-->/g;
const CLOSING = /^<!-- \/RUNE:FINDING (\S+) -->$/;
const NONCE = /^[0-9a-f]{32}$/;
/** Far more than a report for people can be; a parser of Markdown needs many times as much memory. */
const TOME_CHARS_MAX = 5_000_000;
const NO_ID = "(no id)";

/** Ids of findings as they stand in a rendered report, in its order. */
export interface WrappedFindings {
  /** Between two comments of their own that carry the nonce. */
  readonly authentic: string[];
  /** Everything else that is written like a finding: another nonce, quoted, nested or not closed. */
  readonly injected: string[];
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
}

interface Mark {
  readonly kind: "opening" | "closing" | "imitation";
  readonly id: string;
}

/**
 * Reads back which findings of a rendered report come from the run with this nonce. A wrapper counts
 * only as a comment of its own at the top level, closed by its own end: text that a reviewer quoted
 * may hold the very same characters. An id may appear more than once. Throws on a text that is too
 * long to be read.
 */
export function authenticFindings(tome: string, nonce: string): WrappedFindings {
  if (tome.length > TOME_CHARS_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `the report has ${tome.length} characters, expected at most ${TOME_CHARS_MAX}; read the JSON form instead`,
    );
  }
  const marks = [...topBlocks(tome)].flatMap((block) => blockMarks(block, nonce));
  const wrappers = marks.filter(({ kind }) => kind !== "imitation");
  const whole = new Set(wrappers.filter((mark, index) => isClosedBy(mark, wrappers[index + 1])));
  const ids = (found: Mark[]): string[] => found.map(({ id }) => decoded(id));
  return {
    authentic: ids(marks.filter((mark) => whole.has(mark))),
    injected: ids(marks.filter((mark) => mark.kind !== "closing" && !whole.has(mark))),
  };
}

function isClosedBy({ kind, id }: Mark, next: Mark | undefined): boolean {
  return kind === "opening" && next?.kind === "closing" && next.id === id;
}

/**
 * What a block has to do with wrappers. Only the few that can hold the word are read in full; in a
 * character reference any letter can hide.
 */
function blockMarks({ type, source }: TopBlock, nonce: string): Mark[] {
  if (!/RUNE|&#/.test(source)) return [];
  const isComment = type === "html" && /^<!--[^\n]*-->$/.test(source);
  const nodes = isComment ? [{ type, value: source }] : fromMarkdown(source).children;
  return nodes.flatMap((node) => marksOf(node, nonce));
}

/** What a node at the top level has to do with wrappers, in the order in which it stands. */
function marksOf(node: Node, nonce: string): Mark[] {
  const comment = node.type === "html" ? (node.value ?? "") : "";
  const closed = CLOSING.exec(comment)?.[1];
  if (closed !== undefined) return [{ kind: "closing", id: closed }];
  const opened = openedBy(comment, nonce);
  if (opened !== undefined) return [{ kind: "opening", id: opened }];
  return imitations(node).map((id) => ({ kind: "imitation", id }));
}

/** The id of a comment that is an opening with this nonce and nothing else. */
function openedBy(comment: string, nonce: string): string | undefined {
  const [match] = comment.matchAll(OPENING);
  if (match === undefined || match[0] !== comment || !NONCE.test(nonce)) return undefined;
  const attributes = match[1] ?? "";
  return attribute(attributes, "nonce") === nonce ? attribute(attributes, "id") : undefined;
}

function attribute(attributes: string, name: string): string | undefined {
  const found = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].filter((each) => each[1] === name);
  // Said twice, it could be read in two ways: then it is not said.
  return found.length === 1 ? found[0]?.[2] : undefined;
}

function imitations(top: Node): string[] {
  const ids: string[] = [];
  const waiting = [top];
  // A list and not a recursion: quotations can be nested as deep as their author likes.
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const [, attributes = ""] of (node.value ?? "").matchAll(OPENING)) {
      ids.push(attribute(attributes, "id") ?? NO_ID);
    }
    waiting.push(...(node.children ?? []).toReversed());
  }
  return ids;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // Not our spelling; an imitation is named as it stands.
    return id;
  }
}
