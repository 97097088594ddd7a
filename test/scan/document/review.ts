import { documents } from "../../../src/scan/document/index.ts";

/** Reviews a tree that is given as text by path. */
export function review(files: Record<string, string>) {
  const reviewer = documents(new Set(Object.keys(files)));
  const reading = reviewer.start();
  for (const [path, text] of Object.entries(files)) {
    if (reviewer.covers(path)) reading.take({ path, text });
  }
  return { found: reading.finish(), skipped: reading.skipped };
}

export const titles = (files: Record<string, string>): string[] =>
  review(files).found.map(({ title }) => title);

export const fenced = (language: string, ...lines: string[]): string =>
  ["Text.", "", `\`\`\`${language}`, ...lines, "```", ""].join("\n");
