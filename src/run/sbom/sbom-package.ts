import { SwornError } from "../../base/index.ts";

/** Where a package comes from, as package URLs name it. */
export type Ecosystem = "deb" | "npm" | "pypi" | "cargo" | "golang";

/** One package that a run could use, as its package manager names it. */
export interface SbomPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Undefined where nothing pins one. */
  readonly version: string | undefined;
  /** As found, in whatever spelling; undefined where nobody says. */
  readonly licence: string | undefined;
  /** Of the one file that the package manager would fetch. */
  readonly checksum?: { readonly algorithm: ChecksumAlgorithm; readonly hex: string };
  readonly architecture?: string;
}

export type ChecksumAlgorithm = "SHA1" | "SHA256" | "SHA384" | "SHA512";

/** A lockfile or a package database of this size is nobody's. */
const SOURCE_CHARS_MAX = 67_108_864;
const PACKAGES_MAX = 200_000;
const NAME_CHARS_MAX = 500;

/** @throws SwornError `LIMIT_EXCEEDED`: a list that is cut would claim to be whole. */
export function assertReadable(text: string, what: string): void {
  if (text.length > SOURCE_CHARS_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `${what} has ${text.length} characters, expected at most ${SOURCE_CHARS_MAX}`,
    );
  }
}

/** @throws SwornError `LIMIT_EXCEEDED`. */
export function assertCountable(packages: readonly SbomPackage[], what: string): void {
  if (packages.length > PACKAGES_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `${what} lists more than ${PACKAGES_MAX} packages`);
  }
}

/** A name as a package manager accepts it; anything else in its place is no package. */
export function isName(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && /^[@A-Za-z0-9][\w.+~/@-]*$/.test(name);
}

/** The package's URL: the one name that all tools agree on. */
export function purlOf({ ecosystem, name, version, architecture }: SbomPackage): string {
  const parts = name.split("/").map((part) => encodeURIComponent(part));
  const path = ecosystem === "deb" ? ["debian", ...parts] : parts;
  const at = version === undefined ? "" : `@${encodeURIComponent(version)}`;
  const arch = architecture === undefined ? "" : `?arch=${encodeURIComponent(architecture)}`;
  return `pkg:${ecosystem}/${path.join("/")}${at}${arch}`;
}
