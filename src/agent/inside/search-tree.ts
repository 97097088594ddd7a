import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { readTreeFile } from "./tree-file.ts";
import { CallRefused, pathInTree } from "./tree-path.ts";

const FILES_MAX = 50_000;
const CHARS_MAX = 256 << 20;
const HITS_MAX = 200;
const LINE_CHARS_MAX = 300;
const TEXT_CHARS_MAX = 1_000;
/** History and what package managers put there: nobody who searches means these. */
const SKIPPED = new Set([".git", "node_modules"]);

export interface SearchHits {
  /** `path:line: text`, cut. */
  readonly lines: readonly string[];
  /** Said where not everything was looked at, or not everything is shown. */
  readonly note: string | undefined;
}

/**
 * Looks for a text in the files of the work tree. A text and no pattern: a pattern of somebody else's
 * can take for ever. Links are not followed.
 *
 * @throws CallRefused
 */
export function searchTree(tree: string, text: unknown, below: unknown = "."): SearchHits {
  if (typeof text !== "string" || text === "" || text.length > TEXT_CHARS_MAX) {
    throw new CallRefused(`expected a text of 1 to ${TEXT_CHARS_MAX} characters to look for`);
  }
  const root = pathInTree(tree, ".");
  const lines: string[] = [];
  let [files, chars] = [0, 0];
  for (const path of filesBelow(pathInTree(tree, below))) {
    if (files >= FILES_MAX || chars > CHARS_MAX) {
      return { lines, note: `only the first ${files} files were looked at` };
    }
    files += 1;
    const content = textOr(tree, path);
    chars += content.length;
    lines.push(...hitsIn(content, text, relative(root, path)));
    if (lines.length > HITS_MAX) {
      return { lines: lines.slice(0, HITS_MAX), note: `only the first ${HITS_MAX} are shown` };
    }
  }
  return { lines, note: undefined };
}

/** One more than are shown, so that it can be said that there are more. */
function hitsIn(content: string, text: string, path: string): string[] {
  if (!content.includes(text)) return [];
  return content
    .split("\n")
    .flatMap((line, index) =>
      line.includes(text) ? [`${path}:${index + 1}: ${line.slice(0, LINE_CHARS_MAX)}`] : [],
    )
    .slice(0, HITS_MAX + 1);
}

/** In the order of their names, so that the same tree gives the same answer. */
function* filesBelow(folder: string): Generator<string> {
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = entriesOf(next);
    for (const entry of entries) if (entry.isFile()) yield join(next, entry.name);
    const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name));
    waiting.push(...folders.map(({ name }) => join(next, name)).reverse());
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Gone, closed, or a file: there is nothing below it.
    return [];
  }
}

function textOr(tree: string, path: string): string {
  try {
    return readTreeFile(tree, path);
  } catch {
    // What is no text has no line to show.
    return "";
  }
}
