import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/index.ts";
import { readDpkgStatus } from "./debian.ts";
import { readGoSum } from "./go-sum.ts";
import { readNpmLock } from "./npm.ts";
import { readDistInfo, readRequirements } from "./python.ts";
import type { SbomPackage } from "./sbom-package.ts";
import { readCargoLock, readPythonLock } from "./toml-lock.ts";

const READERS: ReadonlyMap<string, (text: string) => SbomPackage[]> = new Map([
  ["package-lock.json", readNpmLock],
  ["npm-shrinkwrap.json", readNpmLock],
  ["Cargo.lock", readCargoLock],
  ["poetry.lock", readPythonLock],
  ["uv.lock", readPythonLock],
  ["go.sum", readGoSum],
]);
/** Requirements have many names: `requirements-dev.txt`, `requirements/base.txt`, `constraints.txt`. */
const REQUIREMENTS =
  /(?:^|\/)(?:(?:requirements|constraints)(?:[-_.][\w.-]{1,100})?|requirements\/[^/]{1,200})\.txt$/;

function readerOf(path: string) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return READERS.get(name) ?? (REQUIREMENTS.test(path) ? readRequirements : undefined);
}

/** Whether a file is a lockfile that can be read here. */
export function isLockfilePath(path: string): boolean {
  return readerOf(path) !== undefined;
}

/** Lockfiles that nobody here reads: what they pin is not known. */
const UNREAD = new Set([
  ..."yarn.lock pnpm-lock.yaml bun.lock bun.lockb Pipfile.lock pdm.lock Gemfile.lock".split(" "),
  ..."composer.lock gradle.lockfile packages.lock.json mix.lock pubspec.lock Podfile.lock".split(
    " ",
  ),
]);

/** Whether a file pins packages that cannot be listed here. */
export function isUnreadLockfile(path: string): boolean {
  return UNREAD.has(path.slice(path.lastIndexOf("/") + 1));
}

/**
 * The packages that a lockfile pins.
 *
 * @throws SwornError when it cannot be read: a list that silently lacks a lockfile would lie.
 */
export function packagesOfLockfile(path: string, text: string): SbomPackage[] {
  return readerOf(path)?.(text) ?? [];
}

const STATUS_BYTES_MAX = 67_108_864;
const COPYRIGHT_BYTES_MAX = 1_048_576;
const METADATA_BYTES_MAX = 1_048_576;

/**
 * The packages in a root of Debian's making: what dpkg knows, and what pip put beside it.
 *
 * @throws what reading the package database throws: without it there is no list.
 */
export function packagesOfRoot(root: string): SbomPackage[] {
  const status = readPlainFile(join(root, "var/lib/dpkg/status"), STATUS_BYTES_MAX);
  const deb = readDpkgStatus(status.toString("utf8"), (name) => copyrightOf(root, name));
  return [...deb, ...pythonPackages(root)];
}

/** Packages of one source share a folder, by a link that names its neighbour. */
function copyrightOf(root: string, name: string): string | undefined {
  const docs = join(root, "usr/share/doc");
  const neighbour = linkTarget(join(docs, name));
  // A link to anywhere else would be followed from the machine's root and not from this one.
  if (neighbour !== undefined && !/^[a-z0-9][a-z0-9.+-]{1,200}$/.test(neighbour)) return undefined;
  return textIn(join(docs, neighbour ?? name, "copyright"), COPYRIGHT_BYTES_MAX);
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or nothing there: both are usual.
    return undefined;
  }
}

function textIn(path: string, bytesMax: number): string | undefined {
  try {
    return readPlainFile(path, bytesMax, "refuse").toString("utf8");
  } catch {
    // Nothing said is what the list will say.
    return undefined;
  }
}

const PYTHON_FOLDERS = /^(?:dist|site)-packages$/;

function pythonPackages(root: string): SbomPackage[] {
  const libraries = [join(root, "usr/lib"), join(root, "usr/local/lib")];
  const folders = libraries.flatMap((library) =>
    namesIn(library)
      .filter((name) => /^python3(?:\.\d{1,3})?$/.test(name))
      .flatMap((name) => namesIn(join(library, name)).map((inner) => join(library, name, inner)))
      .filter((path) => PYTHON_FOLDERS.test(path.slice(path.lastIndexOf("/") + 1))),
  );
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((name) => name.endsWith(".dist-info"))
      .flatMap((name) => {
        const metadata = textIn(join(folder, name, "METADATA"), METADATA_BYTES_MAX);
        return metadata === undefined ? [] : (readDistInfo(metadata) ?? []);
      }),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    // Most roots have no such folder.
    return [];
  }
}
