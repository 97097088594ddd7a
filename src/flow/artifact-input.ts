import { closeSync, constants, fstatSync, openSync, realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ArtifactStore } from "../artifact/index.ts";
import { messageOf, SwornError } from "../base/index.ts";
import { ArtifactRef, type RequestedArtifact } from "../schema/index.ts";

/**
 * Stores what a request brings along, so that its entry can cite it. Files are taken only from
 * below the given folders: a script must not be able to have a private key recorded as evidence.
 *
 * @throws SwornError `INPUT_INVALID`, `PATH_ESCAPES`, `NOT_FOUND`, or what storing throws.
 */
export function storeArtifacts(
  store: ArtifactStore,
  requested: readonly RequestedArtifact[],
  roots: readonly string[],
): ArtifactRef[] {
  return requested.map((request) => {
    const stored = storeOne(store, request, roots);
    const mediaType =
      request.media_type ??
      (request.text === undefined ? "application/octet-stream" : "text/plain");
    const name = request.name === undefined ? {} : { name: request.name };
    const parsed = ArtifactRef.safeParse({ ...stored, media_type: mediaType, ...name });
    if (parsed.success) return parsed.data;
    throw new SwornError(
      "INPUT_INVALID",
      `artifacts: ${parsed.error.issues[0]?.path.join(".")}: ${parsed.error.issues[0]?.message}`,
    );
  });
}

function storeOne(
  store: ArtifactStore,
  { text, path }: RequestedArtifact,
  roots: readonly string[],
) {
  if (text !== undefined && path === undefined) {
    if (!text.isWellFormed())
      throw new SwornError("INPUT_INVALID", "artifacts: text has a lone surrogate");
    return store.put(Buffer.from(text));
  }
  if (path === undefined || text !== undefined) {
    throw new SwornError("INPUT_INVALID", 'artifacts: expected exactly one of "text" and "path"');
  }
  const fd = openBelow(path, roots);
  try {
    return store.putOpenFile(fd);
  } finally {
    closeSync(fd);
  }
}

function openBelow(path: string, roots: readonly string[]): number {
  const folders = [...new Set(roots)];
  const found = folders.flatMap((root) => realpathOrNothing(resolve(root, path)) ?? []);
  const real = found.find((candidate) =>
    folders.some((root) => isBelow(realpathSync(root), candidate)),
  );
  if (real !== undefined) return openPlainFile(real, path);
  const where = folders.join(" or ");
  throw found.length === 0
    ? new SwornError("NOT_FOUND", `artifacts: there is no file ${path} below ${where}`)
    : new SwornError(
        "PATH_ESCAPES",
        `artifacts: ${path} lies outside ${where}; name its folder with --artifacts-from`,
      );
}

function openPlainFile(real: string, shown: string): number {
  try {
    // The resolved path has no links; NOFOLLOW refuses one that was put there meanwhile.
    const fd = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
  } catch (cause) {
    throw new SwornError("NOT_FOUND", `artifacts: ${shown} cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
  throw new SwornError("INPUT_INVALID", `artifacts: ${shown} is not a file`);
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
