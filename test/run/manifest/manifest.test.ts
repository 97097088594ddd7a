import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { canonicalize, keyIdOf, type Signer, sha256Hex } from "../../../src/base/index.ts";
import {
  makeManifest,
  manifestBytes,
  manifestDigest,
  signManifest,
  summaryOf,
  verifyManifest,
} from "../../../src/run/manifest/index.ts";
import { drawn, githubToken } from "../../scan/secret/tokens.ts";
import { verifies } from "../../verifies.ts";
import { OUTPUT, record } from "./record.ts";

function signer(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  return { key: keyIdOf(raw), public: raw, sign: (bytes) => sign(null, bytes, privateKey) };
}

verifies(
  ["004-46", "004-55"],
  "a manifest says what ran, in what, with what, and what came out",
  () => {
    const egress = {
      lines: [
        {
          domain: "registry.example.org",
          method: "GET",
          requests: 3,
          refused: 0,
          bytes_in: 900,
          bytes_out: 200,
        },
      ],
      logSha256: "f".repeat(64),
    };
    expect(makeManifest(record({ egress }))).toEqual({
      v: 1,
      task_id: "build-1",
      environment: {
        name: "node",
        digest: `sha256:${"a".repeat(64)}`,
        reference: "built from Debian packages",
      },
      engine: "bwrap",
      container_id: "sworn-01J8",
      install: null,
      argv: ["npm", "test"],
      cwd: "/workspace/input",
      env: [
        { name: "LANG", value: "C.UTF-8" },
        { name: "TZ", value: "UTC" },
        { name: "WORKSPACE_ROOT", value: "/workspace" },
      ],
      input: { commit: "b".repeat(40), tree: "c".repeat(40), sha256: "d".repeat(64) },
      output: [OUTPUT("a"), OUTPUT("b")],
      refused: [],
      started: { wall: "2023-11-14T22:13:20.000Z", monotonic_us: 5_000_000 },
      ended: { wall: "2023-11-14T22:13:29.500Z", monotonic_us: 14_500_000 },
      limits: record().limits,
      controls: [
        { name: "network", holds: true, seen: "no interface but lo, and that one is down" },
      ],
      seed: "42",
      source_date_epoch: 1_699_999_999,
      locale: "C.UTF-8",
      timezone: "UTC",
      egress_used: "pull-only",
      egress: { lines: egress.lines, log_sha256: "f".repeat(64) },
      policy: { digest: "e".repeat(64), decision: "allow", matched: ["N-network"], exceptions: [] },
      sbom: null,
      classification: "internal",
      pii: false,
      exit: { code: 0, signal: null, limit: null },
    });
    expect(makeManifest(record()).egress_used).toBe(false);
  },
);

test("a secret in the command or a variable does not get into the manifest", () => {
  const token = githubToken();
  const password = drawn(14);
  const manifest = makeManifest(
    record({
      argv: ["curl", `--header=X: ${token}`],
      env: { DB_PASSWORD: password, NOTE: token, API_KEY_FILE: "/run/key", TOKENS_MAX: "5" },
    }),
  );
  expect(manifest.argv).toEqual(["curl", "--header=X: [REDACTED:github-token]"]);
  expect(manifest.env).toEqual([
    { name: "API_KEY_FILE", withheld: true },
    { name: "DB_PASSWORD", withheld: true },
    { name: "NOTE", withheld: true },
    { name: "TOKENS_MAX", value: "5" },
  ]);
  expect(canonicalize(manifest)).not.toContain(password);
});

test("the whole is as strict as its strictest file", () => {
  const output = [
    OUTPUT("a"),
    { ...OUTPUT("b"), classification: "restricted" as const, pii: true },
  ];
  expect(makeManifest(record({ output }))).toMatchObject({
    classification: "restricted",
    pii: true,
  });
  expect(makeManifest(record({ output: [], baseline: "public" })).classification).toBe("public");
});

verifies("004-61", "the end of a run is not before its start, whatever the wall clock did", () => {
  const jumped = { wallMs: 1_600_000_000_000, monotonicUs: 5_000_001 };
  expect(makeManifest(record({ ended: jumped })).ended.monotonic_us).toBe(5_000_001);
  const back = { wallMs: 1_800_000_000_000, monotonicUs: 4_999_999 };
  expect(() => makeManifest(record({ ended: back }))).toThrow("not before the start");
});

test.each([
  ["a control that does not hold", { controls: [{ name: "network", holds: false, seen: "eth0" }] }],
  ["no control at all", { controls: [] }],
  [
    "an environment by its tag",
    { environment: { name: "node", digest: "node:20", reference: "x" } },
  ],
  ["the same file twice", { output: [OUTPUT("a"), OUTPUT("a")] }],
  ["a path that leads out", { output: [OUTPUT("../a")] }],
  ["a path from the root", { output: [OUTPUT("/a")] }],
  ["a name with a line end", { output: [OUTPUT("a\nb")] }],
  ["no command", { argv: [] }],
])("%s makes no manifest", (_, changes) => {
  expect(() => makeManifest(record(changes as object))).toThrow("makes no manifest");
});

test("the digest is over the canonical bytes and does not depend on the order of keys", () => {
  const manifest = makeManifest(record());
  const reversed = Object.fromEntries(Object.entries(manifest).toReversed()) as typeof manifest;
  expect(manifestDigest(manifest)).toBe(sha256Hex(canonicalize(manifest)));
  expect(manifestDigest(reversed)).toBe(manifestDigest(manifest));
});

test("the policy engine signs the manifest's hash, and nothing else passes for it", () => {
  const [policy, other] = [signer(), signer()];
  const manifest = makeManifest(record());
  const bytes = manifestBytes(manifest);
  const note = signManifest(manifestDigest(manifest), policy);
  expect(verifyManifest(bytes, note, policy.public)).toEqual({
    isValid: true,
    manifest,
    digest: manifestDigest(manifest),
  });
  const no = (stored: Uint8Array, signature: string, key: string): string => {
    const verdict = verifyManifest(stored, signature, key);
    return verdict.isValid ? "valid" : verdict.reason;
  };
  expect(no(bytes, note, other.public)).toContain("not signed by sworn-policy");
  const changed = manifestBytes({ ...manifest, seed: "43" });
  expect(no(changed, note, policy.public)).toContain("over something else");
  const spaced = Buffer.from(JSON.stringify(manifest, null, 1));
  expect(no(spaced, note, policy.public)).toContain("canonical");
  expect(no(Buffer.from("{}"), note, policy.public)).toContain("v:");
  expect(no(Buffer.from([0xff]), note, policy.public)).toContain("UTF-8");
  expect(no(bytes, note.replace("sha256:", "sha256: "), policy.public)).toContain("wrong");
  expect(no(bytes, "", policy.public)).toContain("not a signed note");
  expect(no(bytes, note, "AAAA")).toContain("public key");
});

test.each([
  [
    "traffic without egress",
    { egress_used: false, egress: { lines: [], log_sha256: "f".repeat(64) } },
  ],
  [
    "a classification below its file's",
    { output: [{ ...OUTPUT("a"), classification: "restricted" }] },
  ],
  ["pii that only a file admits", { output: [{ ...OUTPUT("a"), pii: true }] }],
  ["files out of order", { output: [OUTPUT("b"), OUTPUT("a")] }],
  ["a control that did not hold", { controls: [{ name: "n", holds: false, seen: "x" }] }],
  ["an unknown member", { cleared: true }],
])("a signed manifest with %s does not verify", (_, changes) => {
  const policy = signer();
  const bytes = Buffer.from(canonicalize({ ...makeManifest(record()), ...changes }));
  const note = signManifest(sha256Hex(bytes), policy);
  expect(verifyManifest(bytes, note, policy.public).isValid).toBe(false);
});

test("a summary has what a timeline shows, and leads to the manifest", () => {
  const manifest = makeManifest(record());
  expect(summaryOf(manifest)).toEqual({
    task_id: "build-1",
    manifest_sha256: manifestDigest(manifest),
    environment: `sha256:${"a".repeat(64)}`,
    exit: { code: 0, signal: null, limit: null },
    files: 2,
    bytes: 2,
    egress_used: false,
    classification: "internal",
    pii: false,
  });
});
