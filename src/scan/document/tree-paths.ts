import { posix } from "node:path";
import { isVendored } from "../kind/index.ts";

/** Words that stand for a name of the reader's own. */
const STAND_IN =
  /(?:^|[/._-])(?:path\/to|your|my|foo|bar|baz|example|sample|placeholder|some|any|new|custom|xxx|name|filename|file|dirname|folder|dir|user|username|hostname|project|component|module|feature|yyyy|mm|dd|xyz|abc)(?:[/._-]|$)/i;
/** Signs that make a pattern or a template of a path. */
const PATTERN = /[*?<>{}$|[\]()%\\"'`,;!=~^]|\.\.\.|…/;
/** Most patterns that are read from one ignore file. */
const IGNORED_MAX = 1_000;

/** The paths of a tree, asked in the ways that documents write paths. */
export class TreePaths {
  readonly #files: ReadonlySet<string>;
  readonly #folders = new Set<string>([""]);
  readonly #byName = new Map<string, string[]>();
  readonly #ignored: string[] = [];

  constructor(files: ReadonlySet<string>) {
    this.#files = files;
    for (const file of files) {
      const name = posix.basename(file);
      const same = this.#byName.get(name);
      if (same) same.push(file);
      else this.#byName.set(name, [file]);
      for (let folder = parent(file); !this.#folders.has(folder); folder = parent(folder)) {
        this.#folders.add(folder);
      }
    }
  }

  /** Takes in what git leaves out: such files exist for a reader and not in the tree. */
  ignore(text: string): void {
    for (const line of text.split("\n", IGNORED_MAX)) {
      const pattern = line.trim().replace(/^\/|\/$/g, "");
      if (pattern !== "" && !/^[#!]/.test(pattern)) this.#ignored.push(pattern);
    }
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#folders.has(path);
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path);
  }

  /** Whether some file's path ends so, at the border of a folder. */
  hasEnding(path: string): boolean {
    const named = this.#byName.get(posix.basename(path)) ?? [];
    return named.some((file) => file === path || file.endsWith(`/${path}`));
  }

  /** A path that no tree needs to have: output, ignored, a pattern, a stand-in. */
  isElsewhere(path: string): boolean {
    if (PATTERN.test(path) || STAND_IN.test(path)) return true;
    if (
      isVendored(`${path}/x`) !== undefined ||
      /(?:^|\/)(?:dist|build|out|target|bin|tmp|generated|coverage)(?:\/|$)/.test(path)
    ) {
      return true;
    }
    return this.#ignored.some((pattern) => isIgnoredBy(pattern, path));
  }
}

function parent(path: string): string {
  const at = path.lastIndexOf("/");
  return at < 0 ? "" : path.slice(0, at);
}

/** A coarse reading of git's patterns: it may take too much for ignored, never too little that matters. */
function isIgnoredBy(pattern: string, path: string): boolean {
  if (pattern.startsWith("*") && !pattern.slice(1).includes("*"))
    return path.endsWith(pattern.slice(1));
  const fixed = pattern.split("*", 1)[0]?.replace(/\/$/, "") ?? "";
  if (fixed === "") return true;
  return (
    path === fixed ||
    path.startsWith(`${fixed}/`) ||
    `/${path}/`.includes(`/${fixed}/`) ||
    (pattern.includes("*") && path.startsWith(fixed))
  );
}

/** Resolves a path as written on a page; undefined where it leads out of the tree. */
export function resolveIn(folder: string, path: string): string | undefined {
  const whole = path.startsWith("/") ? path.slice(1) : posix.join(folder, path);
  const normal = posix.normalize(whole).replace(/\/$/, "");
  if (normal === ".." || normal.startsWith("../")) return undefined;
  return normal === "." ? "" : normal;
}
