import type { Node } from "../syntax/index.ts";

/** Deeper nesting is not written by people, and would take more stack than there is. */
const DEPTH_MAX = 600;
/** Tokens looked at for one version of a file, however often it makes us look again. */
const TOKENS_MAX = 4_000_000;

const CHARS_A_TOKEN = 20;

/** A file asks for more work than any honest one does. */
export class TooMuch extends Error {}

/** Bounds the work for one version of a file, and writes nodes in their one normal form. */
export class Reading {
  #tokens = 0;

  /** @throws TooMuch where code is nested deeper than we follow. */
  enter(depth: number): void {
    this.#spend();
    if (depth > DEPTH_MAX) throw new TooMuch(`it is nested more than ${DEPTH_MAX} levels deep`);
  }

  /** The tokens of a node with one space between them, without comments and trailing commas. */
  normal(node: Node | null | undefined): string {
    const tokens: string[] = [];
    const waiting: Node[] = node ? [node] : [];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.#spend();
      const kind = String(next.kind());
      if (kind === "comment" || kind === ";") continue;
      if (kind === "string") tokens.push(quoted(next.text()));
      else if (next.isLeaf()) addToken(tokens, next.text());
      else waiting.push(...next.children().toReversed());
    }
    return tokens.join(" ");
  }

  /** A node's text with its spaces folded. */
  folded(node: Node): string {
    const { start, end } = node.range();
    // Functions in functions make us look at the same text once for each of them.
    this.#spend(1 + (end.index - start.index) / CHARS_A_TOKEN);
    return node.text().replaceAll(/\s+/g, " ");
  }

  #spend(tokens = 1): void {
    this.#tokens += tokens;
    if (this.#tokens > TOKENS_MAX) throw new TooMuch(`it takes more than ${TOKENS_MAX} steps`);
  }
}

function addToken(tokens: string[], token: string): void {
  if (token === "") return;
  if (/^[)\]}]$/.test(token) && tokens.at(-1) === ",") tokens.pop();
  tokens.push(token);
}

/** Which quotation marks somebody likes changes nothing, as long as there are none inside. */
function quoted(text: string): string {
  const [, inner] = /^'([^'"\\\n]*)'$/.exec(text) ?? [];
  return inner === undefined ? text : `"${inner}"`;
}

/** The named children of a node without comments. */
export function partsOf(node: Node | null | undefined): Node[] {
  return node?.namedChildren().filter((child) => child.kind() !== "comment") ?? [];
}

export function lineOf(node: Node): number {
  return node.range().start.line + 1;
}

export function kindOf(node: Node | null | undefined): string {
  return node ? String(node.kind()) : "";
}
