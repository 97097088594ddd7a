import type { List, Nodes, Root, RootContent, Table } from "mdast";

/** An item of a list, as blocks. */
export interface Item {
  readonly line: number;
  readonly blocks: readonly Block[];
}

/** A part of a Markdown document. Text is as written, marks and all; lines count from one. */
export type Block =
  | {
      readonly kind: "heading";
      readonly line: number;
      readonly depth: number;
      readonly text: string;
    }
  | { readonly kind: "paragraph"; readonly line: number; readonly text: string }
  | {
      readonly kind: "code";
      readonly line: number;
      readonly text: string;
      readonly language: string;
      readonly isFenced: boolean;
      /** A fence that nobody closed: it took all that came behind it. */
      readonly isOpen: boolean;
    }
  | { readonly kind: "quote"; readonly line: number; readonly text: string }
  | { readonly kind: "html"; readonly line: number; readonly text: string }
  | { readonly kind: "break"; readonly line: number; readonly isDashes: boolean }
  | { readonly kind: "list"; readonly line: number; readonly items: readonly Item[] }
  | { readonly kind: "table"; readonly line: number; readonly rows: readonly Row[] };

/** A row of a table; the first one is the heading. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** What was parsed: its lines as written, how many stand ahead of it, and the way back to its text. */
interface Source {
  readonly lines: readonly string[];
  readonly before: number;
  restore(text: string): string;
}

/** Turns the parser's tree into blocks. */
export function toBlocks(nodes: readonly RootContent[], source: Source): Block[] {
  return nodes.flatMap((node) => toBlock(node, source) ?? []);
}

function toBlock(node: RootContent, source: Source): Block | undefined {
  const own = node.position?.start.line ?? 1;
  const first = source.lines[own - 1] ?? "";
  const line = own + source.before;
  switch (node.type) {
    case "heading":
      return { kind: "heading", line, depth: node.depth, text: source.restore(textOf(node)) };
    case "paragraph":
      return { kind: "paragraph", line, text: source.restore(textOf(node)) };
    case "code":
      return {
        kind: "code",
        line,
        text: source.restore(node.value),
        language: source.restore(node.lang ?? "").toLowerCase(),
        isFenced: isFence(first),
        isOpen: isFence(first) && !isClosed(own, node.position?.end.line, source.lines),
      };
    case "blockquote":
      return { kind: "quote", line, text: source.restore(quotedText(node)) };
    case "html":
      return { kind: "html", line, text: source.restore(node.value) };
    case "thematicBreak":
      return { kind: "break", line, isDashes: /^ {0,3}-+\s*$/.test(first) };
    case "list":
      return { kind: "list", line, items: itemsOf(node, source) };
    case "table":
      return { kind: "table", line, rows: rowsOf(node, source) };
    default:
      return undefined;
  }
}

const isFence = (line: string): boolean => /`{3}|~{3}/.test(line);

const isClosed = (start: number, end: number | undefined, source: readonly string[]): boolean =>
  end !== undefined && end > start && /^[\s>]*(?:`{3,}|~{3,})\s*$/.test(source[end - 1] ?? "");

function itemsOf(list: List, source: Source): Item[] {
  return list.children.map((item) => ({
    line: (item.position?.start.line ?? 1) + source.before,
    blocks: toBlocks(item.children, source),
  }));
}

function rowsOf(table: Table, source: Source): Row[] {
  return table.children.map((row) => ({
    line: (row.position?.start.line ?? 1) + source.before,
    cells: row.children.map((cell) => source.restore(textOf(cell)).replaceAll("\\|", "|").trim()),
  }));
}

/** Inline marks are switched off in the parser, so that all there is below is text and line ends. */
function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type === "break") return "\n";
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** What stands in a block quote, without the marks in front of its lines. */
function quotedText(node: Nodes): string {
  if (node.type === "code" || node.type === "html") return node.value;
  if (node.type === "paragraph" || node.type === "heading") return textOf(node);
  if (node.type === "tableRow") return node.children.map(textOf).join(" | ");
  const gap = node.type === "blockquote" ? "\n\n" : "\n";
  return "children" in node ? node.children.map(quotedText).join(gap) : "";
}

/** How deep the tree goes, found without recursion: it is as deep as its author wanted. */
export function depthOf(root: Root): number {
  let depth = 0;
  let level: Nodes[] = [root];
  while (level.length > 0) {
    depth += 1;
    level = level.flatMap((node) => ("children" in node ? (node.children as Nodes[]) : []));
  }
  return depth;
}
