import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { inThread } from "./in-thread.ts";

const READ_MS_MAX = 5_000;

/** A heading of a document, with the depth that it has there. */
export interface Heading {
  readonly depth: number;
  readonly text: string;
}

/**
 * Posts the headings of the outermost level: one within a quotation, a list or a fence belongs to what
 * is quoted. The parser's time grows with the square of some texts, so it runs where it can be ended.
 */
const READ = `
const { parentPort, workerData } = require("node:worker_threads");
const textOf = (node) => node.value ?? node.alt ?? (node.children ?? []).map(textOf).join("");
import(workerData.parser).then(({ fromMarkdown }) => {
  const headings = fromMarkdown(workerData.text).children.filter(({ type }) => type === "heading");
  parentPort.postMessage(headings.map((one) => ({ depth: one.depth, text: textOf(one) })));
});
`;

/** The headings of a Markdown document; undefined when it takes too long to read. */
export async function headingsOf(text: string): Promise<readonly Heading[] | undefined> {
  const { resolve } = createRequire(import.meta.url);
  const parser = pathToFileURL(resolve("mdast-util-from-markdown")).href;
  // It is our own thread's message, of our own making.
  return (await inThread(READ, { parser, text }, READ_MS_MAX)) as readonly Heading[] | undefined;
}
