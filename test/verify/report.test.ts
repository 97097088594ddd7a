import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { canonicalize } from "../../src/base/index.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { VerificationReport } from "../../src/schema/index.ts";
import { verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { message } from "../flow/requests.ts";
import { Stage } from "../flow/stage.ts";
import { Copy, codesOf } from "./copy.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");
const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;

test("the same record gives the same report, byte for byte", async () => {
  const stage = await Stage.at("completed");
  const first = canonicalize(await stage.verify());
  for (let run = 0; run < 3; run += 1) expect(canonicalize(await stage.verify())).toBe(first);
  const broken = new Copy(stage);
  broken.edit(2, "read it", "READ IT");
  broken.lines.pop();
  const verdict = canonicalize(await broken.verify());
  expect(canonicalize(await broken.verify())).toBe(verdict);
  expect(VerificationReport.parse(JSON.parse(verdict)).status).toBe("fail");
});

/** A trace that is large enough for the command to start threads for it, as a bundle. */
async function largeBundle(): Promise<string> {
  const stage = await Stage.at("planning");
  const text = "x".repeat(1_500);
  await stage.accept(...Array.from({ length: 400 }, (_, index) => message(`${index} ${text}`)));
  const path = join(temporaryFolder(), "large.tar");
  exportTrace(stage.place, stage.id, path);
  return path;
}

/** What the built command prints; it uses as many threads as the machine has. */
function verifyBuilt(path: string): string {
  const env = { ...process.env, SWORN_STATE_DIR: join(path, "..", "state") };
  return spawnSync(process.execPath, [BIN, "verify", path, "--json"], { encoding: "utf8", env })
    .stdout;
}

test("the report is the same whether threads checked the lines or not", async () => {
  const path = await largeBundle();
  const inline = await verifyBundle(path, OPTIONS);
  expect(inline).toMatchObject({ status: "pass-with-warnings", entries: 401 });
  expect(verifyBuilt(path)).toBe(`${JSON.stringify(inline)}\n`);
  const bytes = readFileSync(path, "latin1");
  for (const [from, to] of [
    [" xxxxxxxx", " xxxyxxxx"],
    ['"message_posted"', '"message_pOsted"'],
  ] as const) {
    writeFileSync(path, bytes.replaceAll(from, to), "latin1");
    const broken = await verifyBundle(path, OPTIONS);
    expect(broken.status).toBe("fail");
    expect(broken.omitted).toBeGreaterThan(0);
    expect(verifyBuilt(path)).toBe(`${JSON.stringify(broken)}\n`);
  }
});

test("a report lists a hundred findings and counts the rest", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(...Array.from({ length: 150 }, (_, index) => message(`m${index}`)));
  const copy = new Copy(stage);
  for (let seq = 1; seq <= 150; seq += 1) copy.edit(seq, '"text":"m', '"text":"n');
  const report = await copy.verify();
  expect(report.failures.length + report.warnings.length).toBe(100);
  expect(report.omitted).toBeGreaterThan(100);
  expect(report.lastTrustedSeq).toBe(0);
});

test("a report names the last entry before the first that cannot be trusted", async () => {
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  copy.edit(4, '"execution_id":"e1"', '"execution_id":"e2"');
  const report = await copy.verify();
  expect(report).toMatchObject({ status: "fail", lastTrustedSeq: 3, state: "failed" });
  expect(codesOf(report)).toContain("SIG_INVALID");
  const whole = await stage.verify();
  expect(whole.lastTrustedSeq).toBe(whole.entries - 1);
});

test("checks that could not be made are never reported as passed", async () => {
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  copy.edit(4, '"execution_id":"e1"', '"execution_id":"e2"');
  const report = await copy.verify();
  const passed = report.checks.filter(({ status }) => status === "pass").map(({ id }) => id);
  expect(passed).toEqual(["CHK_SCHEMA_CONFORMANCE", "CHK_EVENT_HASH_INTEGRITY"]);
});

test("a line that is not canonical was never asked for its signature", async () => {
  const copy = new Copy(await Stage.at("completed"));
  copy.edit(4, '"execution_id":"e1"', '"execution_id": "e1"');
  const report = await copy.verify();
  expect(codesOf(report)).toContain("HASH_MISMATCH");
  const passed = report.checks.filter(({ status }) => status === "pass").map(({ id }) => id);
  expect(passed).toEqual([]);
});

test("artifacts cited only behind a break are not reported as there", async () => {
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  copy.edit(1, "Count attempts", "Count nothing");
  copy.artifacts.clear();
  const report = await copy.verify();
  const check = report.checks.find(({ id }) => id === "CHK_ARTIFACT_EXISTENCE");
  expect(check?.status).toBe("fail");
});

test("in a file that is no bundle nothing but the packaging was checked", async () => {
  const path = join(temporaryFolder(), "odd.tar");
  writeFileSync(path, "not a bundle at all");
  const report = await verifyBundle(path, OPTIONS);
  expect(report).toMatchObject({ status: "fail", trace: null, entries: 0, lastTrustedSeq: -1 });
  expect(codesOf(report)).toEqual(["BUNDLE_MALFORMED"]);
  const passed = report.checks.filter(({ status }) => status === "pass");
  expect(passed).toEqual([]);
});

test("a verifier key that is not the signer's fails the verification, the right one passes", async () => {
  const [stage, other] = [await Stage.at("completed"), await Stage.at("planning")];
  const { signer } = await stage.verify();
  const foreign = (await other.verify()).signer ?? "";
  expect(await stage.verify({ trustedKey: signer ?? "" })).toMatchObject({ status: "pass" });
  const report = await stage.verify({ trustedKey: foreign });
  expect(report).toMatchObject({ status: "fail", lastTrustedSeq: -1 });
  expect(report.failures).toMatchObject([{ code: "KEY_NOT_TRUSTED", severity: "critical" }]);
  expect(await stage.verify({ trustedKey: foreign, mode: "fast" })).toMatchObject({
    status: "fail",
    failures: [{ code: "KEY_NOT_TRUSTED" }],
  });
  await expect(stage.verify({ trustedKey: "nonsense" })).rejects.toMatchObject({
    code: "INPUT_INVALID",
  });
});

test("a whole record made with other keys passes by itself and fails against the known key", async () => {
  const { signer } = await (await Stage.at("completed")).verify();
  const counterfeit = await Stage.at("completed");
  expect((await counterfeit.verify()).status).toBe("pass");
  expect(codesOf(await counterfeit.verify({ trustedKey: signer ?? "" }))).toEqual([
    "KEY_NOT_TRUSTED",
  ]);
});
