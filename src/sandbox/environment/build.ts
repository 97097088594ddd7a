import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Clock, ensureFolder, SwornError, syncFolder, systemClock } from "../../base/index.ts";
import { isOwnerGone, ownerOf } from "../run-owner.ts";
import { installedPackages } from "./dpkg-status.ts";
import {
  environmentsFolder,
  type LockedEnvironment,
  rootFolder,
  writeLocked,
} from "./environment-lock.ts";
import { finishRoot } from "./finish-root.ts";
import { type Installer, installPackages } from "./install-packages.ts";
import { digestRoot, sealRoot } from "./listing.ts";
import { type Buildable, packagesOf } from "./recipe.ts";

/** Begins the name of a folder that a build works in; whose it is follows. */
const WORK_PREFIX = ".build.";

/** How an environment is built. */
export interface BuildOptions {
  /** The user's state folder. */
  readonly state: string;
  /** What installs the packages; mmdebstrap unless a test has something smaller. */
  readonly install?: Installer;
  readonly clock?: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: string) => void) | undefined;
  readonly proxy?: Readonly<Record<string, string>> | undefined;
}

/**
 * Builds an environment from packages and writes down its digest. It stands in its place only when
 * it is whole; what a build that was cut short left behind goes with the next one.
 *
 * @throws SwornError `SANDBOX_REFUSED`, `SANDBOX_FAILED`.
 */
export async function buildEnvironment(
  name: Buildable,
  options: BuildOptions,
): Promise<LockedEnvironment> {
  const all = environmentsFolder(options.state);
  ensureFolder(all);
  clearBuilds(all);
  const work = mkdtempSync(join(all, `${WORK_PREFIX}${ownerOf().replaceAll("/", ".")}.`));
  try {
    return await buildIn(work, name, options);
  } finally {
    removeTree(work);
  }
}

async function buildIn(
  work: string,
  name: Buildable,
  options: BuildOptions,
): Promise<LockedEnvironment> {
  const { state, install = installPackages, clock = systemClock, signal, onStep, proxy } = options;
  const root = join(work, "root");
  const begunMs = clock();
  await install({ root, work, packages: packagesOf(name), signal, onStep, proxy });
  onStep?.("taking out what differs from build to build");
  finishRoot(root, begunMs);
  const onFiles = (count: number): void => onStep?.(`hashing file ${count}`);
  const digest = await digestRoot(root, { signal, onFiles });
  const place = await putInPlace(root, rootFolder(state, digest), digest);
  const environment: LockedEnvironment = {
    name,
    digest,
    packages: installedPackages(place),
    built_at: new Date(clock()).toISOString(),
    seal: await sealRoot(place, { signal }),
  };
  writeLocked(state, environment);
  return environment;
}

/**
 * Moves a finished root to where its digest belongs. One that is there already and still sound may
 * be in use and stays; one that was changed makes room.
 */
async function putInPlace(root: string, place: string, digest: string): Promise<string> {
  const folder = join(place, "..");
  ensureFolder(folder);
  if (existsSync(place)) {
    if ((await digestRoot(place)) === digest) return place;
    renameSync(place, `${root}.old`);
  }
  renameSync(root, place);
  syncFolder(folder);
  return place;
}

/** Removes the work of builders that are gone. */
function clearBuilds(all: string): void {
  for (const name of readdirSync(all).filter((one) => one.startsWith(WORK_PREFIX))) {
    const owner = name.slice(WORK_PREFIX.length).split(".").slice(0, -1).join("/");
    if (isOwnerGone(owner)) removeTree(join(all, name));
  }
}

/**
 * Removes a tree that a builder worked in, unless something is mounted in it: what lies behind a
 * mount is the machine's own, its devices for example.
 */
function removeTree(folder: string): void {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const inside = mounts.map((line) => line.split(" ")[4] ?? "").find((at) => at.startsWith(folder));
  if (inside !== undefined) {
    throw new SwornError("SANDBOX_FAILED", `${inside} is mounted; unmount it and build again`);
  }
  rmSync(folder, { recursive: true, force: true });
}
