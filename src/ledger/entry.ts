import { assert, canonicalize, type Signer, SwornError, sha256Hex } from "../base/index.ts";
import type { Entry, EventType } from "../schema/index.ts";
import { LINE_BYTES_MAX } from "../schema/limits.ts";

/** An entry before it is signed. */
export type UnsignedEntry<T extends EventType = EventType> = Omit<Entry<T>, "sig">;

/** An entry in the one spelling that is stored, hashed and chained. */
export interface SealedEntry {
  readonly seq: number;
  readonly line: string;
  /** SHA-256 of the line: the next entry's `prev`, and the leaf in the tree. */
  readonly hash: string;
}

/**
 * Signs an entry and gives its canonical line.
 *
 * @throws SwornError `LIMIT_EXCEEDED` when the line would be longer than a ledger accepts.
 */
export function sealEntry(entry: UnsignedEntry, signer: Signer): SealedEntry {
  assert(entry.actor.key === signer.key, "an entry is signed by the key it names");
  const unsigned = canonicalize(entry);
  const signature = signer.sign(Buffer.from(unsigned)).toString("base64");
  // In canonical order `sig` stands just before these three, so it is put in rather than sorted in.
  const tail = `,"trace":"${entry.trace}","type":"${entry.type}","v":${entry.v}}`;
  assert(unsigned.endsWith(tail), "trace, type and v end the canonical form");
  const line = `${unsigned.slice(0, -tail.length)},"sig":"${signature}"${tail}`;
  if (Buffer.byteLength(line) > LINE_BYTES_MAX) {
    throw new SwornError(
      "LIMIT_EXCEEDED",
      `entry ${entry.seq} (${entry.type}) is larger than ${LINE_BYTES_MAX} bytes; store its content as an artifact`,
    );
  }
  return { seq: entry.seq, line, hash: sha256Hex(line) };
}

/** The bytes a signature covers: the canonical line without its `sig` member. */
export function signedText(line: string, signature: string): string {
  const member = `,"sig":"${signature}"`;
  const at = line.lastIndexOf(member);
  assert(at >= 0, "a canonical entry line carries its signature");
  return line.slice(0, at) + line.slice(at + member.length);
}
