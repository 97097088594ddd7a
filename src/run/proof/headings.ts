import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { fromMarkdown as Parse } from "mdast-util-from-markdown";
import { inAMoment } from "../../base/index.ts";
import { inThread } from "./in-thread.ts";

const READ_MS_MAX = 5_000;

/** What a part of a document may have. */
interface Part {
  readonly type: string;
  readonly value?: string | undefined;
  readonly alt?: string | null | undefined;
  readonly children?: readonly Part[];
}

/** A heading of a document, with the depth that it has there. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
}

/**
 * The headings of the outermost level: one within a quotation, a list or a fence belongs to what is
 * quoted. The parser's time grows with the square of some texts, so it runs where it can be ended; all
 * that it needs is in it.
 */
function headingsIn(parse: typeof Parse, text: string): readonly Heading[] {
  const textOf = (node: Part): string =>
    node.value ?? node.alt ?? (node.children ?? []).map(textOf).join("");
  return parse(text).children.flatMap((node) =>
    node.type === "heading" ? [{ depth: node.depth, text: textOf(node) }] : [],
  );
}

const READ = `
const { parentPort, workerData } = require("node:worker_threads");
${headingsIn}
import(workerData.parser).then(({ fromMarkdown }) => {
  parentPort.postMessage(headingsIn(fromMarkdown, workerData.text));
});
`;

/** The headings of a Markdown document; undefined when it takes too long to read. */
export async function headingsOf(text: string): Promise<readonly Heading[] | undefined> {
  const { fromMarkdown } = await import("mdast-util-from-markdown");
  const found = inAMoment(() => headingsIn(fromMarkdown, text));
  if (found !== undefined) return found;
  const parser = pathToFileURL(
    createRequire(import.meta.url).resolve("mdast-util-from-markdown"),
  ).href;
  // It is our own thread's message, of our own making.
  return (await inThread(READ, { parser, text }, READ_MS_MAX)) as readonly Heading[] | undefined;
}
