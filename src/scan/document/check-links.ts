import { posix } from "node:path";
import type { Mention, Page } from "./markdown.ts";
import { resolveIn, type TreePaths } from "./tree-paths.ts";

/** Something a page says that the tree does not bear out. */
export interface Drift {
  readonly line: number;
  readonly category: string;
  readonly title: string;
  readonly issue: string;
  /** P2 only for a command that cannot work. */
  readonly priority: "P2" | "P3";
}

export interface PageInTree {
  readonly path: string;
  readonly page: Page;
  readonly paths: TreePaths;
  /** All pages by path, for anchors. */
  readonly pages: ReadonlyMap<string, Page>;
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]{1,20}:|\/\/|www\.|mailto:)/i;
/** Sites leave the ending out or turn it into another one. */
const ENDINGS = [
  "",
  ".md",
  ".mdx",
  ".markdown",
  "/README.md",
  "/index.md",
  "/index.mdx",
  "/_index.md",
];

/** Links and pictures that lead to no file, and anchors that lead to no heading. */
export function checkLinks(inTree: PageInTree): Drift[] {
  return inTree.page.links.flatMap((link) => checkLink(inTree, link) ?? []);
}

function checkLink(inTree: PageInTree, link: Mention): Drift | undefined {
  if (ADDRESS.test(link.text) || /[{}$<>*|\\]/.test(link.text)) return undefined;
  const [before = "", fragment = ""] = splitFragment(link.text);
  const target = decode(before.split("?", 1)[0] ?? "");
  if (target === undefined) return undefined;
  if (target === "") return checkAnchor(inTree, link, inTree.path, fragment);
  const path = resolveIn(posix.dirname(inTree.path).replace(/^\.$/, ""), target);
  if (path === undefined) return undefined;
  const found = ENDINGS.map((ending) => `${path}${ending}`).find((one) => inTree.paths.has(one));
  if (found !== undefined) return checkAnchor(inTree, link, found, fragment);
  return isSureOfMissing(inTree.paths, target, path) ? missingFile(link, path) : undefined;
}

/** Precision first: what a site generator, a build or a reader may supply is not called missing. */
function isSureOfMissing(paths: TreePaths, target: string, path: string): boolean {
  if (paths.isElsewhere(path) || /\.html?$/.test(path)) return false;
  const hasEnding = /\.[A-Za-z0-9]{1,8}$/.test(path);
  const inKnownFolder = paths.hasFolder(path.includes("/") ? (path.split("/", 1)[0] ?? "") : "");
  // A leading slash is the site's root as often as the tree's.
  if (target.startsWith("/")) return hasEnding && path.includes("/") && inKnownFolder;
  return (
    hasEnding ||
    (target.endsWith("/") && inKnownFolder) ||
    /^(?:LICENSE|COPYING|NOTICE|AUTHORS)$/.test(path)
  );
}

function missingFile(link: Mention, path: string): Drift {
  return {
    line: link.line,
    category: "broken-link",
    title: `The link to ${link.text} leads to no file`,
    issue: `The tree has no ${path}.`,
    priority: "P3",
  };
}

function checkAnchor(
  inTree: PageInTree,
  link: Mention,
  path: string,
  fragment: string,
): Drift | undefined {
  const page = inTree.pages.get(path);
  const anchors = page?.hasAllAnchors ? page.anchors : undefined;
  const wanted = decode(fragment)
    ?.toLowerCase()
    .replace(/^user-content-/, "");
  if (anchors === undefined || !wanted || !/\.(?:md|markdown)$/i.test(path)) return undefined;
  if (/^(?:top|l\d{1,6}(?:-l\d{1,6})?|:~:.*)$/.test(wanted) || anchors.has(wanted))
    return undefined;
  return {
    line: link.line,
    category: "broken-anchor",
    title: `The link to ${link.text} leads to no heading`,
    issue: `${path} has no heading or anchor that gives #${wanted}.`,
    priority: "P3",
  };
}

function splitFragment(text: string): [string, string] {
  const at = text.indexOf("#");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: nobody can tell what was meant, so nothing is said about it.
    return undefined;
  }
}
