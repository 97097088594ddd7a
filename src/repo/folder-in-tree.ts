import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { SwornError } from "../base/index.ts";

/** Whether every step of the way is a folder: a link could lead anywhere on this machine. */
export function isFolderIn(root: string, path: string): boolean {
  return stepsOf(root, path).every((step) =>
    lstatSync(step, { throwIfNoEntry: false })?.isDirectory(),
  );
}

/**
 * Makes a folder within a tree of somebody else's files.
 *
 * @returns the topmost folder that had to be made
 * @throws SwornError `INPUT_INVALID` when a link or a file of the tree stands in the way.
 */
export function makeFolderIn(root: string, path: string): string | undefined {
  let first: string | undefined;
  for (const step of stepsOf(root, path)) {
    const found = lstatSync(step, { throwIfNoEntry: false });
    if (found === undefined) {
      mkdirSync(step);
      first ??= step;
    } else if (!found.isDirectory()) {
      throw new SwornError(
        "INPUT_INVALID",
        `the commit has a ${found.isSymbolicLink() ? "link" : "file"} on the way to ${path}, expected a folder or nothing; remove it from the project`,
      );
    }
  }
  return first;
}

function stepsOf(root: string, path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_, at) => join(root, ...parts.slice(0, at + 1)));
}
