import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { posix } from "node:path";
import { SwornError } from "../base/index.ts";
import type { MountFacts, MountKind } from "../schema/admission.ts";
import {
  allBeneath,
  type Beneath,
  isAtOrBelow,
  isRemoteAt,
  type MountedAt,
  parseMountInfo,
} from "./remote-mounts.ts";
import { type SecretPlace, secretPlaces } from "./secret-places.ts";
import { secretAbove, secretBelow } from "./secret-search.ts";

/** A mount as somebody asks for it; the source may be a link. */
export interface AskedMount {
  readonly source: string;
  readonly target: string;
  readonly isWritable: boolean;
  readonly kind: MountKind;
}

/** What is known of the machine that mounts are looked at on. */
export interface Surroundings {
  /** The homes of people whose secrets must stay out. */
  readonly homes: readonly string[];
  /** Where the runtime keeps its own keys and heads. */
  readonly state: string;
  /** The folder in it that holds nothing but workspaces of runs, if there is one. */
  readonly runs?: string;
  /** `/proc/self/mountinfo`, or another text of that form. */
  readonly mountInfo?: string;
}

/**
 * Looks at each mount where it really is: links are followed first, and the facts carry the
 * resolved source, which is what an engine must then mount.
 *
 * @throws SwornError `NOT_FOUND` when a source is not there.
 */
export function factsOfMounts(
  mounts: readonly AskedMount[],
  surroundings: Surroundings,
): MountFacts[] {
  const places = resolvedPlaces(surroundings);
  const mounted = parseMountInfo(surroundings.mountInfo ?? readMountInfo());
  const lying = places.map((place) => ({ place, own: allBeneath(place.path, mounted ?? [])[0] }));
  return mounts.map(({ source, target, isWritable, kind }) => {
    const resolved = resolveSource(source);
    return {
      source: resolved,
      target: posix.normalize(target),
      writable: isWritable,
      kind,
      secret:
        secretOf(resolved, kind, places, surroundings) ??
        secretBeneath(resolved, lying, mounted ?? []) ??
        null,
      remote: isRemote(resolved, mounted),
      owner: statSync(resolved).uid,
    };
  });
}

/** Fail closed: where the kernel's list cannot be read, nobody knows that a folder is local. */
function isRemote(path: string, mounted: readonly MountedAt[] | undefined): boolean {
  return mounted === undefined || isRemoteAt(path, mounted);
}

function readMountInfo(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    // Read as no list, which makes every mount remote.
    return "";
  }
}

function resolveSource(source: string): string {
  try {
    return realpathSync.native(source);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `the mount source ${source} is not there`, { cause });
  }
}

/** Secret places under both names, the written and the resolved one: `/var/run` is a link in most systems. */
function resolvedPlaces({ homes, state }: Surroundings): SecretPlace[] {
  const all = [
    { path: state, what: "the runtime's own keys" },
    ...secretPlaces([...new Set([...homes, ...homes.map(realpathOr)])]),
  ];
  return all.flatMap(({ path, what }) => {
    const resolved = realpathOr(path);
    return resolved === path
      ? [{ path, what }]
      : [
          { path, what },
          { path: resolved, what },
        ];
  });
}

function realpathOr(path: string): string {
  // Most are not there, and asking that takes a fraction of an error.
  if (!existsSync(path)) return path;
  try {
    return realpathSync.native(path);
  } catch {
    // It is not there now; it may be there by the time the task runs.
    return path;
  }
}

function secretOf(
  path: string,
  kind: MountKind,
  places: readonly SecretPlace[],
  { state, runs }: Surroundings,
): string | undefined {
  const isOwnRun =
    runs !== undefined && isAtOrBelow(path, realpathOr(runs)) && path !== realpathOr(runs);
  const states = [state, realpathOr(state)];
  for (const place of places) {
    if (isOwnRun && states.includes(place.path)) continue;
    if (isAtOrBelow(path, place.path)) return `it lies in ${place.path} (${place.what})`;
    if (isAtOrBelow(place.path, path)) return `it holds ${place.path} (${place.what})`;
  }
  return secretAbove(path) ?? (kind === "system" ? undefined : secretBelow(path));
}

/** A secret place, and where it lies whatever path it is seen under. */
interface LyingPlace {
  readonly place: SecretPlace;
  readonly own: Beneath | undefined;
}

/** The same place under another path: a bind mount shows it where no name gives it away. */
function secretBeneath(
  path: string,
  places: readonly LyingPlace[],
  mounted: readonly MountedAt[],
): string | undefined {
  const seen = allBeneath(path, mounted).filter(({ device }) => device !== "");
  const isSeen = ({ own }: LyingPlace): boolean =>
    seen.some(
      ({ device, path: at }) =>
        device === own?.device && (isAtOrBelow(at, own.path) || isAtOrBelow(own.path, at)),
    );
  const shown = places.find((one) => !isAtOrBelow(path, one.place.path) && isSeen(one))?.place;
  return shown && `it shows ${shown.path} (${shown.what}) under another path`;
}
