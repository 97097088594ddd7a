import { expect, test } from "vitest";
import { CHECKS } from "../../src/schema/index.ts";
import { verifyTrace } from "../../src/verify/index.ts";
import { Stage } from "../flow/stage.ts";
import { Copy, codesOf } from "./copy.ts";

const FAST = { mode: "fast" } as const;
const MADE = ["CHK_CHAIN_CONTINUITY", "CHK_CHECKPOINT"];

test("fast verification says what it did not look at", async () => {
  const stage = await Stage.at("completed");
  const report = await stage.verify(FAST);
  expect(report).toMatchObject({
    status: "pass-with-warnings",
    mode: "fast",
    state: "unknown",
    trace: stage.id,
    entries: 10,
    failures: [],
    warnings: [{ code: "CHECKS_SKIPPED", seq: null }],
  });
  const full = await stage.verify();
  expect([report.head, report.signer]).toEqual([full.head, full.signer]);
  for (const { id, status } of report.checks) {
    const expected = id === "CHK_PACKAGING" ? "warn" : MADE.includes(id) ? "pass" : "skipped";
    expect([id, status]).toEqual([id, expected]);
  }
  expect(report.checks.map(({ id }) => id)).toEqual([...CHECKS]);
});

test("fast verification finds that the end was cut off, or put on", async () => {
  const stage = await Stage.at("completed");
  const cut = new Copy(stage);
  cut.lines.pop();
  expect(codesOf(await cut.verify(FAST))).toEqual(["TAIL_MISSING"]);
  const longer = new Copy(await Stage.at("planning"));
  await longer.forge({
    agent: "mara",
    role: "operator",
    type: "message_posted",
    body: { text: "never signed for" },
  });
  expect(codesOf(await longer.verify(FAST))).toEqual(["TAIL_UNSIGNED"]);
});

test("fast verification finds every changed, moved and removed entry", async () => {
  const stage = await Stage.at("completed");
  for (let seq = 0; seq < 10; seq += 1) {
    const changed = new Copy(stage);
    changed.edit(seq, /"at":"20/, '"at":"19');
    const expected = seq === 9 ? ["CHECKPOINT_INVALID"] : ["CHAIN_BREAK", "CHECKPOINT_INVALID"];
    expect(codesOf(await changed.verify(FAST))).toEqual(expected);
    const removed = new Copy(stage);
    removed.lines.splice(seq, 1);
    expect((await removed.verify(FAST)).status).toBe("fail");
  }
  const swapped = new Copy(stage);
  swapped.lines.reverse();
  expect(codesOf(await swapped.verify(FAST))).toContain("CHAIN_BREAK");
});

test("fast verification finds a head that was acknowledged and is not there", async () => {
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  const outsideHeads = stage.place.heads(stage.id).notes();
  copy.lines.pop();
  await copy.sign();
  const options = { profile: "default", threads: 0 } as const;
  for (const mode of ["fast", "full"] as const) {
    const report = await verifyTrace({ ...copy.source(), outsideHeads }, { ...options, mode });
    expect(codesOf(report)).toContain("TAIL_MISSING");
  }
});

test("fast verification does not see who signed, and does not say that it did", async () => {
  const stage = await Stage.at("completed");
  const copy = new Copy(stage);
  const last = copy.entry(9);
  copy.edit(9, last.sig, Buffer.alloc(64, 7).toString("base64"));
  await copy.sign();
  const fast = await copy.verify(FAST);
  expect(fast.failures).toEqual([]);
  expect(fast.checks).toContainEqual({ id: "CHK_SIGNATURE_VALIDITY", status: "skipped" });
  expect(codesOf(await copy.verify())).toContain("SIG_INVALID");
});

test("without a checkpoint, or with another trace's, nothing passes", async () => {
  const [stage, other] = [await Stage.at("completed"), await Stage.at("completed")];
  for (const mode of ["fast", "full"] as const) {
    for (const checkpoint of [
      "",
      other.checkpoint(),
      stage.checkpoint().replace("\n10\n", "\n9\n"),
    ]) {
      const copy = new Copy(stage);
      copy.checkpoint = checkpoint;
      expect(codesOf(await copy.verify({ mode }))).toEqual(["CHECKPOINT_INVALID"]);
    }
  }
});

test("a record that has no checkpoint, no entries or no runtime's key does not pass", async () => {
  const stage = await Stage.at("completed");
  for (const mode of ["fast", "full"] as const) {
    const options = { profile: "default", threads: 0, mode } as const;
    const source = new Copy(stage).source();
    const bare = await verifyTrace({ ...source, checkpoint: undefined }, options);
    expect(codesOf(bare)).toEqual(["CHECKPOINT_INVALID"]);
    const empty = await verifyTrace({ ...source, lines: () => [], artifactHashes: [] }, options);
    expect(codesOf(empty)).toContain("CHECKPOINT_INVALID");
    expect(empty).toMatchObject({ trace: null, entries: 0, head: null, signer: null });
    const headless = new Copy(stage);
    headless.lines.shift();
    expect(codesOf(await headless.verify({ mode }))).toContain("CHECKPOINT_INVALID");
  }
});
