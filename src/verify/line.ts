import type { KeyObject } from "node:crypto";
import { canonicalize, decodeUtf8, isSignedBy, messageOf, toPublicKey } from "../base/index.ts";
import { signedText } from "../ledger/index.ts";
import type { FailureCode } from "../schema/index.ts";
import { LINE_BYTES_MAX } from "../schema/limits.ts";

/** What is wrong with one line taken by itself. */
export interface LineProblem {
  readonly code: FailureCode;
  readonly message: string;
}

export const TOO_LONG: LineProblem = {
  code: "SCHEMA_INVALID",
  message: `it is longer than ${LINE_BYTES_MAX} bytes`,
};

/** Public keys by id. An id is the hash of its key, so a wrong key cannot be slipped in under it. */
export class KeyTable {
  readonly #keys = new Map<string, KeyObject>();

  add(id: string, publicText: string): void {
    try {
      this.#keys.set(id, toPublicKey(publicText));
    } catch {
      // An unusable key stays unknown, so nothing signed with it verifies.
    }
  }

  get(id: string): KeyObject | undefined {
    return this.#keys.get(id);
  }
}

/** The lines of a piece of a ledger; the newline that ends the last one is not a line. */
export function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

/**
 * What can be judged about a line without its neighbours and without knowing what entries look
 * like: that it is the one canonical spelling of something, signed by the key it names.
 */
export function checkLine(bytes: Buffer, keys: KeyTable): LineProblem | undefined {
  if (bytes.length > LINE_BYTES_MAX) return TOO_LONG;
  let line: string;
  let value: unknown;
  try {
    line = decodeUtf8(bytes);
    value = JSON.parse(line);
  } catch (error) {
    return problem("SCHEMA_INVALID", `it is not a line of JSON: ${messageOf(error)}`);
  }
  return checkSpelling(line, value) ?? checkSignature(line, value as SignedLine | null, keys);
}

/** One spelling per entry: this also catches keys given twice, odd escapes, spaces and lone surrogates. */
function checkSpelling(line: string, value: unknown): LineProblem | undefined {
  try {
    if (canonicalize(value) === line) return undefined;
    return problem("HASH_MISMATCH", "its bytes are not the canonical form of what it says");
  } catch (error) {
    return problem("HASH_MISMATCH", messageOf(error));
  }
}

/** As much of an entry as a signature check needs; nothing about it is known yet. */
interface SignedLine {
  readonly actor?: { readonly agent?: unknown; readonly key?: unknown } | null;
  readonly sig?: unknown;
}

function checkSignature(
  line: string,
  value: SignedLine | null,
  keys: KeyTable,
): LineProblem | undefined {
  const sig = value?.sig;
  if (sig === undefined) return problem("SIG_MISSING", "it is not signed");
  const id = shown(value?.actor?.key);
  const key = keys.get(id);
  if (!key) return unknownKey(id);
  return typeof sig === "string" && isSignature(line, sig, key)
    ? undefined
    : problem(
        "SIG_INVALID",
        `it was not signed as it stands by ${shown(value?.actor?.agent)} (key ${id})`,
      );
}

/** Base64 has spare bits at its end; only one spelling counts. */
function isSignature(line: string, sig: string, key: KeyObject): boolean {
  const bytes = Buffer.from(sig, "base64");
  return (
    bytes.toString("base64") === sig && isSignedBy(key, Buffer.from(signedText(line, sig)), bytes)
  );
}

/** The key was not enrolled by this entry or an earlier one. */
export function unknownKey(id: string): LineProblem {
  return problem("KEY_UNKNOWN", `its key ${id} was not enrolled before it`);
}

function problem(code: FailureCode, message: string): LineProblem {
  return { code, message };
}

/** Something of unknown kind in a message; an object's own toString is not asked. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}
