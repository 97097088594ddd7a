import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { exportTrace, importBundle } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { readTrace } from "../../src/flow/trace/look.ts";
import { verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { message } from "./requests.ts";
import { Stage } from "./stage.ts";

const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;

/** A completed trace, and a bundle of it. */
async function bundled() {
  const stage = await Stage.at("completed");
  const folder = temporaryFolder();
  const path = join(folder, "session.tar");
  const outcome = exportTrace(stage.place, stage.id, path);
  return { stage, folder, path, outcome };
}

test("a bundle that is imported and exported again has the same bytes", async () => {
  const { stage, folder, path, outcome } = await bundled();
  expect(outcome).toMatchObject({ trace: stage.id, entries: 10, artifacts: 3, missing: [] });
  const place = temporaryPlace();
  const { kind, report } = await importBundle(place, path, undefined);
  expect([kind, report.status]).toEqual(["imported", "pass"]);
  expect(readTrace(place, stage.id)).toEqual(stage.entries());
  const second = join(folder, "second.tar");
  exportTrace(place, stage.id, second);
  expect(readFileSync(second).equals(readFileSync(path))).toBe(true);
  const third = join(folder, "third.tar");
  exportTrace(stage.place, stage.id, third);
  expect(readFileSync(third).equals(readFileSync(path))).toBe(true);
  expect(await fsck(place, stage.id)).toMatchObject({ status: "ok", problems: [] });
});

test("exporting leaves nothing behind but the bundle", async () => {
  const { stage, folder, path } = await bundled();
  expect(readdirSync(folder)).toEqual(["session.tar"]);
  expect(() => exportTrace(stage.place, stage.id, join(folder, "none", "x.tar"))).toThrow();
  expect(() => exportTrace(stage.place, stage.id, folder)).toThrow();
  expect(readdirSync(folder)).toEqual(["session.tar"]);
  expect(readdirSync(join(folder, "..")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  expect((await verifyBundle(path, OPTIONS)).status).toBe("pass");
});

test("importing twice stores once", async () => {
  const { stage, path } = await bundled();
  const place = temporaryPlace();
  await importBundle(place, path, undefined);
  expect(await importBundle(place, path, undefined)).toMatchObject({ kind: "present" });
  expect(await importBundle(stage.place, path, undefined)).toMatchObject({ kind: "present" });
  expect(place.traces()).toEqual([stage.id]);
});

test.each([
  ["an entry", "read it", "READ IT"],
  ["an artifact", "output of e1", "output of e2"],
  ["the checkpoint", "sworn.trace/", "sworn.trace_"],
])("a bundle with another %s does not verify, and nothing of it is stored", async (_, from, to) => {
  const { path } = await bundled();
  const bytes = readFileSync(path, "latin1");
  expect(bytes).toContain(from);
  writeFileSync(path, bytes.replace(from, to), "latin1");
  const place = temporaryPlace();
  const { kind, report } = await importBundle(place, path, undefined);
  expect([kind, report.status]).toEqual(["refused", "fail"]);
  expect(existsSync(place.store)).toBe(false);
});

test("a file that is no bundle is refused, and nothing is stored", async () => {
  const { path } = await bundled();
  const place = temporaryPlace();
  const whole = readFileSync(path);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from("hello"),
    whole.subarray(0, -512),
    Buffer.concat([whole, Buffer.alloc(512)]),
  ]) {
    writeFileSync(path, bytes);
    await expect(importBundle(place, path, undefined)).rejects.toMatchObject({
      code: "BUNDLE_MALFORMED",
    });
    expect(existsSync(place.store)).toBe(false);
  }
  await expect(importBundle(place, `${path}.none`, undefined)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a bundle signed by somebody else than expected is refused", async () => {
  const { path } = await bundled();
  const place = temporaryPlace();
  const stranger = (await bundled()).stage;
  const { signer } = await stranger.verify();
  const { kind, report } = await importBundle(place, path, signer ?? "");
  expect(kind).toBe("refused");
  expect(report.failures.map(({ code }) => code)).toEqual(["KEY_NOT_TRUSTED"]);
  expect(existsSync(place.store)).toBe(false);
});

test("other content under a known id is refused, and what is there stays", async () => {
  const stage = await Stage.at("planning");
  const path = join(temporaryFolder(), "early.tar");
  exportTrace(stage.place, stage.id, path);
  await stage.accept(message("one more"));
  const before = stage.lines();
  await expect(importBundle(stage.place, path, undefined)).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
  });
  expect(stage.lines()).toEqual(before);
});

test("an imported trace can be looked at, and continued only where its keys are", async () => {
  const stage = await Stage.at("planning");
  const path = join(temporaryFolder(), "early.tar");
  exportTrace(stage.place, stage.id, path);
  const place = temporaryPlace();
  await importBundle(place, path, undefined);
  const recorder = Recorder.resume(place, stage.id);
  const attempt = recorder.record([message("hello")], { artifactRoots: [] });
  await expect(attempt).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
  recorder.close();
  expect(readTrace(place, stage.id)).toEqual(stage.entries());
});

test("a missing artifact is named when exporting, and the bundle does not verify", async () => {
  const { stage, folder } = await bundled();
  const hash = sha256Hex("output of e1");
  rmSync(stage.place.artifacts.pathOf(hash));
  const path = join(folder, "lost.tar");
  expect(exportTrace(stage.place, stage.id, path).missing).toEqual([hash]);
  const report = await verifyBundle(path, OPTIONS);
  expect(report.failures.map(({ code }) => code).sort()).toEqual([
    "ARTIFACT_MISSING",
    "CLAIM_UNPROVEN",
  ]);
});
