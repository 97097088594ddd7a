import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The folder everything is in. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** A fenced block of a document. */
export interface Block {
  readonly language: string;
  readonly lines: readonly string[];
}

/** All documents of the project, as paths from its root; samples are somebody else's. */
export function documents(): string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
  const paths = execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).split("\n");
  return [...new Set(paths)].filter((path) => path !== "" && !path.startsWith("examples/")).sort();
}

export function read(path: string): string {
  return readFileSync(resolve(ROOT, path), "utf8");
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", text = ""]) => ({
      language,
      lines: text.split("\n").slice(0, -1),
    }),
  );
}

/** The text of a document without fenced blocks. */
function withoutBlocks(markdown: string): string {
  return markdown.replace(/^```\w*\n[\s\S]*?^```$/gm, "");
}

/** What a document says in words: no blocks, no code, no link targets. */
export function proseOf(markdown: string): string {
  return withoutBlocks(markdown)
    .replace(/`[^`\n]+`/g, " ")
    .replace(/\]\([^)]*\)/g, "]");
}

/** Targets of the links in a document, in the order in which they stand. */
export function linksOf(markdown: string): string[] {
  const text = withoutBlocks(markdown).replace(/`[^`\n]+`/g, " ");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? "");
}

/** The anchors of a document's headings, as hosting services make them. */
export function anchorsOf(markdown: string): string[] {
  const headings = [...withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm)];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
