import { createHash } from "node:crypto";
import { decodeUtf8, SwornError } from "../../base/index.ts";
import type { Entry } from "../../schema/index.ts";
import type { Place } from "../place.ts";

/** The hash of what an entry carries under a name or hash, or cites as evidence by its hash. */
export function findArtifact(entry: Entry, wanted: string): string {
  const carried = entry.artifacts.find(({ name, hash }) => name === wanted || hash === wanted);
  if (carried) return carried.hash;
  const cited = "evidence" in entry.body ? (entry.body.evidence ?? []) : [];
  if (cited.includes(wanted)) return wanted;
  const known = [...entry.artifacts.map(({ name, hash }) => name ?? hash), ...cited];
  const has = known.length === 0 ? "none" : known.join(", ");
  throw new SwornError(
    "NOT_FOUND",
    `entry ${entry.seq} has no artifact "${wanted}": expected a name or a hash, it has ${has}`,
  );
}

/**
 * The bytes behind a hash, looked at before the first of them is handed out.
 *
 * @throws SwornError `NOT_FOUND`, `STORE_UNREADABLE` when they are not the ones that were recorded.
 */
export function soundBytes(place: Place, hash: string): Iterable<Buffer> {
  if (!place.artifacts.has(hash)) {
    const next = 'put it back from a backup; "sworn trace fsck" names all that are missing';
    const what = `the artifact ${hash} is cited but not in ${place.store}`;
    throw new SwornError("NOT_FOUND", `${what}; ${next}`);
  }
  const found = createHash("sha256");
  for (const chunk of place.artifacts.read(hash)) found.update(chunk);
  if (found.digest("hex") !== hash) {
    throw new SwornError(
      "STORE_UNREADABLE",
      `the stored bytes of artifact ${hash} are not the ones that were recorded; run "sworn trace fsck"`,
    );
  }
  return place.artifacts.read(hash);
}

/** The same as text. @throws SwornError also when they are none. */
export function soundText(place: Place, hash: string): string {
  return decodeUtf8(Buffer.concat([...soundBytes(place, hash)]));
}
