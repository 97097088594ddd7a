import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile, SwornError } from "../../base/index.ts";
import type { Place } from "../place.ts";

/** What is read of a manifest at most. */
export const MANIFEST_BYTES_MAX = 256 * (1 << 20);

/**
 * The trace of the run that is meant: by its id, as `latest`, or by a copy of its manifest. The
 * latest trace may well be a delivery, so here the word means the latest run.
 *
 * @throws SwornError `NOT_FOUND` when it is no run of this project.
 */
export function findRunTrace(place: Place, wanted: string): string {
  const isFile = statSync(wanted, { throwIfNoEntry: false })?.isFile() === true;
  if (wanted !== "latest" && !isFile) return place.find(wanted);
  const runs = place.traces().filter((id) => existsSync(manifestPath(place, id)));
  const trace = wanted === "latest" ? newest(place, runs) : withManifest(place, runs, wanted);
  if (trace !== undefined) return trace;
  const what = wanted === "latest" ? "there is no run" : `${wanted} is the manifest of no run`;
  throw new SwornError("NOT_FOUND", `${what} in ${place.store}`);
}

function newest(place: Place, runs: readonly string[]): string | undefined {
  const madeAt = (id: string) => statSync(manifestPath(place, id)).mtimeMs;
  return runs.toSorted((a, b) => madeAt(a) - madeAt(b)).at(-1);
}

function withManifest(place: Place, runs: readonly string[], path: string): string | undefined {
  const bytes = readPlainFile(path, MANIFEST_BYTES_MAX);
  return runs.find((id) => isSameManifest(place, id, bytes));
}

function isSameManifest(place: Place, trace: string, bytes: Buffer): boolean {
  const path = manifestPath(place, trace);
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size === bytes.length && readPlainFile(path, MANIFEST_BYTES_MAX).equals(bytes);
}

/** Where the manifest of a run lies, beside its trace. */
export function manifestPath(place: Place, trace: string): string {
  return join(place.store, "runs", trace, "manifest.json");
}
