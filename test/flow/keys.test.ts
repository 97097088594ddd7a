import { expect, test } from "vitest";
import { initialize, revokeKey, rotateKey } from "../../src/flow/keys.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { request, temporaryPlace } from "../fake/sandbox.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import {
  auditEnd,
  auditStart,
  by,
  claim,
  failure,
  finalStatement,
  message,
  proposal,
  review,
  work,
} from "./requests.ts";
import { Stage } from "./stage.ts";

const say = (agent: string, role: "planner" | "executor" | "operator", text: string) =>
  by(agent, role, message(text));
const resumed = (stage: Stage) => new Stage(stage.place, Recorder.resume(stage.place, stage.id));
const revocation = (agent: string, more: object = {}) =>
  request("mara", "operator", "key_revoked", { agent, reason: "laptop lost", ...more });

test("entries after a rotation are signed with the new key, entries before it with the old", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(say("eli", "executor", "before"));
  const old = stage.last("message_posted").actor.key;
  stage.close();
  const change = await rotateKey(stage.place, "eli");
  expect(change).toMatchObject({ agent: "eli", traces: [stage.id], failed: [] });
  expect(change.key).not.toBe(old);
  const again = resumed(stage);
  await again.accept(say("eli", "executor", "after"));
  expect(again.entries().map(({ type, actor }) => [type, actor.agent, actor.key])).toEqual([
    ["session_initialized", "ada", expect.any(String)],
    ["message_posted", "eli", old],
    ["key_rotated", "eli", old],
    ["message_posted", "eli", change.key],
  ]);
  expect(again.last("key_rotated").body).toMatchObject({ old_key: old, new_key: change.key });
  expect((await again.verify()).failures).toEqual([]);
});

test("a rotated key signs nothing after the rotation", async () => {
  const stage = await Stage.at("planning");
  const old = stage.session.agents.get("eli")?.key ?? "";
  stage.close();
  await rotateKey(stage.place, "eli");
  const copy = new Copy(stage);
  await copy.forge({
    agent: "eli",
    role: "executor",
    key: old,
    type: "message_posted",
    body: { text: "with the old key" },
  });
  expect(codesOf(await (await copy.sign()).verify())).toEqual(["KEY_NOT_ACTIVE"]);
});

test("an open recorder takes up a rotation that another process recorded", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(say("eli", "executor", "before"));
  const { key } = await rotateKey(stage.place, "eli");
  await stage.accept(say("eli", "executor", "after"));
  expect(stage.last("message_posted").actor.key).toBe(key);
  expect((await stage.verify()).failures).toEqual([]);
});

test("the runtime's own key can be rotated in the middle of a session", async () => {
  const stage = await Stage.at("auditing");
  stage.close();
  await rotateKey(stage.place, "sworn");
  await rotateKey(stage.place, "sworn");
  const again = resumed(stage);
  await again.accept(auditStart("v1"), auditEnd("v1"));
  expect(again.entries().filter(({ type }) => type === "key_rotated")).toHaveLength(2);
  expect(await again.verify()).toMatchObject({ status: "pass", state: "completed" });
  expect((await again.verify()).signer).toContain("sworn+");
});

test("several rotations between two uses are handed over at once", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  const { keyring } = stage.place;
  await keyring.rotate("eli");
  const { key } = await keyring.rotate("eli");
  const again = resumed(stage);
  await again.accept(say("eli", "executor", "after"));
  expect(again.last("key_rotated").body.new_key).toBe(key);
  expect(again.last("message_posted").actor.key).toBe(key);
  expect((await again.verify()).failures).toEqual([]);
});

test("recorders that meet a new key at once hand it over once, and all go on", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  const writers = [resumed(stage), resumed(stage), resumed(stage)];
  const { key } = await stage.place.keyring.rotate("eli");
  await Promise.all(
    writers.map((writer, number) => writer.accept(say("eli", "executor", `from ${number}`))),
  );
  const entries = writers[0]?.entries() ?? [];
  expect(entries.filter(({ type }) => type === "key_rotated")).toHaveLength(1);
  const said = entries.filter(({ type }) => type === "message_posted");
  expect(said.map(({ actor }) => actor.key)).toEqual([key, key, key]);
});

test("a revoked key's agent is refused until the operator hands over a new key", async () => {
  const stage = await Stage.at("planning");
  const old = stage.session.agents.get("eli")?.key;
  const change = await revokeKey(stage.place, "eli", undefined, "laptop lost");
  expect(change).toEqual({ agent: "eli", key: old, traces: [stage.id], failed: [] });
  const before = stage.lines();
  const stale = stage.recorder.record([say("eli", "executor", "me")], { artifactRoots: [] });
  await expect(stale).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
  expect(stage.lines()).toEqual(before);
  const fresh = resumed(stage);
  await fresh.refuse(say("eli", "executor", "still me"), "KEY_GUARD");
  fresh.close();
  expect(stage.last("key_revoked")).toMatchObject({
    actor: { agent: "mara", role: "operator" },
    body: { agent: "eli", key: old, reason: "laptop lost" },
  });
  stage.close();
  const { key, failed } = await rotateKey(stage.place, "eli");
  expect(failed).toEqual([]);
  const again = resumed(stage);
  await again.accept(say("eli", "executor", "with a new key"));
  expect(again.last("key_rotated").actor).toMatchObject({ agent: "mara", role: "operator" });
  expect(again.last("message_posted").actor.key).toBe(key);
  expect((await again.verify()).failures).toEqual([]);
});

test("what a revoked key signs later is not believed, and without a compromise the rest is", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(say("eli", "executor", "before"));
  const key = stage.session.agents.get("eli")?.key ?? "";
  await stage.accept(revocation("eli"));
  expect((await stage.verify()).failures).toEqual([]);
  const copy = new Copy(stage);
  const text = "after";
  await copy.forge({
    agent: "eli",
    role: "executor",
    key,
    type: "message_posted",
    body: { text },
  });
  const report = await (await copy.sign()).verify();
  expect(report.failures).toMatchObject([{ code: "KEY_NOT_ACTIVE", seq: 3 }]);
});

test("a known compromise throws doubt on the entries from there on", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(say("eli", "executor", "one"), say("eli", "executor", "two"));
  await stage.refuse(revocation("eli", { compromised_from: 99 }), "ORDER_GUARD");
  await stage.accept(revocation("eli", { compromised_from: 2 }));
  const report = await stage.verify();
  expect(report.failures).toMatchObject([{ code: "KEY_COMPROMISED", seq: 2, severity: "high" }]);
  expect(report.lastTrustedSeq).toBe(1);
});

test("a compromise that begins after the key's last entry spoils nothing", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(say("eli", "executor", "one"), message("two"));
  await stage.accept(revocation("eli", { compromised_from: 2 }));
  expect((await stage.verify()).failures).toEqual([]);
});

test("the runtime's key is replaced before it is revoked, and the trace goes on", async () => {
  const stage = await Stage.at("planning");
  await stage.refuse(revocation("sworn"), "KEY_GUARD");
  stage.close();
  const change = await revokeKey(stage.place, "sworn", undefined, "found in a paste");
  expect(change).toMatchObject({ traces: [stage.id], failed: [] });
  const types = stage.entries().map(({ type }) => type);
  expect(types.slice(-2)).toEqual(["key_rotated", "key_revoked"]);
  expect(stage.place.keyring.current("sworn")?.key).not.toBe(change.key);
  const again = resumed(stage);
  await again.accept(proposal("p1"), review("p1"), ...work(1), claim("c1"), finalStatement("c1"));
  await again.accept(auditStart("v1"), auditEnd("v1"));
  expect(await again.verify()).toMatchObject({ status: "pass", state: "completed" });
});

test("an operator whose key was lost gets the next one from the runtime", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  const lost = await revokeKey(stage.place, "mara", undefined, "laptop lost");
  expect(lost).toMatchObject({ traces: [stage.id], failed: [] });
  await rotateKey(stage.place, "mara");
  const again = resumed(stage);
  const byRuntime = { agent: "sworn", role: "runtime" };
  expect(again.last("key_revoked").actor).toMatchObject(byRuntime);
  expect(again.last("key_rotated").actor).toMatchObject(byRuntime);
  await again.accept(request("mara", "operator", "session_aborted", { reason: "enough" }));
  expect(await again.verify()).toMatchObject({ failures: [], state: "aborted" });
});

test("keys that were revoked while a trace lay elsewhere are all replaced when it is opened", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  const { keyring } = stage.place;
  for (const agent of ["mara", "eli"]) {
    keyring.revoke(agent, keyring.current(agent)?.key ?? "");
    await keyring.rotate(agent);
  }
  const again = resumed(stage);
  await again.accept(say("eli", "executor", "back"), say("mara", "operator", "me too"));
  expect((await again.verify()).failures).toEqual([]);
});

test("only open traces that know the agent hear of its keys", async () => {
  const place = temporaryPlace();
  const closed = await Stage.at("planning", {}, place);
  await closed.accept(failure());
  const open = await Stage.at("planning", {}, place);
  await place.keyring.ensure("zoe");
  expect(await rotateKey(place, "zoe")).toMatchObject({ traces: [], failed: [] });
  expect(await rotateKey(place, "eli")).toMatchObject({ traces: [open.id], failed: [] });
});

test("revoking an old key is no failure in a trace that never knew it", async () => {
  const place = temporaryPlace();
  const { key: old } = await place.keyring.ensure("eli");
  await place.keyring.rotate("eli");
  const stage = await Stage.at("planning", {}, place);
  const change = await revokeKey(place, "eli", old, "found in a backup");
  expect(change).toEqual({ agent: "eli", key: old, traces: [], failed: [] });
  await stage.accept(say("eli", "executor", "not my key"));
});

test("a key the trace does not list cannot be handed over, and nobody rotates for another", async () => {
  const stage = await Stage.at("planning");
  await stage.refuse(request("eli", "executor", "key_rotated", { agent: "eli" }), "KEY_GUARD");
  await stage.place.keyring.rotate("cleo");
  await stage.refuse(request("eli", "executor", "key_rotated", { agent: "cleo" }), "ROLE_GUARD");
  await stage.refuse(request("mara", "operator", "key_rotated", { agent: "zoe" }), "KEY_GUARD");
  await stage.accept(request("mara", "operator", "key_rotated", { agent: "cleo" }));
});

test("making a project ready twice makes it once", async () => {
  const place = temporaryPlace();
  const first = await initialize(place, undefined);
  const second = await initialize(place, undefined);
  expect([first.isNew, second.isNew]).toEqual([true, false]);
  expect(second.keys).toEqual(first.keys);
  expect(first.keys.map(({ agent }) => agent)).toEqual(["sworn", "operator"]);
});
