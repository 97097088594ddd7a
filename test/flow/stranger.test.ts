import { cpSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { revokeKey, rotateKey } from "../../src/flow/keys.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { exportTrace, importBundle } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { readKeyFile } from "../../src/keyring/key-file.ts";
import { request, temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { codesOf } from "../verify/copy.ts";
import { message, proposal, work } from "./requests.ts";
import { Stage } from "./stage.ts";

/** A trace by somebody else's runtime in which our operator seems to take part, imported here. */
async function importedForgery() {
  const ours = await Stage.at("planning");
  const theirs = temporaryPlace();
  mkdirSync(theirs.keyFolder, { recursive: true, mode: 0o700 });
  // The attacker has our operator's public key only; here its file is copied, and never used to sign.
  cpSync(join(ours.place.keyFolder, "mara.json"), join(theirs.keyFolder, "mara.json"));
  const forged = await Stage.at("planning", {}, theirs);
  await forged.accept(proposal("p1"));
  const path = join(temporaryFolder(), "forged.tar");
  exportTrace(theirs, forged.id, path);
  expect((await importBundle(ours.place, path, undefined)).kind).toBe("imported");
  return { place: ours.place, id: forged.id };
}

test("a stranger's trace is never taken over, whoever its operator seems to be", async () => {
  const { place, id } = await importedForgery();
  const before = [...(Recorder.resume(place, id).session?.keys.keys() ?? [])];
  await rotateKey(place, "sworn");
  await revokeKey(place, "sworn", undefined, "just in case");
  const recorder = Recorder.resume(place, id);
  const asked = recorder.record([message("hello")], { artifactRoots: [] });
  await expect(asked).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
  const rotation = request("mara", "operator", "key_rotated", { agent: "sworn" });
  const outcome = await recorder.record([rotation], { artifactRoots: [] });
  expect(outcome).toMatchObject({ recorded: 0, refusal: { rule: "KEY_GUARD" } });
  expect([...(recorder.session?.keys.keys() ?? [])]).toEqual(before);
  recorder.close();
});

test("a fork that grew past what was acknowledged is found by what it says there", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("the truth"));
  stage.close();
  const head = stage.place.heads(stage.id).path;
  const outside = join(temporaryFolder(), "head");
  cpSync(head, outside);
  const db = new DatabaseSync(stage.place.ledgerPath(stage.id));
  db.exec("DELETE FROM entry WHERE seq = 1");
  db.close();
  // Without the head nothing stops the fork; then the true head comes back.
  const first = stage.place
    .heads(stage.id)
    .notes()
    .filter((note) => note.split("\n")[1] === "1");
  writeFileSync(head, first.join(""));
  const fork = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
  await fork.accept(message("a lie"), message("another"));
  fork.close();
  cpSync(outside, head);
  for (const mode of ["full", "fast"] as const) {
    expect(codesOf(await fork.verify({ mode }))).toContain("CHECKPOINT_INVALID");
  }
});

test("an older bundle does not take the place of what was acknowledged here", async () => {
  const stage = await Stage.at("planning");
  const path = join(temporaryFolder(), "older.tar");
  exportTrace(stage.place, stage.id, path);
  await stage.accept(proposal("p1"));
  stage.close();
  rmSync(stage.place.traceFolder(stage.id), { recursive: true });
  await expect(importBundle(stage.place, path, undefined)).rejects.toMatchObject({
    code: "LEDGER_BEHIND",
  });
  expect((await fsck(stage.place, stage.id)).status).toBe("damaged");
});

test("without the head outside, a verification says what it could not see", async () => {
  const stage = await Stage.at("completed");
  expect(await stage.verify()).toMatchObject({ status: "pass" });
  stage.close();
  rmSync(stage.place.heads(stage.id).path);
  const report = await stage.verify();
  expect(report).toMatchObject({
    status: "pass-with-warnings",
    warnings: [{ code: "HEAD_MISSING" }],
  });
});

test("nothing from the state directory is recorded, under no name", async () => {
  const stage = await Stage.at("planning");
  const { place } = stage;
  const secret = readKeyFile(place.keyFolder, "sworn")?.keys[0]?.secret ?? "";
  expect(secret).not.toBe("");
  const folder = temporaryFolder();
  linkSync(join(place.keyFolder, "sworn.json"), join(folder, "innocent.json"));
  symlinkSync(place.keyFolder, join(folder, "keys"));
  const roots = [folder, place.state, join(place.state, "..")];
  for (const path of ["innocent.json", "keys/sworn.json", "sworn.json", "state/keys/sworn.json"]) {
    const asked = { ...message("see"), artifacts: [{ path }] };
    const outcome = stage.recorder.record([asked], { artifactRoots: roots });
    await expect(outcome, path).rejects.toMatchObject({
      code: expect.stringMatching(/^(PATH_ESCAPES|NOT_FOUND)$/),
    });
  }
});

test("an artifact that became a pipe or a link to a device is a finding, not a wait without end", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(...work(2));
  const path = (name: string) => stage.place.artifacts.pathOf(sha256Hex(`output of ${name}`));
  rmSync(path("e1"));
  symlinkSync("/dev/zero", path("e1"));
  const report = await stage.verify();
  expect(codesOf(report)).toEqual(["ARTIFACT_MISSING"]);
  expect(report.failures[0]?.message).toContain("cannot be read");
});

test("the latest trace is the one written to last, not the one whose name says so", async () => {
  const theirs = temporaryPlace({ clock: () => Date.UTC(2200, 0, 1) });
  const future = await Stage.at("planning", {}, theirs);
  const path = join(temporaryFolder(), "future.tar");
  exportTrace(theirs, future.id, path);
  const { place } = await Stage.at("planning");
  await importBundle(place, path, undefined);
  expect(place.find("latest")).toBe(future.id);
  const own = await Stage.at("planning", {}, place);
  expect(own.id < future.id).toBe(true);
  expect(place.find("latest")).toBe(own.id);
});
