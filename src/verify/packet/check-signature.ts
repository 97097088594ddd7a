import { createHash } from "node:crypto";
import { dsseBytes, isSignedBy, keyIdOf, toPublicKey } from "../../base/index.ts";
import { Envelope, Statement } from "../../schema/in-toto.ts";

const KEY_TEXT = /^[A-Za-z0-9+/]{56}$/;
const SIGNATURE_TEXT = /^[A-Za-z0-9+/]{99}=$/;
const GLOBAL_TEXT = /^[A-Za-z0-9+/]{86}==$/;
const KEY_BYTES = 32;

/** The raw key behind minisign's spelling of it; undefined when it is none of ours. */
export function rawKeyOf(minisign: string): string | undefined {
  const bytes = Buffer.from(KEY_TEXT.test(minisign) ? minisign : "", "base64");
  if (bytes.length !== 2 + 8 + KEY_BYTES || bytes.toString("latin1", 0, 2) !== "Ed")
    return undefined;
  const key = bytes.subarray(10).toString("base64");
  const id = Buffer.from(keyIdOf(key), "hex").subarray(0, 8);
  return id.equals(bytes.subarray(2, 10)) ? key : undefined;
}

/** What is wrong with a detached signature in minisign's form; undefined when it is right. */
export function signatureProblem(text: string, signed: Buffer, rawKey: string): string | undefined {
  const lines = text.split("\n");
  const [untrusted = "", head = "", comment = "", whole = "", end] = lines;
  const trusted = comment.replace(/^trusted comment: /, "");
  const isForm =
    lines.length === 5 &&
    end === "" &&
    untrusted.startsWith("untrusted comment: ") &&
    trusted !== comment &&
    SIGNATURE_TEXT.test(head) &&
    GLOBAL_TEXT.test(whole);
  if (!isForm) return "it is no signature as minisign writes it";
  const bytes = Buffer.from(head, "base64");
  // One spelling: the id that leads the signature is the one that belongs to the key.
  const id = Buffer.from(keyIdOf(rawKey), "hex").subarray(0, 8);
  if (bytes.toString("latin1", 0, 2) !== "ED" || !bytes.subarray(2, 10).equals(id)) {
    return "it is by another key, or not over a hash";
  }
  const key = toPublicKey(rawKey);
  const signature = bytes.subarray(10);
  const digest = createHash("blake2b512").update(signed).digest();
  if (!isSignedBy(key, digest, signature)) return "it is not over these bytes";
  const both = Buffer.concat([signature, Buffer.from(trusted)]);
  return isSignedBy(key, both, Buffer.from(whole, "base64"))
    ? undefined
    : "its trusted comment was changed";
}

/** The statement in an envelope that this key signed, or in words why there is none. */
export function openEnvelope(value: unknown, rawKey: string): Statement | string {
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) return "it is no DSSE envelope as sworn writes it";
  const { payloadType, payload, signatures } = envelope.data;
  const bytes = Buffer.from(payload, "base64");
  const [only] = signatures;
  const signature = Buffer.from(only?.sig ?? "", "base64");
  const isOurs = only?.keyid === keyIdOf(rawKey);
  if (!isOurs || !isSignedBy(toPublicKey(rawKey), dsseBytes(payloadType, bytes), signature)) {
    return "its signature is not by the packet's key over this payload";
  }
  try {
    const statement = Statement.safeParse(JSON.parse(bytes.toString("utf8")));
    return statement.success ? statement.data : "its payload is no statement that sworn makes";
  } catch {
    // Fail closed: what cannot be read states nothing.
    return "its payload is no JSON";
  }
}
