import { extensionOf } from "./name-like.ts";

/** Files that consist of edits, or of numbered lines, by their nature. */
const EDITS = new Set(["diff", "patch"]);
const NUMBERED = new Set(["txt", "csv", "tsv", "md", "mdx", "rst", "adoc", "log", "srt", "bas"]);
const BEGINNING_CHARS = 2_000;

/**
 * What a block holds in place of a file: a change in one of the notations for changes, or a listing
 * with line numbers. Undefined where it is neither.
 */
export function editIn(path: string, content: string): string | undefined {
  const extension = extensionOf(path);
  const beginning = content.slice(0, BEGINNING_CHARS).trimStart();
  if (!EDITS.has(extension) && isDiff(beginning)) return "a diff";
  if (/^\*\*\* (?:Begin Patch|Update File|Add File)/.test(beginning)) return "a patch";
  if (hasConflictMarks(content)) return "a change with marks for its two sides";
  return !NUMBERED.has(extension) && isNumbered(beginning)
    ? "a listing with line numbers"
    : undefined;
}

function isDiff(beginning: string): boolean {
  return /^(?:diff --git |Index: \S|@@ -\d|--- \S[^\n]*\n\+\+\+ )/.test(beginning);
}

/** The marks of a merge, and of models that answer with what to search and what to put there. */
function hasConflictMarks(content: string): boolean {
  const text = `\n${content}`;
  return ["\n<<<<<<< ", "\n=======", "\n>>>>>>> "].every((mark) => text.includes(mark));
}

const NUMBERED_MIN = 3;

function isNumbered(beginning: string): boolean {
  const lines = beginning.split("\n").slice(0, NUMBERED_MIN);
  const numbers = lines.map((line) =>
    Number(/^ {0,8}(\d{1,6})(?: ?[|:│→]| {2,}|\t)/.exec(line)?.[1]),
  );
  const [first = Number.NaN] = numbers;
  return numbers.length === NUMBERED_MIN && numbers.every((number, at) => number === first + at);
}
