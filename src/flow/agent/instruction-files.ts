import { type Dirent, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { readPlainFile } from "../../base/index.ts";

/** What agents read by themselves before anything else, whatever it says. */
const NAMES =
  /^(?:(?:AGENTS|CLAUDE|GEMINI|QWEN|README|CONTRIBUTING)(?:\.[A-Za-z.]{1,20})?|\.cursorrules|\.windsurfrules|\.goosehints|copilot-instructions\.md)$/i;
const FILES_MAX = 100;
const ENTRIES_MAX = 20_000;
const BYTES_MAX = 1 << 20;

/** The files of a tree that an agent is likely to take for its instructions, with their texts. */
export function instructionFiles(root: string): { readonly path: string; readonly text: string }[] {
  return filesBelow(root)
    .filter((path) => NAMES.test(basename(path)))
    .slice(0, FILES_MAX)
    .flatMap((path) => {
      const text = readText(path);
      return text === undefined ? [] : [{ path: relative(root, path), text }];
    });
}

/** Those near the top first: when there are too many, the deepest are left out. */
function filesBelow(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let at = 0; at < folders.length && files.length + at < ENTRIES_MAX; at += 1) {
    const folder = folders[at] ?? root;
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (entry.isFile()) files.push(join(folder, entry.name));
    }
  }
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Its name is no text, so that it cannot be found by it.
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readPlainFile(path, BYTES_MAX, "refuse").toString("utf8");
  } catch {
    // Too long to be read as instructions by anybody, or gone.
    return undefined;
  }
}
