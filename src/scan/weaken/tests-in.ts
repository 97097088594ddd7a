import { readTestFile } from "./read-test-file.ts";

/** How many tests a file holds, each row of a table as one; none where its language is not read. */
export function testsIn(path: string, text: string): number {
  const read = readTestFile(path, text);
  if (!("file" in read)) return 0;
  const tests = read.file.tests.filter(({ kind }) => kind === "test");
  return tests.reduce((sum, { rows }) => sum + Math.max(1, rows.length), 0);
}
