import { posix } from "node:path";
import { messageOf, SwornError } from "../../base/index.ts";
import { isVendored } from "../kind/index.ts";
import type { Found, SourceFile, TreeReading, TreeReviewer } from "../reviewer.ts";
import { checkAgainstLock, checkPackages } from "./check-lockfile.ts";
import { checkLock, checkManifest } from "./check-package.ts";
import { type Manifest, packageManifest } from "./declared.ts";
import { type Lockfile, PACKAGES_MAX } from "./lockfile.ts";
import { checkNames } from "./lookalike.ts";
import { type JsonFile, readJson } from "./manifest.ts";
import { npmLockfile } from "./npm-lock.ts";
import { readPnpmLock } from "./pnpm-lock.ts";
import { readPipfileLock, readTomlLock } from "./python-lock.ts";
import { pythonManifest } from "./python-manifest.ts";
import { checkRequirements } from "./requirements.ts";
import { readYarnLock } from "./yarn-lock.ts";

const LOCK_READERS: Readonly<Record<string, (file: SourceFile) => Lockfile>> = {
  "yarn.lock": readYarnLock,
  "pnpm-lock.yaml": readPnpmLock,
  "poetry.lock": readTomlLock,
  "uv.lock": readTomlLock,
  "Pipfile.lock": readPipfileLock,
};
const COVERED =
  /(?:^|\/)(?:package(?:-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|pyproject\.toml|requirements(?:[-_.][\w-]{1,40})?\.txt)$/;

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
  readsLockfiles: true,
  covers,
  context: covers,
  start: () => new Reading(),
};

function covers(path: string): boolean {
  return COVERED.test(path) && isVendored(path) === undefined;
}

class Reading implements DependencyReading {
  readonly skipped: { path: string; why: string }[] = [];
  /** Said once in a report: an empty list of findings is no clean bill. */
  readonly notChecked = ["known vulnerabilities of packages: no database of them is used"];
  readonly #packages = new Map<string, JsonFile>();
  readonly #packageLocks = new Map<string, JsonFile>();
  readonly #manifests: Manifest[] = [];
  readonly #locks: Lockfile[] = [];
  readonly #requirements: SourceFile[] = [];

  take(file: SourceFile): void {
    try {
      this.#read(file);
    } catch (error) {
      // Unread is not clean: the reader of the report is told.
      this.skipped.push({ path: file.path, why: messageOf(error) });
    }
  }

  see(file: SourceFile): void {
    this.take(file);
  }

  finish(): Found[] {
    return [
      ...[...this.#packages].flatMap(([folder, json]) =>
        checkManifest(json, this.#packageLocks.get(folder)),
      ),
      ...[...this.#packageLocks].flatMap(([folder, lock]) => [
        ...checkLock(lock, this.#packages.get(folder)),
        ...checkPackages(npmLockfile(lock)),
      ]),
      ...this.#manifests.flatMap((manifest) => [
        ...checkNames(manifest),
        ...this.#locksFor(manifest).flatMap((lock) => checkAgainstLock(manifest, lock)),
      ]),
      ...this.#locks.flatMap(checkPackages),
      ...this.#requirements.flatMap(checkRequirements),
    ];
  }

  #read(file: SourceFile): void {
    const name = posix.basename(file.path);
    const folder = folderOf(file.path);
    const readLock = LOCK_READERS[name];
    if (readLock) this.#locks.push(bounded(readLock(file)));
    else if (name === "package-lock.json") this.#packageLocks.set(folder, readJson(file));
    else if (name === "package.json") {
      const json = readJson(file);
      this.#packages.set(folder, json);
      this.#manifests.push(packageManifest(json));
    } else if (name.endsWith(".txt")) this.#requirements.push(file);
    else this.#manifests.push(pythonManifest(file));
  }

  #locksFor({ path, ecosystem }: Manifest): Lockfile[] {
    return this.#locks.filter(
      (lock) => lock.ecosystem === ecosystem && folderOf(lock.path) === folderOf(path),
    );
  }
}

const folderOf = (path: string) => posix.dirname(path).replace(/^\.$/, "");

function bounded(lock: Lockfile): Lockfile {
  if (lock.packages.length <= PACKAGES_MAX) return lock;
  throw new SwornError("LIMIT_EXCEEDED", `it locks over ${PACKAGES_MAX} packages`);
}
