import { posix } from "node:path";
import { messageOf } from "../../base/index.ts";
import { isVendored } from "../kind/index.ts";
import type { Found, SourceFile, TreeReading, TreeReviewer } from "../reviewer.ts";
import { checkLock, checkManifest } from "./check-package.ts";
import { type JsonFile, readJson } from "./manifest.ts";
import { checkRequirements } from "./requirements.ts";

/** What this reviewer cannot know; a report that shows its findings shows these lines too. */
export const notChecked: readonly string[] = [
  "known vulnerabilities: not checked, no database of them is available offline",
  "yarn.lock, pnpm-lock.yaml, poetry.lock and package-lock.json before version 2: not read",
];

/** A reading that also says which files it could not read. */
export interface DependencyReading extends TreeReading {
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  finish(): Found[];
}

/** Compares manifests with lockfiles, and lists what a lockfile tells about packages. */
export const dependency: Omit<TreeReviewer, "start"> & { start(): DependencyReading } = {
  name: "dependency",
  role: "compares manifests with lockfiles; known vulnerabilities are not checked",
  prefix: "DEP",
  covers: (path) =>
    isVendored(path) === undefined &&
    /(?:^|\/)(?:package(?:-lock)?\.json|requirements(?:[-_.][\w-]{1,40})?\.txt)$/.test(path),
  start: () => new Reading(),
};

class Reading implements DependencyReading {
  readonly skipped: { path: string; why: string }[] = [];
  readonly #manifests = new Map<string, JsonFile>();
  readonly #locks = new Map<string, JsonFile>();
  readonly #requirements: SourceFile[] = [];

  take(file: SourceFile): void {
    const folder = posix.dirname(file.path).replace(/^\.$/, "");
    if (file.path.endsWith(".txt")) {
      this.#requirements.push(file);
      return;
    }
    try {
      const isLock = file.path.endsWith("package-lock.json");
      (isLock ? this.#locks : this.#manifests).set(folder, readJson(file));
    } catch (error) {
      // Unread is not clean: the reader of the report is told.
      this.skipped.push({ path: file.path, why: messageOf(error) });
    }
  }

  finish(): Found[] {
    const found = [...this.#manifests].flatMap(([folder, manifest]) =>
      checkManifest(manifest, this.#locks.get(folder)),
    );
    const locks = [...this.#locks].flatMap(([folder, lock]) =>
      checkLock(lock, this.#manifests.get(folder)),
    );
    return [...found, ...locks, ...this.#requirements.flatMap(checkRequirements)];
  }
}
