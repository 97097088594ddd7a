import { admit, sealManifest } from "../admit/index.ts";
import { assert, type Clock } from "../base/index.ts";
import type { Keyring } from "../keyring/index.ts";
import type { Policies } from "../policy/index.ts";
import type { AdmissionDecision, AdmissionFacts, PolicySeal } from "../schema/admission.ts";

/** Whose key signs manifests, and nothing else. */
export const POLICY_AGENT = "policy";

/**
 * Decides whether a run counts as done and, only where it does, signs its manifest's hash. A run that
 * is refused leaves no seal behind, so that nothing can pass for one that was let through.
 *
 * @throws SwornError when the key cannot be used; nothing is sealed then.
 */
export async function sealRun(run: {
  readonly facts: Extract<AdmissionFacts, { moment: "complete" }>;
  /** SHA-256 of the manifest's bytes. */
  readonly manifest: string;
  readonly policies: Policies;
  readonly exceptions: readonly unknown[];
  readonly clock: Clock;
  readonly keyring: Keyring;
}): Promise<{ decision: AdmissionDecision; seal: PolicySeal | undefined }> {
  const { facts, manifest, policies, exceptions, clock, keyring } = run;
  assert(facts.moment === "complete", "what is sealed has run");
  const decision = await admit(facts, policies, exceptions, clock);
  if (decision.decision !== "allow") return { decision, seal: undefined };
  const { key } = await keyring.ensure(POLICY_AGENT);
  const signer = await keyring.signer(POLICY_AGENT, key);
  assert(signer, "a current key has a signer");
  const { policy_digest } = decision;
  return { decision, seal: sealManifest(signer, { task: facts.task, manifest, policy_digest }) };
}
