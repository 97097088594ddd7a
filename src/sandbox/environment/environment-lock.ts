import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import {
  assert,
  canonicalize,
  decodeUtf8,
  parseJson,
  readPlainFile,
  SwornError,
  writeFileDurably,
} from "../../base/index.ts";
import { EnvironmentDigest } from "../../schema/execution.ts";
import { BUILDABLE } from "./recipe.ts";

const LOCK_BYTES_MAX = 64 << 20;
const Text = z.string().min(1).max(300);

export const InstalledPackage = z.strictObject({ name: Text, version: Text, architecture: Text });
export type InstalledPackage = z.infer<typeof InstalledPackage>;

/** One environment that was built here. */
export const LockedEnvironment = z.strictObject({
  name: z.enum(BUILDABLE),
  digest: EnvironmentDigest,
  packages: z.array(InstalledPackage).max(100_000),
  built_at: z.iso.datetime(),
  /** What stands for the content while nobody touched a file; see `sealRoot`. */
  seal: EnvironmentDigest,
});
export type LockedEnvironment = z.infer<typeof LockedEnvironment>;

/** The folder of all environments of a user. */
export const environmentsFolder = (state: string): string => join(state, "environments");

/** Where the files of an environment lie: its digest says which. */
export function rootFolder(state: string, digest: string): string {
  return join(folderOf(state, digest), "root");
}

/** Each has its own file, so that two builds at a time do not write over each other's. */
const lockPath = (state: string, { digest, name }: { digest: string; name: string }): string =>
  join(folderOf(state, digest), `${name}.lock.json`);

function folderOf(state: string, digest: string): string {
  return join(environmentsFolder(state), digest.replace("sha256:", ""));
}

/**
 * The environments that were built here, the latest last; none where nothing was built.
 *
 * @throws SwornError `STORE_UNREADABLE` when one is written down in a way that we do not write.
 */
export function readLocked(state: string): LockedEnvironment[] {
  const digests = namesIn(environmentsFolder(state)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  const all = digests.flatMap((digest) =>
    BUILDABLE.map((name) => readOne(lockPath(state, { digest, name }), `sha256:${digest}`)),
  );
  return all
    .filter((one) => one !== undefined)
    .sort((a, b) => (a.built_at < b.built_at ? -1 : a.built_at > b.built_at ? 1 : 0));
}

function readOne(path: string, digest: string): LockedEnvironment | undefined {
  try {
    const bytes = readPlainFile(path, LOCK_BYTES_MAX, "refuse");
    const locked = LockedEnvironment.parse(parseJson(decodeUtf8(bytes), LOCK_BYTES_MAX));
    assert(locked.digest === digest, "an environment is written down beside its files");
    return locked;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    const next = "remove the folder it is in and build the environment again";
    const message = `${path} does not say what was built; ${next}`;
    throw new SwornError("STORE_UNREADABLE", message, { cause });
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Writes an environment down beside its files. */
export function writeLocked(state: string, environment: LockedEnvironment): void {
  const path = lockPath(state, environment);
  writeFileDurably(path, `${canonicalize(LockedEnvironment.parse(environment))}\n`);
}
