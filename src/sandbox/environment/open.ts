import { existsSync } from "node:fs";
import { SwornError } from "../../base/index.ts";
import { EnvironmentDigest } from "../../schema/execution.ts";
import { type LockedEnvironment, readLocked, rootFolder, writeLocked } from "./environment-lock.ts";
import { digestRoot, type ListingOptions, sealRoot } from "./listing.ts";
import { isBuildable } from "./recipe.ts";

/** How an environment is looked at before it is used. */
export interface OpenOptions extends ListingOptions {
  /** Reads every file, instead of trusting the seal while it holds. */
  readonly isThorough?: boolean | undefined;
}

/** An environment whose files are what its digest says. */
export interface OpenedEnvironment {
  readonly environment: LockedEnvironment;
  /** The folder that becomes a task's root. */
  readonly root: string;
}

/**
 * Finds an environment by its digest or its plain name, which the lock file turns into the digest of
 * the latest build, and makes sure that its files are the ones that were built.
 *
 * @throws SwornError `SANDBOX_REFUSED` for a tag, `NOT_FOUND` when it was never built,
 * `ENVIRONMENT_CHANGED` when a file is not as it was.
 */
export async function openEnvironment(
  state: string,
  reference: string,
  options: OpenOptions = {},
): Promise<OpenedEnvironment> {
  const environment = findEnvironment(state, reference);
  const root = rootFolder(state, environment.digest);
  if (!existsSync(root)) throw changed(environment, `its files are gone from ${root}`);
  const seal = await sealRoot(root, options);
  if (seal === environment.seal && !options.isThorough) return { environment, root };
  // A seal breaks when a backup is played back, too: the content decides.
  const digest = await digestRoot(root, options);
  if (digest !== environment.digest) throw changed(environment, `its files give ${digest}`);
  if (seal !== environment.seal) writeLocked(state, { ...environment, seal });
  return { environment: { ...environment, seal }, root };
}

function findEnvironment(state: string, reference: string): LockedEnvironment {
  const isDigest = EnvironmentDigest.safeParse(reference).success;
  if (!isDigest && !isBuildable(reference)) throw refusedName(reference);
  const found = readLocked(state).findLast(({ name, digest }) =>
    isDigest ? digest === reference : name === reference,
  );
  if (found !== undefined) return found;
  const next = isDigest ? "build it again" : `run "sworn env build ${reference}"`;
  throw new SwornError("NOT_FOUND", `the environment ${reference} was not built here; ${next}`);
}

function refusedName(reference: string): SwornError {
  const shown = JSON.stringify(reference.slice(0, 200));
  const expected =
    "expected a digest (sha256: and 64 hexadecimal digits) or the name of an environment";
  const why = "a tag can point somewhere else tomorrow";
  return new SwornError(
    "SANDBOX_REFUSED",
    `the environment ${shown} is refused: ${expected}; ${why}`,
  );
}

function changed({ name, digest }: LockedEnvironment, found: string): SwornError {
  const message = `the environment ${name} is not what was built: expected ${digest}, ${found}`;
  const next = `run "sworn env build ${name}"`;
  return new SwornError("ENVIRONMENT_CHANGED", `${message}; ${next}`);
}
