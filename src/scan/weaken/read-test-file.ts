import { isTestCode } from "../kind/index.ts";
import { parseSource } from "../syntax/index.ts";
import { readJavascript } from "./read-javascript.ts";
import { readPython } from "./read-python.ts";
import { Reading, TooMuch } from "./reading.ts";
import type { TestFile } from "./test-case.ts";

const FILE_CHARS_MAX = 2_000_000;

/** A version of a file, or why it was not read. */
export type ReadFile = { readonly file: TestFile } | { readonly why: string };

/** Reads one version of a file that may hold tests. */
export function readTestFile(path: string, text: string): ReadFile {
  if (text.length > FILE_CHARS_MAX)
    return { why: `it is longer than ${FILE_CHARS_MAX} characters` };
  const parsed = parseSource(path, text);
  if (parsed === undefined) return { why: "its language is not read" };
  const { language, root } = parsed;
  const reading = new Reading();
  try {
    const file =
      language === "python"
        ? readPython(root, reading)
        : readJavascript(root, reading, isTestCode(path));
    let brokenChars = 0;
    for (const error of root.findAll({ rule: { kind: "ERROR" } })) {
      const { start, end } = error.range();
      brokenChars += Math.max(1, end.index - start.index);
    }
    return { file: { ...file, brokenChars } };
  } catch (error) {
    // A file that asks for too much is not judged, and that is said; anything else is our bug.
    if (error instanceof TooMuch) return { why: error.message };
    throw error;
  }
}

const JAVASCRIPT_TEST = /\b[xf]?(?:test|it|describe|suite)(?:\.\w{1,20}){0,3}\(\s{0,20}["'`]/;
const PYTHON_TEST = /^[ \t]{0,40}(?:async )?def test|\bTestCase\b/m;

/** Whether a file may hold tests: by its name, or because it looks so. */
export function mayHoldTests(path: string, text: string): boolean {
  if (isTestCode(path)) return true;
  return (path.endsWith(".py") ? PYTHON_TEST : JAVASCRIPT_TEST).test(text);
}
