import { table as plainTable } from "../inside/index.ts";
import { wordsOf, wrap } from "./wrap.ts";

const GAP = 2;
/** A last column with less room than this is a column of single words. */
const LAST_COLUMNS_MIN = 28;
/** How far the lines below a row are set in at most. */
const INDENT_MAX = 14;

/**
 * A table. On a terminal that is narrower its rows are folded; whoever reads it from a file or a pipe
 * has each row on one line.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns?: number,
): string {
  const plain = plainTable(head, rows);
  const isFitting = (line: string) => columns === undefined || line.length <= columns;
  if (columns === undefined || plain.split("\n").every(isFitting)) return plain;
  const lines = [head, ...rows];
  const start = widthsOf(lines)
    .slice(0, -1)
    .reduce((sum, width) => sum + width + GAP, 0);
  return columns - start >= LAST_COLUMNS_MIN
    ? withFoldedLast(lines, columns - start)
    : stacked(head, rows, columns);
}

function widthsOf(lines: readonly (readonly string[])[]): number[] {
  const [head = []] = lines;
  return head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
}

/** The last cell goes on below itself. */
function withFoldedLast(lines: readonly (readonly string[])[], room: number): string {
  const [head = [], ...rows] = lines.flatMap((line) => {
    const before = line.slice(0, -1);
    const [first = "", ...more] = wrap(wordsOf(line.at(-1) ?? ""), room);
    return [[...before, first], ...more.map((words) => [...before.map(() => ""), words])];
  });
  return plainTable(head, rows);
}

/** Each row as a paragraph: what it begins with, and the rest below, where a figure needs its column's name. */
function stacked(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string {
  const indent = Math.min(INDENT_MAX, (widthsOf([head, ...rows])[0] ?? 0) + GAP);
  const others = head.slice(1).filter((name) => name !== "");
  const title = paragraph(head[0] ?? "", [others.join(", ")], { indent, columns });
  const paragraphs = rows.flatMap(([first = "", second = "", ...others]) => {
    const named = others
      .slice(0, -1)
      .flatMap((cell, at) => (cell === "" ? [] : `${head[at + 2]?.toLowerCase()}: ${cell}`));
    const below = [second, named.join("; "), others.at(-1) ?? ""];
    return paragraph(first, below, { indent, columns });
  });
  return [...title, ...paragraphs].join("\n");
}

function paragraph(
  first: string,
  texts: readonly string[],
  { indent, columns }: { readonly indent: number; readonly columns: number },
): string[] {
  const filled = texts.filter((text) => text !== "");
  const lines = filled.flatMap((text) => wrap(wordsOf(text), columns - indent));
  const start = Math.max(indent, first.length + GAP);
  // Beside a long first cell there may still be room for a whole second one.
  const isBeside = start === indent || start + (filled[0] ?? "").length <= columns;
  const [beside = "", ...below] = isBeside ? lines : ["", ...lines];
  const top = `${first.padEnd(start)}${beside}`.trimEnd();
  return [top, ...below.map((line) => `${" ".repeat(indent)}${line}`)];
}
