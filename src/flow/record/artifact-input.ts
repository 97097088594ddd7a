import { closeSync, fstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { messageOf, openPlainFile, SwornError } from "../../base/index.ts";
import { ArtifactRef, type RequestedArtifact } from "../../schema/index.ts";
import type { Place } from "../place.ts";

/**
 * Stores what a request brings along, so that its entry can cite it. Files are taken only from
 * below the given folders: a script must not be able to have a private key recorded as evidence.
 *
 * @throws SwornError `INPUT_INVALID`, `PATH_ESCAPES`, `NOT_FOUND`, or what storing throws.
 */
export function storeArtifacts(
  place: Place,
  requested: readonly RequestedArtifact[],
  roots: readonly string[],
): ArtifactRef[] {
  return place.artifacts.together(() => requested.map((one) => storeRequested(place, one, roots)));
}

function storeRequested(
  place: Place,
  request: RequestedArtifact,
  roots: readonly string[],
): ArtifactRef {
  const stored = storeOne(place, request, roots);
  const mediaType =
    request.media_type ?? (request.text === undefined ? "application/octet-stream" : "text/plain");
  const name = request.name === undefined ? {} : { name: request.name };
  const parsed = ArtifactRef.safeParse({ ...stored, media_type: mediaType, ...name });
  if (parsed.success) return parsed.data;
  throw new SwornError(
    "INPUT_INVALID",
    `artifacts: ${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`,
  );
}

function storeOne(place: Place, { text, path }: RequestedArtifact, roots: readonly string[]) {
  if (text !== undefined && path === undefined) {
    if (!text.isWellFormed())
      throw new SwornError("INPUT_INVALID", "artifacts: text has a lone surrogate");
    return place.artifacts.put(Buffer.from(text));
  }
  if (path === undefined || text !== undefined) {
    throw new SwornError("INPUT_INVALID", 'artifacts: expected exactly one of "text" and "path"');
  }
  const fd = openBelow(path, roots, place);
  try {
    return place.artifacts.putOpenFile(fd);
  } finally {
    closeSync(fd);
  }
}

function openBelow(path: string, roots: readonly string[], place: Place): number {
  const folders = [...new Set(roots)];
  const found = folders.flatMap((root) => realpathOrNothing(resolve(root, path)) ?? []);
  const real = found.find((candidate) =>
    folders.some((root) => isBelow(realpathSync(root), candidate)),
  );
  if (real !== undefined) return openOpenly(real, path, place);
  const where = folders.join(" or ");
  throw found.length === 0
    ? new SwornError("NOT_FOUND", `artifacts: there is no file ${path} below ${where}`)
    : new SwornError(
        "PATH_ESCAPES",
        `artifacts: ${path} lies outside ${where}; name its folder with --artifacts-from`,
      );
}

function openOpenly(real: string, shown: string, place: Place): number {
  const fd = openResolved(real, shown);
  if (!isSecret(fd, real, place)) return fd;
  closeSync(fd);
  throw new SwornError(
    "PATH_ESCAPES",
    `artifacts: ${shown} belongs to the state directory, where private keys lie; it is never recorded`,
  );
}

function openResolved(real: string, shown: string): number {
  try {
    // The resolved path has no links; one that was put there meanwhile is refused.
    return openPlainFile(real, "refuse");
  } catch (cause) {
    if (cause instanceof SwornError)
      throw new SwornError("INPUT_INVALID", `artifacts: ${shown} is not a file`, { cause });
    throw new SwornError("NOT_FOUND", `artifacts: ${shown} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Whether an open file lies in the state directory, or is a key under another name (a hard link). */
function isSecret(fd: number, real: string, { state, keyFolder }: Place): boolean {
  const stateFolder = realpathOrNothing(state);
  if (stateFolder !== undefined && isBelow(stateFolder, real)) return true;
  const { dev, ino, nlink } = fstatSync(fd);
  if (nlink === 1 || realpathOrNothing(keyFolder) === undefined) return false;
  return readdirSync(keyFolder).some((name) => {
    const key = statSync(join(keyFolder, name), { throwIfNoEntry: false });
    return key?.dev === dev && key.ino === ino;
  });
}

function realpathOrNothing(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
