import { generateKeyPairSync, sign } from "node:crypto";
import { chmodSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyIdOf, type Signer, sha256Hex } from "../../src/base/index.ts";
import { collectOutput, judgeOutput, removeTree } from "../../src/run/collect/index.ts";
import {
  compareManifests,
  makeManifest,
  manifestBytes,
  manifestDigest,
  signManifest,
  verifyManifest,
} from "../../src/run/manifest/index.ts";
import { leaveSbom, packagesOfLockfile, toSpdx } from "../../src/run/sbom/index.ts";
import { verifies } from "../verifies.ts";
import { workspace } from "./collect/workspace.ts";
import { record } from "./manifest/record.ts";

const LIMITS = { output_bytes: 1_000_000, output_files: 1_000 };
const LOCK = '{"packages":{"node_modules/a":{"version":"1.0.0","license":"MIT"}}}';

function policySigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  return { key: keyIdOf(raw), public: raw, sign: (bytes) => sign(null, bytes, privateKey) };
}

/** What a run goes through after its task has ended. */
function finish(built: string, seconds: number) {
  const output = workspace();
  const copies = workspace();
  mkdirSync(join(output, "dist"));
  writeFileSync(join(output, "dist/app"), built);
  chmodSync(join(output, "dist/app"), 0o755);
  utimesSync(join(output, "dist/app"), seconds, seconds);
  writeFileSync(join(output, "log.txt"), "all tests passed\n");
  const collected = collectOutput(output, LIMITS, copies);
  const judged = judgeOutput(copies, collected.files);
  const { environment, sourceDateEpoch } = record();
  const subject = { name: environment.name, digest: environment.digest, sourceDateEpoch };
  const document = toSpdx(subject, packagesOfLockfile("package-lock.json", LOCK));
  const sbom = {
    path: leaveSbom(copies, environment.digest, document),
    sha256: sha256Hex(document),
  };
  removeTree(output);
  return makeManifest(record({ output: judged.files, refused: [...collected.refused], sbom }));
}

verifies("004-45", "what a task leaves is recorded with the digest of what it ran in", () => {
  const manifest = finish("program", 1_700_000_000);
  expect(manifest.environment.digest).toBe(`sha256:${"a".repeat(64)}`);
  expect(manifest.output[0]).toEqual({
    path: "dist/app",
    bytes: 7,
    sha256: sha256Hex("program"),
    mode: 0o755,
    mtime_ms: 1_700_000_000_000,
    classification: "internal",
    pii: false,
  });
  const policy = policySigner();
  const note = signManifest(manifestDigest(manifest), policy);
  expect(verifyManifest(manifestBytes(manifest), note, policy.public).isValid).toBe(true);
});

test("a second run with the same bytes is a reproduction, list of parts included", () => {
  const first = finish("program", 1_700_000_000);
  const again = finish("program", 1_700_009_999);
  expect(compareManifests(first, again)).toMatchObject({ isReproduced: true, equalFiles: 2 });
  expect(again.sbom).toEqual(first.sbom);
  const other = compareManifests(first, finish("program built later", 1_700_009_999));
  expect(other.isReproduced).toBe(false);
  expect(other.differences.map(({ subject }) => subject)).toEqual(["dist/app"]);
});
