import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { sha256Hex } from "./digest.ts";
import { SwornError } from "./error.ts";

/** Signs bytes with one key. The secret stays behind this function; nothing here can ask for it. */
export interface Signer {
  readonly key: string;
  readonly public: string;
  sign(bytes: Uint8Array): Buffer;
}

/** DER around a raw Ed25519 public key. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
/** 2^255 - 19, little endian: a y coordinate at or above it is a second spelling of another point. */
const FIELD_PRIME = Buffer.from(`ed${"ff".repeat(30)}7f`, "hex");
/**
 * The y coordinates of the points of order 1, 2, 4 and 8 (little endian, sign bit cleared). Under
 * such a key OpenSSL accepts one signature for every message.
 */
const SMALL_ORDER = new Set([
  "01".padEnd(64, "0"),
  "00".repeat(32),
  `ec${"ff".repeat(30)}7f`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
]);

/** Keys that were decoded before: a trace has few, and each entry and each checkpoint asks for one. */
const decoded = new Map<string, KeyObject>();
const DECODED_MAX = 256;

/** The id that belongs to a public key, and to no other. */
export function keyIdOf(publicText: string): string {
  return sha256Hex(Buffer.from(publicText, "base64")).slice(0, 32);
}

/**
 * Decodes a raw public key in base64.
 *
 * @throws SwornError `KEY_UNUSABLE` for a wrong length, a non-canonical encoding, or a small-order
 * point, under which anyone could sign.
 */
export function toPublicKey(publicText: string): KeyObject {
  const key = decoded.get(publicText) ?? decodePublicKey(publicText);
  if (decoded.size >= DECODED_MAX) decoded.clear();
  decoded.set(publicText, key);
  return key;
}

function decodePublicKey(publicText: string): KeyObject {
  const raw = Buffer.from(publicText, "base64");
  if (raw.length !== 32 || raw.toString("base64") !== publicText) {
    throw new SwornError("KEY_UNUSABLE", "expected 32 bytes of public key in padded base64");
  }
  const y = Buffer.from(raw);
  y[31] = (y[31] ?? 0) & 0x7f;
  if (Buffer.from(y).reverse().compare(Buffer.from(FIELD_PRIME).reverse()) >= 0) {
    throw new SwornError("KEY_UNUSABLE", "the public key is not in canonical form");
  }
  if (SMALL_ORDER.has(y.toString("hex"))) {
    throw new SwornError(
      "KEY_UNUSABLE",
      "the public key is a small-order point: anyone can sign for it",
    );
  }
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
}

/** What each key was found to have signed, by hash: the same checkpoint is looked at before every append. */
const signed = new WeakMap<KeyObject, Set<string>>();
const SIGNED_MAX = 1_024;

/** Whether this signature was made over these bytes. Never throws: bad bytes are a no. */
export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  const known = signed.get(key) ?? new Set();
  const asked = `${sha256Hex(bytes)} ${Buffer.from(signature).toString("base64")}`;
  if (known.has(asked)) return true;
  if (!isTrue(key, bytes, signature)) return false;
  if (known.size >= SIGNED_MAX) known.clear();
  signed.set(key, known.add(asked));
  return true;
}

function isTrue(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, bytes, key, signature);
  } catch {
    // Fail closed: OpenSSL throws on keys that decode to no point of the curve.
    return false;
  }
}
