import { assert, keyIdOf, type Signer } from "../../base/index.ts";

/** Eight bytes that tell keys apart; ours are the beginning of the key's own hash. */
const KEY_ID_BYTES = 8;
/** The algorithm of a key, and that of a signature over a file's BLAKE2b-512. */
const KEY_ALGORITHM = "Ed";
const PREHASHED = "ED";
const DIGEST_BYTES = 64;

/** A public key on one line, as `minisign -P` takes it. */
export function toMinisignKey(publicText: string): string {
  const key = Buffer.from(publicText, "base64");
  return Buffer.concat([Buffer.from(KEY_ALGORITHM), keyBytesOf(publicText), key]).toString(
    "base64",
  );
}

/** A public key as the file that `minisign -p` takes. */
export function toMinisignKeyFile(publicText: string): string {
  const name = Buffer.from(keyBytesOf(publicText)).reverse().toString("hex").toUpperCase();
  return `untrusted comment: minisign public key ${name}\n${toMinisignKey(publicText)}\n`;
}

/**
 * A detached signature as minisign writes it, over the BLAKE2b-512 of a file. The trusted comment is
 * signed too, together with the signature, so that neither can be moved to another file.
 */
export function signDetached(signer: Signer, digest: Uint8Array, trusted: string): string {
  assert(digest.length === DIGEST_BYTES, "a prehashed signature is over 64 bytes of BLAKE2b");
  assert(isOneLine(trusted), "a line break would end the comment before its signature");
  const signature = signer.sign(digest);
  const whole = signer.sign(Buffer.concat([signature, Buffer.from(trusted)]));
  const head = Buffer.concat([Buffer.from(PREHASHED), keyBytesOf(signer.public), signature]);
  return [
    "untrusted comment: signature of a delivery by sworn",
    head.toString("base64"),
    `trusted comment: ${trusted}`,
    whole.toString("base64"),
    "",
  ].join("\n");
}

function keyBytesOf(publicText: string): Buffer {
  return Buffer.from(keyIdOf(publicText), "hex").subarray(0, KEY_ID_BYTES);
}

function isOneLine(text: string): boolean {
  return !/[\r\n\0]/.test(text);
}
