import { canonicalize, isSignedBy, keyIdOf, type Signer, toPublicKey } from "../base/index.ts";
import { PolicySeal } from "../schema/admission.ts";

/** Goes in front of what is signed, so that a seal passes for nothing else and nothing else for a seal. */
const PURPOSE = "sworn policy seal v1\n";

/** What a seal is about. */
interface Sealed {
  readonly task: string;
  /** SHA-256 of the manifest's bytes. */
  readonly manifest: string;
  readonly policy_digest: string;
}

/** Signs for a run that was let through; whether it was is for the caller to have decided. */
export function sealManifest(signer: Signer, about: Sealed): PolicySeal {
  const { task, manifest, policy_digest } = about;
  const content = { v: 1 as const, task, manifest, policy_digest, key: signer.key };
  return { ...content, sig: signer.sign(signedBytes(content)).toString("base64") };
}

/** Whether this is the seal of that manifest by the holder of that public key. Never throws. */
export function isSealOf(
  seal: unknown,
  about: Pick<Sealed, "task" | "manifest">,
  publicText: string,
): boolean {
  const parsed = PolicySeal.safeParse(seal);
  if (!parsed.success) return false;
  const { sig, ...content } = parsed.data;
  if (content.task !== about.task || content.manifest !== about.manifest) return false;
  try {
    const isItsKey = content.key === keyIdOf(publicText);
    const signature = Buffer.from(sig, "base64");
    return isItsKey && isSignedBy(toPublicKey(publicText), signedBytes(content), signature);
  } catch {
    // Fail closed: a key that cannot be used has signed nothing.
    return false;
  }
}

function signedBytes(content: Omit<PolicySeal, "sig">): Buffer {
  return Buffer.from(PURPOSE + canonicalize(content));
}
