import { realpathSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import {
  decodeUtf8,
  ensureFolder,
  messageOf,
  parseJson,
  readPlainFile,
  sha256Hex,
  writeFileDurably,
} from "../../base/index.ts";
import { Digest } from "../../schema/index.ts";
import type { Place } from "../place.ts";

const MEMORY_BYTES_MAX = 65_536;
const Memory = z.strictObject({ v: z.literal(1), path: z.string(), digest: Digest });

/** Whether a contract is the one that was made here: a team works in the folder that holds it. */
export type Standing =
  | { readonly kind: "unchanged" }
  /** Somebody else's, or from elsewhere: there is nothing to compare it with. */
  | { readonly kind: "unknown"; readonly warnings: readonly string[] }
  | { readonly kind: "changed"; readonly expected: string };

/** Remembers a contract outside the project, where its team has no business. */
export function rememberContract(place: Place, path: string, text: string): void {
  const memory = memoryOf(place, path);
  ensureFolder(join(place.state, "contracts"), 0o700);
  const document = { v: 1, path: realpathSync(path), digest: sha256Hex(text) };
  writeFileDurably(memory, `${JSON.stringify(document)}\n`, 0o600);
}

/** Compares a contract with what was remembered when it was made. */
export function standingOf(place: Place, path: string, digest: string): Standing {
  const memory = memoryOf(place, path);
  try {
    const text = decodeUtf8(readPlainFile(memory, MEMORY_BYTES_MAX, "refuse"));
    const { digest: expected } = Memory.parse(parseJson(text, MEMORY_BYTES_MAX));
    return expected === digest ? { kind: "unchanged" } : { kind: "changed", expected };
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    const warning = `whether the contract was changed is not known: ${messageOf(error)}`;
    return { kind: "unknown", warnings: isAbsent ? [] : [warning] };
  }
}

/** By the path, and not by anything in the contract: that is what may have been changed. */
function memoryOf(place: Place, path: string): string {
  return join(place.state, "contracts", `${sha256Hex(realpathSync(path))}.json`);
}
