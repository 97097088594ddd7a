import { SwornError, sha256Hex } from "../../base/index.ts";
import type { Place } from "../place.ts";

/**
 * The text of a stored artifact, held against its name.
 *
 * @throws SwornError `LEDGER_CORRUPT` when it is missing or is something else.
 */
export function readArtifactText({ artifacts }: Place, hash: string): string {
  const bytes = artifacts.has(hash) ? Buffer.concat([...artifacts.read(hash)]) : undefined;
  if (bytes !== undefined && sha256Hex(bytes) === hash) return bytes.toString();
  const what = bytes === undefined ? "is missing" : "is not as it was recorded";
  throw new SwornError("LEDGER_CORRUPT", `the artifact ${hash} ${what}; see "sworn trace fsck"`);
}
