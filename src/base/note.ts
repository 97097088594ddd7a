import { sha256 } from "./digest.ts";
import { SwornError } from "./error.ts";
import { isSignedBy, type Signer, toPublicKey } from "./signature.ts";

/** The signature type byte of Ed25519 in C2SP signed notes. */
const ED25519 = 0x01;
const NOTE_BYTES_MAX = 65_536;

/** By Unicode's own word for a space: what \s means differs from language to language. */
const SIGNATURE_LINE = /^— ([^\p{White_Space}+]+) ([A-Za-z0-9+/]+=*)$/u;

/** Who may sign a note: a name and a raw public key in base64. */
export interface NoteKey {
  readonly name: string;
  readonly public: string;
}

/** A note whose signature by the asked-for key was checked. */
export interface OpenedNote {
  readonly text: string;
}

/** Hashes of the keys that were asked for; a process signs with very few. */
const keyHashes = new Map<string, Buffer>();
const KEY_HASHES_MAX = 100;

/** Four bytes that tell keys apart inside a note (C2SP signed-note). */
function noteKeyHash(noteKey: NoteKey): Buffer {
  const id = `${noteKey.name}\n${noteKey.public}`;
  const known = keyHashes.get(id);
  if (known) return known;
  const hash = computeKeyHash(noteKey);
  // Verifying many strangers' records must not fill the memory.
  if (keyHashes.size < KEY_HASHES_MAX) keyHashes.set(id, hash);
  return hash;
}

function computeKeyHash({ name, public: publicText }: NoteKey): Buffer {
  const key = Buffer.concat([Buffer.from([ED25519]), Buffer.from(publicText, "base64")]);
  return sha256(Buffer.concat([Buffer.from(`${name}\n`), key])).subarray(0, 4);
}

/** The public form of a key that note tools read: `name+hash+key`. */
export function toVerifierKey(key: NoteKey): string {
  const bytes = Buffer.concat([Buffer.from([ED25519]), Buffer.from(key.public, "base64")]);
  return `${key.name}+${noteKeyHash(key).toString("hex")}+${bytes.toString("base64")}`;
}

/**
 * Reads `name+hash+key`.
 *
 * @throws SwornError `INPUT_INVALID` when the three parts do not belong together.
 */
export function parseVerifierKey(text: string): NoteKey {
  const match = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  const bytes = Buffer.from(match?.[3] ?? "", "base64");
  const key = { name: match?.[1] ?? "", public: bytes.subarray(1).toString("base64") };
  // Comparing with the one spelling also refuses spare base64 characters and a hash of another key.
  if (bytes.length !== 33 || toVerifierKey(key) !== text.trim()) {
    throw new SwornError(
      "INPUT_INVALID",
      `expected a verifier key "name+hash+base64", found "${text.trim()}"`,
    );
  }
  return key;
}

/** Signs text into a C2SP signed note with one signature. */
export function signNote(text: string, name: string, signer: Signer): string {
  const hash = noteKeyHash({ name, public: signer.public });
  const signature = Buffer.concat([hash, signer.sign(Buffer.from(text))]).toString("base64");
  return `${text}\n— ${name} ${signature}\n`;
}

/**
 * Opens a note that must carry a valid signature by `key`. Signatures of unknown keys (cosigners)
 * are passed over, as the format asks; a bad signature by the known key is never passed over.
 *
 * @throws SwornError `INPUT_INVALID`.
 */
export function openNote(note: string, key: NoteKey): OpenedNote {
  const { text, signatures } = splitNote(note);
  const hash = noteKeyHash(key);
  const publicKey = toPublicKey(key.public);
  let opened = false;
  for (const { name, bytes } of signatures) {
    if (name !== key.name || !bytes.subarray(0, 4).equals(hash)) continue;
    if (!isSignedBy(publicKey, Buffer.from(text), bytes.subarray(4))) {
      throw new SwornError("INPUT_INVALID", `the signature of ${key.name} on the note is wrong`);
    }
    opened = true;
  }
  if (!opened) throw new SwornError("INPUT_INVALID", `the note is not signed by ${key.name}`);
  return { text };
}

/**
 * The text of a note that none of these keys claims to have signed; undefined when one of them
 * does, or when it is no note. Nothing is verified: this is what a note by a key that we do not
 * know says of itself.
 */
export function textOfStranger(note: string, known: readonly NoteKey[]): string | undefined {
  try {
    const { text, signatures } = splitNote(note);
    const isKnown = signatures.some(({ bytes }) =>
      known.some((key) => bytes.subarray(0, 4).equals(noteKeyHash(key))),
    );
    return isKnown ? undefined : text;
  } catch {
    return undefined;
  }
}

function splitNote(note: string) {
  const at = note.lastIndexOf("\n\n");
  if (at < 0 || !note.endsWith("\n") || note.length > NOTE_BYTES_MAX) {
    throw new SwornError(
      "INPUT_INVALID",
      "not a signed note: expected text, a blank line, signatures",
    );
  }
  const lines = note.slice(at + 2, -1).split("\n");
  const signatures = lines.map((line) => {
    const match = SIGNATURE_LINE.exec(line);
    const bytes = Buffer.from(match?.[2] ?? "", "base64");
    // Comparing with the re-encoding closes the spare bits of base64: one spelling per signature.
    if (!match?.[1] || bytes.length < 5 || bytes.toString("base64") !== match[2]) {
      throw new SwornError("INPUT_INVALID", `not a note signature: "${line}"`);
    }
    return { name: match[1], bytes };
  });
  return { text: note.slice(0, at + 1), signatures };
}
