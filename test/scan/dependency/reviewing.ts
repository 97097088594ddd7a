import { dependency } from "../../../src/scan/dependency/index.ts";

/** Reviews a tree that is given by path, as text or as a value to be written as JSON. */
export function review(files: Record<string, unknown>) {
  const reading = dependency.start();
  for (const [path, value] of Object.entries(files)) {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    if (dependency.covers(path)) reading.take({ path, text });
  }
  const { skipped, notChecked } = reading;
  return { found: reading.finish(), skipped, notChecked };
}

export const categories = (files: Record<string, unknown>): string[] =>
  review(files).found.map(({ category }) => category);
