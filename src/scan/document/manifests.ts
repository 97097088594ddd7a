import { posix } from "node:path";
import { parseJson } from "../../base/index.ts";
import type { SourceFile } from "../reviewer.ts";

const MANIFEST_BYTES_MAX = 1_000_000;
const MAKEFILE_CHARS_MAX = 1_000_000;

/** What a package.json lets a reader run. */
export interface PackageManifest {
  readonly name: string;
  readonly scripts: ReadonlySet<string>;
  /** The names of its commands; the package's own name where `bin` is one path. */
  readonly bins: ReadonlySet<string>;
  readonly isPrivate: boolean;
}

/** The targets of a makefile; undefined where they cannot be told without running make. */
export type MakeTargets = ReadonlySet<string> | undefined;

/** Reads a package.json; undefined for one that cannot be read, about which nothing is said. */
export function readPackage({ text }: SourceFile): PackageManifest | undefined {
  let value: unknown;
  try {
    value = parseJson(text, MANIFEST_BYTES_MAX);
  } catch {
    // Not this reviewer's subject: without a readable manifest no command can be judged.
    return undefined;
  }
  const manifest = asRecord(value);
  const name = typeof manifest["name"] === "string" ? manifest["name"] : "";
  const bin = manifest["bin"];
  const bins =
    typeof bin === "string" ? [name.replace(/^@[^/]{1,200}\//, "")] : Object.keys(asRecord(bin));
  return {
    name,
    scripts: new Set(Object.keys(asRecord(manifest["scripts"]))),
    bins: new Set(bins),
    isPrivate: manifest["private"] === true,
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

export function readMakefile({ text }: SourceFile): MakeTargets {
  // Included files, patterns and computed names can define any target.
  if (
    text.length > MAKEFILE_CHARS_MAX ||
    /^[ \t]{0,20}-?s?include\b|\$\(eval\b|^\.DEFAULT\s{0,5}:/m.test(text)
  ) {
    return undefined;
  }
  const targets = new Set<string>();
  for (const line of text.split("\n")) {
    const names = /^([^\t#:=\n][^#:=\n]{0,500}):(?!=)/.exec(line)?.[1];
    if (names === undefined) continue;
    if (/[%$]/.test(names)) return undefined;
    for (const name of names.trim().split(/\s+/)) targets.add(name);
  }
  return targets;
}

/** The manifests of a tree by folder. */
export class Manifests {
  readonly packages = new Map<string, PackageManifest>();
  readonly makefiles = new Map<string, MakeTargets>();

  take(file: SourceFile): void {
    const folder = posix.dirname(file.path).replace(/^\.$/, "");
    if (posix.basename(file.path) === "package.json") {
      const manifest = readPackage(file);
      if (manifest) this.packages.set(folder, manifest);
    } else this.makefiles.set(folder, readMakefile(file));
  }
}
