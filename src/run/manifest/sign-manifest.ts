import {
  canonicalize,
  decodeUtf8,
  messageOf,
  openNote,
  parseJson,
  type Signer,
  sha256Hex,
  signNote,
} from "../../base/index.ts";
import { Manifest } from "../../schema/manifest.ts";

/** The name under which the policy engine signs; its key is its own. */
const SIGNER_NAME = "sworn-policy";
/** The first line of what is signed: a signature over anything else is none over a manifest. */
const HEADING = "sworn manifest v1";
const MANIFEST_BYTES_MAX = 268_435_456;

/** The one byte sequence of a manifest (RFC 8785). */
export function manifestBytes(manifest: Manifest): Buffer {
  return Buffer.from(canonicalize(manifest));
}

/** SHA-256 of the manifest's bytes; what is signed and cited. */
export function manifestDigest(manifest: Manifest): string {
  return sha256Hex(manifestBytes(manifest));
}

/** Signs a manifest's digest as a C2SP note with the key of the policy engine. */
export function signManifest(digest: string, signer: Signer): string {
  return signNote(textOf(digest), SIGNER_NAME, signer);
}

function textOf(digest: string): string {
  return `${HEADING}\nsha256:${digest}\n`;
}

/** The answer to whether a manifest is what the policy engine signed. */
export type ManifestVerdict =
  | { readonly isValid: true; readonly manifest: Manifest; readonly digest: string }
  | { readonly isValid: false; readonly reason: string };

/**
 * Checks a manifest as it is stored: one spelling, the right shape, no contradiction in itself, and
 * a signature over its digest by this key. Never throws: whatever is wrong is a no with its reason.
 */
export function verifyManifest(
  bytes: Uint8Array,
  note: string,
  publicKey: string,
): ManifestVerdict {
  try {
    const parsed = Manifest.safeParse(parseJson(decodeUtf8(bytes), MANIFEST_BYTES_MAX));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return invalid(`${issue?.path.join(".")}: ${issue?.message}`);
    }
    if (!manifestBytes(parsed.data).equals(bytes)) {
      return invalid("it is not in canonical form (RFC 8785)");
    }
    const digest = sha256Hex(bytes);
    const { text } = openNote(note, { name: SIGNER_NAME, public: publicKey });
    return text === textOf(digest)
      ? { isValid: true, manifest: parsed.data, digest }
      : invalid(`the signature is over something else than sha256:${digest}`);
  } catch (error) {
    // Fail closed: no UTF-8, no JSON, no note, no key.
    return invalid(messageOf(error));
  }
}

function invalid(reason: string): ManifestVerdict {
  return { isValid: false, reason };
}

/** What a decision record or a timeline shows of a run; the digest leads to the rest. */
export function summaryOf(manifest: Manifest) {
  const { task_id, environment, exit, output, egress_used, classification, pii } = manifest;
  return {
    task_id,
    manifest_sha256: manifestDigest(manifest),
    environment: environment.digest,
    exit,
    files: output.length,
    bytes: output.reduce((total, { bytes }) => total + bytes, 0),
    egress_used,
    classification,
    pii,
  };
}
