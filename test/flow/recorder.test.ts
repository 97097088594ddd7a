import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import type { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import type { EventRequest } from "../../src/schema/index.ts";
import { AGENTS, opening, temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { claim, evidence, finalStatement, message, proposal, review, work } from "./requests.ts";
import { Stage } from "./stage.ts";

const NO_ROOTS = { artifactRoots: [] };

/** Everything of a place that belongs to traces: folders, databases, heads. */
function remains(place: Place): string[] {
  const heads = join(place.keyFolder, "..", "heads");
  const traces = join(place.store, "traces");
  return [heads, traces].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
}

test("the same idempotency key twice has one effect", async () => {
  const stage = await Stage.at("planning");
  const once = { ...proposal("p1"), idem: "key-1" };
  await stage.accept(once);
  await stage.accept(once);
  expect(stage.entries().map(({ type }) => type)).toEqual([
    "session_initialized",
    "proposal_created",
  ]);
  stage.close();
  const again = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
  await again.accept(once, { ...proposal("p2"), idem: "key-2" }, once);
  expect(again.entries()).toHaveLength(3);
});

test("other words under a used idempotency key are refused, not taken for recorded", async () => {
  const stage = await Stage.at("planning");
  const once = { ...message("go on"), idem: "word" };
  await stage.accept(once, once);
  await stage.refuse({ ...message("stop"), idem: "word" }, "IDENTITY_GUARD");
  const [first, second] = ["a log", "another log"].map((text) => ({
    ...message("see"),
    idem: "log",
    artifacts: [{ text }],
  }));
  await stage.accept(first as EventRequest, first as EventRequest);
  await stage.refuse(second as EventRequest, "IDENTITY_GUARD");
  expect(stage.entries().filter(({ type }) => type === "message_posted")).toHaveLength(2);
});

test("an idempotency key that stands for something else is refused", async () => {
  const stage = await Stage.at("planning");
  await stage.accept({ ...proposal("p1"), idem: "key" });
  await stage.refuse({ ...message("hello"), idem: "key" }, "IDENTITY_GUARD");
});

test("a trace is continued after it was closed, by another recorder", async () => {
  const stage = await Stage.at("reviewing");
  stage.close();
  const again = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
  expect(again.state).toBe("reviewing");
  await again.accept(review("p1"), ...work(1), claim("c1"), finalStatement("c1"));
  expect(again.state).toBe("auditing");
  expect((await again.verify()).failures).toEqual([]);
});

test("a group is recorded up to the first refusal, and the next call goes on from there", async () => {
  const stage = await Stage.at("planning");
  const outcome = await stage.recorder.record(
    [proposal("p1"), review("p1"), review("p1"), message("never")],
    NO_ROOTS,
  );
  expect(outcome).toMatchObject({ recorded: 2, refusal: { rule: "ORDER_GUARD" } });
  expect(stage.state).toBe("executing");
  await stage.accept(...work(1));
  expect(stage.entries()).toHaveLength(6);
});

const STRANGERS = AGENTS.map(({ agent, roles }) => ({ agent: `${agent}2`, roles }));

test.each([
  ["an agent is named twice", "IDENTITY_GUARD", [...AGENTS, ...AGENTS.slice(0, 1)]],
  ["a role is missing", "ROLE_GUARD", AGENTS.slice(0, 2)],
  ["its opener is not in it", "ROLE_GUARD", STRANGERS],
  [
    "the runtime's name is taken",
    "IDENTITY_GUARD",
    [...AGENTS, { agent: "sworn", roles: ["critic"] }],
  ],
  ["there are two runtimes", "IDENTITY_GUARD", [...AGENTS, { agent: "zoe", roles: ["runtime"] }]],
])("a session that is refused because %s leaves no files", async (_, rule, agents) => {
  const place = temporaryPlace();
  const recorder = Recorder.start(place);
  const { refusal } = await recorder.record([opening({ agents })], NO_ROOTS);
  expect(refusal).toMatchObject({ kind: "refused", rule });
  expect(remains(place)).toEqual([]);
  expect(recorder.session).toBeUndefined();
  // The recorder itself is still good for a better beginning.
  expect(await recorder.record([opening()], NO_ROOTS)).toEqual({ recorded: 1 });
  recorder.close();
});

test("a session whose first group cannot be stored leaves no files", async () => {
  const place = temporaryPlace();
  const recorder = Recorder.start(place);
  const lost = { ...message("see this"), artifacts: [{ path: "no-such-file" }] };
  await expect(recorder.record([opening(), lost], NO_ROOTS)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  recorder.close();
  expect(remains(place)).toEqual([]);
});

test("a session whose agent has no usable key leaves no files", async () => {
  const place = temporaryPlace();
  const { key } = await place.keyring.ensure("eli");
  place.keyring.revoke("eli", key);
  const recorder = Recorder.start(place);
  await expect(recorder.record([opening()], NO_ROOTS)).rejects.toMatchObject({
    code: "KEY_UNUSABLE",
  });
  recorder.close();
  expect(remains(place)).toEqual([]);
});

test("a group that could not be finished is forgotten: the recorder knows what is on disk", async () => {
  const stage = await Stage.at("planning");
  const lost = { ...message("see this"), artifacts: [{ path: "no-such-file" }] };
  const attempt = stage.recorder.record([proposal("p1"), lost], NO_ROOTS);
  await expect(attempt).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(stage.session.size).toBe(stage.lines().length);
  if (stage.lines().length === 1) await stage.accept(proposal("p1"));
  expect((await stage.verify()).failures).toEqual([]);
});

test("a session without an operator gets one", async () => {
  const stage = await Stage.at("planning", {
    agents: AGENTS.filter(({ agent }) => agent !== "mara"),
  });
  expect(stage.session.agents.get("operator")?.roles).toEqual(["operator"]);
  expect(stage.session.agents.get("sworn")?.roles).toEqual(["runtime"]);
});

test("an artifact's name stands for its newest content at that place", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(evidence("log"), claim("c1", { evidence: ["log"] }));
  const other = { ...evidence("log"), artifacts: [{ name: "log", text: "newer" }] };
  await stage.accept(other, claim("c2", { evidence: ["log"] }));
  const claims = stage
    .entries()
    .flatMap((one) => (one.type === "claim_issued" ? [one.body.evidence] : []));
  expect(claims).toEqual([[sha256Hex("content of log")], [sha256Hex("newer")]]);
  await stage.refuse(claim("c3", { evidence: ["log", "nothing"] }), "EVIDENCE_GUARD");
});

/** A folder with a file in it, another beside it, and ways that lead out. */
function folders() {
  const root = temporaryFolder();
  const [inside, outside] = [join(root, "inside"), join(root, "outside")];
  for (const folder of [inside, outside]) mkdirSync(folder);
  writeFileSync(join(inside, "good.txt"), "good");
  writeFileSync(join(outside, "secret.txt"), "secret");
  symlinkSync(join(outside, "secret.txt"), join(inside, "link.txt"));
  symlinkSync(outside, join(inside, "door"));
  return { inside, outside };
}

test("artifacts by path come from the given folders and from nowhere else", async () => {
  const { inside, outside } = folders();
  const stage = await Stage.at("executing");
  const record = (path: string, ...roots: string[]) =>
    stage.recorder.record([{ ...evidence("a"), artifacts: [{ path }] }], { artifactRoots: roots });
  expect(await record("good.txt", inside)).toEqual({ recorded: 1 });
  expect(stage.last("artifact_recorded").artifacts).toMatchObject([
    { hash: sha256Hex("good"), bytes: 4, media_type: "application/octet-stream" },
  ]);
  const before = stage.lines();
  for (const path of [
    "../outside/secret.txt",
    join(outside, "secret.txt"),
    "link.txt",
    "door/secret.txt",
    ".",
  ]) {
    await expect(record(path, inside)).rejects.toMatchObject({ code: "PATH_ESCAPES" });
  }
  await expect(record("door", inside)).rejects.toMatchObject({ code: "PATH_ESCAPES" });
  await expect(record("none.txt", inside)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(record("good.txt")).rejects.toMatchObject({ code: "NOT_FOUND" });
  mkdirSync(join(inside, "folder"));
  await expect(record("folder", inside)).rejects.toMatchObject({ code: "INPUT_INVALID" });
  expect(stage.lines()).toEqual(before);
  expect(stage.place.artifacts.has(sha256Hex("secret"))).toBe(false);
});

test("every given folder counts, for absolute paths too", async () => {
  const { inside, outside } = folders();
  const stage = await Stage.at("executing");
  const record = (path: string) =>
    stage.recorder.record([{ ...evidence("a"), artifacts: [{ path }] }], {
      artifactRoots: [inside, outside],
    });
  expect(await record("secret.txt")).toEqual({ recorded: 1 });
  expect(await record(join(outside, "secret.txt"))).toEqual({ recorded: 1 });
});

test("a file may have a name that begins with two dots", async () => {
  const { inside } = folders();
  writeFileSync(join(inside, "..notes"), "notes");
  const stage = await Stage.at("executing");
  const outcome = await stage.recorder.record(
    [{ ...evidence("a"), artifacts: [{ path: "..notes" }] }],
    { artifactRoots: [inside] },
  );
  expect(outcome).toEqual({ recorded: 1 });
});

test("an artifact is given as text or as a path, not both, not neither", async () => {
  const stage = await Stage.at("executing");
  for (const artifact of [
    {},
    { text: "a", path: "b" },
    { text: "\ud800" },
    { text: "a", media_type: "text" },
  ]) {
    const attempt = stage.recorder.record([{ ...evidence("a"), artifacts: [artifact] }], NO_ROOTS);
    await expect(attempt).rejects.toMatchObject({ code: "INPUT_INVALID" });
  }
});

test("a clock that goes back does not take the logical time with it", async () => {
  let now = 1_700_000_000_000;
  const stage = await Stage.at("planning", {}, temporaryPlace({ clock: () => now }));
  now -= 3_600_000;
  await stage.accept(message("an hour earlier"), message("and again"));
  const times = stage.entries().map(({ hlc }) => hlc);
  expect(times).toEqual(times.toSorted());
  expect(new Set(times).size).toBe(3);
  expect((await stage.verify()).failures).toEqual([]);
});
