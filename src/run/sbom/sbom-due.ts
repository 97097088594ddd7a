import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sidecarBytes, sidecarPathOf } from "../../scan/classify/index.ts";
import type { Classification } from "../../schema/manifest.ts";

/** What lists of parts were already made for. */
export interface SbomSeen {
  readonly environments: ReadonlySet<string>;
  /** The hash of each lockfile when its list was made, by path. */
  readonly lockfiles: ReadonlyMap<string, string>;
}

/**
 * Why a list of parts is due: the environment was never listed, or a lockfile is new or changed.
 * Undefined when the last list still tells the truth. A lockfile that is gone takes packages away,
 * so that the old list only says too much.
 */
export function whySbomDue(
  seen: SbomSeen,
  environmentDigest: string,
  lockfiles: ReadonlyMap<string, string>,
): string | undefined {
  if (!seen.environments.has(environmentDigest)) {
    return `${environmentDigest} is seen for the first time`;
  }
  for (const [path, sha256] of lockfiles) {
    const before = seen.lockfiles.get(path);
    if (before === undefined) return `the lockfile ${path} is new`;
    if (before !== sha256) return `the lockfile ${path} changed`;
  }
  return undefined;
}

/** Whether a list of parts has to be made. */
export function isSbomDue(
  seen: SbomSeen,
  environmentDigest: string,
  lockfiles: ReadonlyMap<string, string>,
): boolean {
  return whySbomDue(seen, environmentDigest, lockfiles) !== undefined;
}

/** The file's name: a digest's colon is no character for file names. */
export function sbomName(environmentDigest: string): string {
  return `SBOM-${environmentDigest.replace(":", "-")}.spdx.json`;
}

/** Leaves a list of parts and its classification among the copies of the output. */
export function leaveSbom(
  folder: string,
  environmentDigest: string,
  document: Uint8Array,
  classification: Classification = "internal",
): string {
  const name = sbomName(environmentDigest);
  // Never over a file of the task's that has this name.
  writeFileSync(join(folder, name), document, { flag: "wx" });
  const sidecar = sidecarBytes({ classification, pii: false });
  writeFileSync(join(folder, sidecarPathOf(name)), sidecar, { flag: "wx" });
  return name;
}
