import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
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
  ensureFolder(join(place.state, "contracts"), 0o700);
  for (const name of namesOf(path)) {
    const document = { v: 1, path: name, digest: sha256Hex(text) };
    writeFileDurably(memoryOf(place, name), `${JSON.stringify(document)}\n`, 0o600);
  }
}

/** Compares a contract with what was remembered when it was made. */
export function standingOf(place: Place, path: string, digest: string): Standing {
  const standings = namesOf(path).map((name) => standingAt(memoryOf(place, name), digest));
  const known = standings.filter(({ kind }) => kind !== "unknown");
  return (
    known.find(({ kind }) => kind === "changed") ??
    known[0] ??
    standings[0] ?? { kind: "unknown", warnings: [] }
  );
}

function standingAt(memory: string, digest: string): Standing {
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

/**
 * The file as it is called and as it lies. A team that moves its folder and leaves a link in its
 * place changes the one; a person who goes to it by another way changes the other.
 */
function namesOf(path: string): string[] {
  return [...new Set([resolve(path), realpathSync(path)])];
}

/** By the path, and not by anything in the contract: that is what may have been changed. */
function memoryOf(place: Place, name: string): string {
  return join(place.state, "contracts", `${sha256Hex(name)}.json`);
}
