import { posix } from "node:path";
import { isVendored, SourceLines } from "../kind/index.ts";
import type { Found, SourceFile, TreeReading, TreeReviewer } from "../reviewer.ts";
import { checkCommands } from "./check-commands.ts";
import { checkLinks, type Drift } from "./check-links.ts";
import { checkMentions } from "./check-mentions.ts";
import { Manifests } from "./manifests.ts";
import { type Page, readMarkdown } from "./markdown.ts";
import { TreePaths } from "./tree-paths.ts";

/** Longer pages are data; they are named as skipped. */
const PAGE_CHARS_MAX = 2_000_000;
/** Most things said about one page. */
const DRIFTS_MAX = 50;

const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
const MAKEFILE = /^(?:GNUm|m|M)akefile$/;
/** Pages that are templates or test data refer to nothing here. */
const NOT_A_PAGE =
  /(?:^|\/)(?:fixtures?|__fixtures__|testdata|templates?|node_modules|\.github\/(?:ISSUE|PULL_REQUEST)_TEMPLATE)(?:\/|$)/i;

/** A reading that also says which pages it left out. */
export interface DocumentReading extends TreeReading {
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  finish(): Found[];
}

/**
 * Compares what the documents say with the tree: links, anchors, commands, paths. It needs the paths
 * of all files, since what a document refers to may be any of them.
 */
export function documents(
  paths: ReadonlySet<string>,
): Omit<TreeReviewer, "start"> & { start(): DocumentReading } {
  return {
    name: "document",
    role: "compares links, commands and paths in the documents with the tree",
    prefix: "DOC",
    covers: (path) => isVendored(path) === undefined && isCovered(path),
    // What a page says is judged by manifests that the change does not touch, too.
    context: (path) => isVendored(path) === undefined && isManifest(path),
    start: () => new Reading(paths),
  };
}

function isCovered(path: string): boolean {
  const name = posix.basename(path);
  if (MARKDOWN.test(name)) return !NOT_A_PAGE.test(path);
  return isManifest(path);
}

function isManifest(path: string): boolean {
  const name = posix.basename(path);
  return name === "package.json" || name === ".gitignore" || MAKEFILE.test(name);
}

class Reading implements DocumentReading {
  readonly skipped: { path: string; why: string }[] = [];
  readonly #paths: TreePaths;
  readonly #manifests = new Manifests();
  readonly #pages = new Map<string, Page>();
  readonly #files: SourceFile[] = [];

  constructor(paths: ReadonlySet<string>) {
    this.#paths = new TreePaths(paths);
  }

  take(file: SourceFile): void {
    const name = posix.basename(file.path);
    if (name === ".gitignore") this.#paths.ignore(file.text);
    else if (!MARKDOWN.test(name)) this.#manifests.take(file);
    else if (file.text.length > PAGE_CHARS_MAX) {
      this.skipped.push({ path: file.path, why: `longer than ${PAGE_CHARS_MAX} characters` });
    } else {
      this.#files.push(file);
      this.#pages.set(file.path, readMarkdown(file.text));
    }
  }

  see(file: SourceFile): void {
    this.take(file);
  }

  finish(): Found[] {
    return this.#files.flatMap((file) => {
      const page = this.#pages.get(file.path);
      return page === undefined ? [] : this.#review(file, page);
    });
  }

  #review(file: SourceFile, page: Page): Found[] {
    const lines = new SourceLines(file);
    const inTree = {
      path: file.path,
      page,
      paths: this.#paths,
      pages: this.#pages,
      manifests: this.#manifests,
    };
    const drifts = [
      ...checkCommands(inTree),
      ...checkLinks(inTree),
      ...checkMentions(inTree, (line) => lines.textOf(line)),
    ];
    return once(drifts)
      .slice(0, DRIFTS_MAX)
      .map(({ line, title, ...drift }) => ({
        ...drift,
        title: title.slice(0, 500),
        issue: drift.issue.slice(0, 2_000),
        fix: "Correct the document, or bring back what it refers to.",
        citations: [lines.cite(line)],
      }));
  }
}

/** The same thing is said once for each page, at its first place. */
function once(drifts: readonly Drift[]): Drift[] {
  const said = new Set<string>();
  return drifts.filter(({ title }) => !said.has(title) && said.add(title));
}
