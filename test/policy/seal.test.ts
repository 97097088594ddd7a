import { join } from "node:path";
import { expect, test } from "vitest";
import { isSealOf } from "../../src/admit/index.ts";
import { sha256Hex } from "../../src/base/index.ts";
import { sealRun } from "../../src/flow/policy-seal.ts";
import { Keyring } from "../../src/keyring/index.ts";
import { loadPolicies } from "../../src/policy/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { completeFacts, NOW } from "./facts.ts";

const manifest = sha256Hex("the manifest");
const about = { task: "t1", manifest };

function newKeyring(): Keyring {
  const folder = join(temporaryFolder(), "keys");
  return new Keyring(folder, { clock: () => NOW, passphrase: () => undefined });
}

async function sealed(facts = completeFacts(), keyring = newKeyring()) {
  const policies = await loadPolicies();
  return sealRun({ facts, manifest, policies, exceptions: [], clock: () => NOW, keyring });
}

test("a run that may complete has its manifest signed by the key of the policy engine", async () => {
  const keyring = newKeyring();
  const { decision, seal } = await sealed(completeFacts(), keyring);
  const key = keyring.current("policy");
  expect(decision.decision).toBe("allow");
  expect(seal).toMatchObject({ ...about, policy_digest: decision.policy_digest, key: key?.key });
  expect(isSealOf(seal, about, key?.public ?? "")).toBe(true);
});

test("a run that is refused is not signed, and makes no key", async () => {
  const keyring = newKeyring();
  const { output, ...facts } = completeFacts();
  const leaking = { ...facts, output: { ...output, secret_files: [".env"] } };
  const { decision, seal } = await sealed(leaking, keyring);
  expect(decision).toMatchObject({ decision: "deny", matched: ["W.2"] });
  expect(seal).toBeUndefined();
  expect(keyring.current("policy")).toBeUndefined();
});

test("facts of a start are never sealed", async () => {
  const start = { ...completeFacts(), moment: "start" } as never;
  await expect(sealed(start)).rejects.toThrow(/what is sealed has run/);
});

test("a seal is for one manifest, one task, one set of policies, and by one key", async () => {
  const keyring = newKeyring();
  const { seal } = await sealed(completeFacts(), keyring);
  const publicText = keyring.current("policy")?.public ?? "";
  expect(isSealOf(seal, about, publicText)).toBe(true);
  expect(isSealOf(seal, { ...about, manifest: sha256Hex("another") }, publicText)).toBe(false);
  expect(isSealOf(seal, { ...about, task: "t2" }, publicText)).toBe(false);
  const other = sha256Hex("other policies");
  expect(isSealOf({ ...seal, policy_digest: other }, about, publicText)).toBe(false);
  expect(isSealOf({ ...seal, manifest: other }, { ...about, manifest: other }, publicText)).toBe(
    false,
  );
  expect(isSealOf({ ...seal, task: "t2" }, { ...about, task: "t2" }, publicText)).toBe(false);
  const stranger = await newKeyring().ensure("policy");
  expect(isSealOf(seal, about, stranger.public)).toBe(false);
  for (const odd of [
    undefined,
    {},
    { ...seal, v: 2 },
    { ...seal, extra: 1 },
    { ...seal, sig: "AA==" },
  ]) {
    expect(isSealOf(odd, about, publicText)).toBe(false);
  }
  expect(isSealOf(seal, about, "no key")).toBe(false);
});

test("a signature over the same content without its purpose is no seal", async () => {
  const keyring = newKeyring();
  const { seal } = await sealed(completeFacts(), keyring);
  const signer = await keyring.signer("policy", seal?.key ?? "");
  const { sig: _, ...content } = seal ?? { sig: "" };
  const bare = signer?.sign(Buffer.from(JSON.stringify(content))).toString("base64");
  expect(isSealOf({ ...content, sig: bare }, about, signer?.public ?? "")).toBe(false);
});
