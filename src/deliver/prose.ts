import { visibleLines } from "./visible-text.ts";

/** A stretch of a hostile text: code that its author fenced, or a paragraph of lines. */
export type ProseBlock =
  | { readonly kind: "code"; readonly lines: readonly string[] }
  | { readonly kind: "paragraph"; readonly lines: readonly string[] };

/** A piece of a line: words, or what its author put between backticks. */
export interface ProseSpan {
  readonly kind: "words" | "code";
  readonly text: string;
}

/**
 * Cuts what a reviewer wrote into paragraphs and fenced code. Only these two forms are kept; all
 * other markup stays text, so that whatever a reviewer writes is shown and nothing of it is obeyed.
 */
export function proseBlocks(text: string): ProseBlock[] {
  const blocks: ProseBlock[] = [];
  let [lines, fence]: [string[], string | undefined] = [[], undefined];
  for (const line of visibleLines(text)) {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    const isTurn = fence === undefined ? mark !== undefined : mark?.startsWith(fence);
    if (!isTurn) {
      lines.push(line);
      continue;
    }
    blocks.push(...(fence === undefined ? paragraphs(lines) : code(lines)));
    lines = [];
    fence = fence === undefined ? mark : undefined;
  }
  return [...blocks, ...(fence === undefined ? paragraphs(lines) : code(lines))];
}

function code(lines: readonly string[]): ProseBlock[] {
  return lines.length === 0 ? [] : [{ kind: "code", lines }];
}

function paragraphs(lines: readonly string[]): ProseBlock[] {
  return lines
    .map((line) => line.trim())
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.split("\n").filter((line) => line !== ""))
    .filter((paragraph) => paragraph.length > 0)
    .map((paragraph) => ({ kind: "paragraph", lines: paragraph }));
}

/** Cuts one line at simple pairs of backticks. */
export function proseSpans(line: string): ProseSpan[] {
  const pieces = line.split(/`([^`\n]+)`/);
  return pieces
    .map((text, index): ProseSpan => ({ kind: index % 2 === 0 ? "words" : "code", text }))
    .filter(({ text }) => text !== "");
}
