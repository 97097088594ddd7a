import { SourceLines } from "../kind/index.ts";
import type { Found, SourceFile } from "../reviewer.ts";

const LINES_MAX = 20_000;
const CITED_MAX = 20;

/** Requirements that any later version can change, and ones fetched from an address. */
export function checkRequirements(file: SourceFile): Found[] {
  const lines = new SourceLines(file);
  const loose: number[] = [];
  const fetched: number[] = [];
  for (let line = 1; line <= Math.min(lines.count, LINES_MAX); line += 1) {
    const text = lines
      .textOf(line)
      .slice(0, 1_000)
      .replace(/(?:^|\s)#.{0,1000}$/, "")
      .trim();
    if (/^(?:git\+|https?:)|@ (?:git\+|https?:)/.test(text)) fetched.push(line);
    else if (/^[A-Za-z0-9]/.test(text) && !/={2,3}/.test(text)) loose.push(line);
  }
  const cite = (numbers: readonly number[]) =>
    numbers.slice(0, CITED_MAX).map((line) => lines.cite(line));
  const found: Found[] = [];
  if (loose.length > 0) {
    found.push({
      title: `${loose.length} requirements are not pinned in ${file.path}`.slice(0, 500),
      priority: "P3",
      category: "unpinned-dependency",
      citations: cite(loose),
      issue: "An installation tomorrow can take other versions than one today.",
      fix: "Pin each with == and, better, with its hash.",
    });
  }
  if (fetched.length > 0) {
    found.push({
      title: `${fetched.length} requirements come from an address in ${file.path}`.slice(0, 500),
      priority: "P3",
      category: "address-dependency",
      citations: cite(fetched),
      issue: "What an address delivers can change, and no index keeps a copy.",
    });
  }
  return found;
}
