import type { KeyObject } from "node:crypto";
import {
  canonicalize,
  decodeUtf8,
  isSignedBy,
  messageOf,
  sha256,
  toPublicKey,
} from "../base/index.ts";
import { signedText } from "../ledger/index.ts";
import { Entry, type FailureCode, LINE_BYTES_MAX } from "../schema/index.ts";

/** What is wrong with one line taken by itself. */
export interface LineProblem {
  readonly code: FailureCode;
  readonly message: string;
}

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

/** SHA-256 of a line as it stands. */
export function lineHash(line: Buffer): Buffer {
  return sha256(line);
}

/**
 * Everything that can be judged about a line without its neighbours: that it is the one canonical
 * spelling of a well-formed entry, signed by the key it names.
 */
export function checkLine(bytes: Buffer, keys: KeyTable): LineProblem | undefined {
  if (bytes.length > LINE_BYTES_MAX)
    return problem("SCHEMA_INVALID", `it is longer than ${LINE_BYTES_MAX} bytes`);
  let line: string;
  let value: unknown;
  try {
    line = decodeUtf8(bytes);
    value = JSON.parse(line);
  } catch (error) {
    return problem("SCHEMA_INVALID", `it is not a line of JSON: ${messageOf(error)}`);
  }
  return checkSpelling(line, value) ?? checkEntry(line, value, keys);
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

function checkEntry(line: string, value: unknown, keys: KeyTable): LineProblem | undefined {
  if (typeof value === "object" && value !== null && !("sig" in value)) {
    return problem("SIG_MISSING", "it is not signed");
  }
  const parsed = Entry.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return problem("SCHEMA_INVALID", `${issue?.path.join(".") || "entry"}: ${issue?.message}`);
  }
  const { actor, sig } = parsed.data;
  const key = keys.get(actor.key);
  if (!key) return problem("KEY_UNKNOWN", `its key ${actor.key} was never enrolled`);
  return isSignedBy(key, Buffer.from(signedText(line, sig)), Buffer.from(sig, "base64")) &&
    isTidyBase64(sig)
    ? undefined
    : problem("SIG_INVALID", `it was not signed as it stands by ${actor.agent} (key ${actor.key})`);
}

/** Base64 has spare bits at its end; only one spelling counts. */
function isTidyBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}

function problem(code: FailureCode, message: string): LineProblem {
  return { code, message };
}
