import { join } from "node:path";
import { ensureFolder, writeFileDurably } from "../../base/index.ts";
import { manifestBytes, manifestDigest, signManifest } from "../../run/manifest/index.ts";
import type { Manifest } from "../../schema/manifest.ts";
import type { Place } from "../place.ts";
import { signerOf } from "../record/draft.ts";
import { POLICY } from "./exec-record.ts";

/** The policy engine's word that a run counts. */
export async function signRun(place: Place, manifest: Manifest): Promise<string> {
  const { key } = await place.keyring.ensure(POLICY.agent);
  return signManifest(manifestDigest(manifest), await signerOf(place, POLICY.agent, key));
}

/** Puts a manifest beside its trace, for people and for a later repetition. */
export function keepManifest(
  place: Place,
  trace: string,
  manifest: Manifest,
  note: string | undefined,
): string {
  const folder = join(place.store, "runs", trace);
  ensureFolder(folder);
  const path = join(folder, "manifest.json");
  writeFileDurably(path, manifestBytes(manifest));
  if (note !== undefined) writeFileDurably(join(folder, "manifest.note"), note);
  return path;
}
