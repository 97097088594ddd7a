import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { DeliverRecord } from "../../../src/flow/deliver/deliver-record.ts";
import { recordException } from "../../../src/flow/exception/record-exception.ts";
import type { Place } from "../../../src/flow/place.ts";
import { PlanningRecord } from "../../../src/flow/plan/planner/planning-record.ts";
import { StatusReader } from "../../../src/flow/status/project-status.ts";
import { answer, ask } from "../../../src/flow/talk/ask.ts";
import { readReviews } from "../../../src/flow/vote/read-reviews.ts";
import { workFolder } from "../../../src/flow/work/work.ts";
import { WorkLock } from "../../../src/flow/work/work-lock.ts";
import { workIdOf } from "../../../src/flow/work/work-scene.ts";
import { opening, recording, request, temporaryPlace } from "../../fake/sandbox.ts";
import type { Reachable } from "../requests.ts";
import { Stage } from "../stage.ts";
import { LEAD, said, talkAbout } from "../talk/scene.ts";
import { granted, OPERATOR, reviewScene } from "../vote/review-scene.ts";

const statusOf = (place: Place) => new StatusReader(place).read();
const linesOf = async (place: Place) =>
  (await statusOf(place)).items.map(
    ({ urgency, kind, state, waits_for }) => `${urgency} ${kind} ${state} ${waits_for}`,
  );

const TURNS: readonly (readonly [Reachable, string])[] = [
  ["planning", "waits session planning planner"],
  ["reviewing", "waits session reviewing critic"],
  ["executing", "waits session executing executor"],
  ["claiming", "waits session claiming executor"],
  ["auditing", "waits session auditing auditor"],
];

test.each(TURNS)("a session that is %s shows whose turn it is", async (state, line) => {
  const { place } = await Stage.at(state);
  expect(await linesOf(place)).toContain(line);
  expect((await statusOf(place)).sessions).toEqual({ open: 1, completed: 0, ended: 0 });
});

test.each(["completed", "failed", "aborted"] as const)(
  "a session that is %s waits for nobody and is counted",
  async (state) => {
    const { place } = await Stage.at(state);
    const { items, sessions } = await statusOf(place);
    expect(items.filter(({ urgency }) => urgency !== "unproven")).toEqual([]);
    expect(sessions.open).toBe(0);
    expect(sessions.completed + sessions.ended).toBe(1);
  },
);

test("a trace that was changed or shortened is the first item, and hides no other", async () => {
  const stage = await Stage.at("reviewing");
  const { place, id } = stage;
  const other = await Stage.at("planning", {}, place);
  stage.close();
  const db = new DatabaseSync(place.ledgerPath(id));
  db.exec("UPDATE entry SET line = replace(line, 'Do it', 'Do no') WHERE seq = 0");
  db.close();
  const { items } = await statusOf(place);
  expect(items.map(({ urgency, trace }) => [urgency, trace])).toEqual([
    ["damaged", id],
    ["waits", other.id],
  ]);
  expect(items[0]?.next).toBe(`sworn trace fsck ${id}`);
});

test("a trace whose end was cut off is damaged: its head outside knows more", async () => {
  const stage = await Stage.at("planning");
  const { place, id } = stage;
  await stage.accept(request("ada", "planner", "message_posted", { text: "More" }));
  stage.close();
  const db = new DatabaseSync(place.ledgerPath(id));
  db.exec("DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)");
  db.close();
  const [item] = (await statusOf(place)).items;
  expect(item).toMatchObject({
    urgency: "damaged",
    about: expect.stringContaining("acknowledged"),
  });
});

test("open questions say whom they wait for; an answered one is gone, one past its time is overdue", async () => {
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const bus = await talkAbout("login", { clock: () => nowMs });
  const { place } = bus;
  const deadline = "2026-01-02T00:00:00.000Z";
  said(
    await ask(bus, LEAD, { text: "Which?", default: "a", question_id: "which", tier: 3, deadline }),
  );
  said(await ask(bus, LEAD, { text: "When?", default: "b", question_id: "when", blocks: "st-01" }));
  const [first, second] = (await statusOf(place)).items;
  expect([first, second].map((one) => one?.waits_for).toSorted()).toEqual(["lead, or you", "you"]);
  expect([first, second].map((one) => one?.state).toSorted()).toEqual(["blocks st-01", "open"]);
  expect(second?.next).toMatch(/^sworn answer \w+ <text> --task \w+$/);
  said(await answer(bus, LEAD, "when", "Now"));
  expect((await statusOf(place)).items.map(({ name }) => name)).toEqual(["which"]);
  nowMs += 2 * 86_400_000;
  expect((await statusOf(place)).items[0]).toMatchObject({ urgency: "overdue", name: "which" });
});

test("a review waits for voters, and with a red vote for its authors", async () => {
  const scene = await reviewScene();
  const { completion_id: id } = granted(await scene.propose());
  expect(await linesOf(scene.place)).toContain("waits review REVIEW voters");
  granted(await scene.vote(OPERATOR, id, "red"));
  const { items } = await statusOf(scene.place);
  expect(items[0]).toMatchObject({ urgency: "blocked", kind: "review", waits_for: "its authors" });
  expect(items[0]?.next).toBe(`sworn status ${id} --review --task limit`);
});

test("a review of a session that was called off waits for nobody", async () => {
  const scene = await reviewScene();
  granted(await scene.propose());
  const body = { reason: "Enough of it" };
  await scene.bus.record({ actor: OPERATOR, type: "session_aborted", body });
  expect((await linesOf(scene.place)).filter((line) => line.includes(" review "))).toEqual([]);
  const [review] = readReviews(scene.place, scene.trace);
  expect(review).toMatchObject({ next: "nothing", blockers: ["its session has ended: aborted"] });
});

test("a blocked delivery stays until the same went through to the same place", async () => {
  const place = temporaryPlace();
  const work = "01j8z5v4n2k3m4p5q6r7s8t9vx";
  const objective = `deliver work ${work} to branch`;
  const refused = new DeliverRecord(place);
  await refused.asked(objective, {});
  await refused.decided({ rule: "F.5", reason: "a file differs" }, "branch", {});
  refused.close();
  const { items } = await statusOf(place);
  expect(items).toMatchObject([
    { urgency: "blocked", kind: "delivery", next: `sworn deliver ${work} --to branch` },
  ]);
  expect(items[0]?.about).toContain("F.5: a file differs");
  const done = new DeliverRecord(place);
  await done.asked(objective, {});
  await done.decided(undefined, "branch", {});
  await done.began();
  await done.completed("It arrived", {}, "Look at it.");
  done.close();
  expect((await statusOf(place)).items).toEqual([]);
});

test("a delivery of what failed is no item: nobody can hand it over", async () => {
  const { place, id } = await Stage.at("failed", { task: "work" });
  const refused = new DeliverRecord(place);
  await refused.asked(`deliver work ${workIdOf(id)} to branch`, {});
  await refused.decided({ rule: "U.3", reason: "the work failed" }, "branch", {});
  refused.close();
  expect((await linesOf(place)).filter((line) => line.includes("delivery"))).toEqual([]);
});

/** A planning of a task, as the planner leaves it. */
async function planning(place: Place, request: string, verdict?: string): Promise<void> {
  const record = PlanningRecord.open({ place, task: "login", request, agent: "thinker" });
  const heard = {
    text: "{}",
    toolCalls: 0,
    countedBy: "nothing",
    failure: undefined,
    ms: 0,
  } as const;
  const about = { step: "sweep", key: `k${request.length}`, prompt: request, attempt: 1 } as const;
  await record.heard({ ...about, heard: { ...heard, run: undefined }, violations: [] });
  if (verdict !== undefined) await record.ended(verdict);
  record.close();
}

test("a planning that was cut short is left open; one that ended, or was begun anew, is none of it", async () => {
  const place = temporaryPlace();
  await planning(place, "Titles need an address");
  expect(await linesOf(place)).toEqual(["blocked planning left open you"]);
  // Another request for the task: nobody goes on with the first.
  await planning(place, "Titles need two addresses");
  expect(await linesOf(place)).toEqual(["blocked planning left open you"]);
  expect((await statusOf(place)).sessions).toEqual({ open: 1, completed: 0, ended: 1 });
  await planning(place, "Titles need two addresses", "unusable");
  expect((await statusOf(place)).items).toEqual([]);
  expect((await statusOf(place)).sessions).toEqual({ open: 0, completed: 0, ended: 2 });
  await planning(place, "Titles need three addresses", "ready");
  expect((await statusOf(place)).items).toEqual([]);
  expect((await statusOf(place)).sessions).toEqual({ open: 0, completed: 1, ended: 2 });
});

test("an exception is told of in its last week, and not before", async () => {
  let nowMs = Date.parse("2030-01-01T00:00:00Z");
  const place = temporaryPlace({ clock: () => nowMs });
  mkdirSync(join(place.store, ".."), { recursive: true });
  const people = { owner: "eli", requester: "ada", approver: "mara" };
  await recordException(place, {
    ...{ rule: "W.1", reason: "The cache is large", ...people, secret_review: null },
    ...{ expires_at: "2030-01-20T00:00:00.000Z", rollback: "Build it anew" },
    scope: { tasks: ["build"], names: [] },
  });
  expect((await statusOf(place)).items).toEqual([]);
  nowMs = Date.parse("2030-01-15T00:00:00Z");
  expect(await linesOf(place)).toEqual(["expires exception stands eli"]);
  nowMs = Date.parse("2030-01-20T00:00:00Z");
  expect((await statusOf(place)).items).toEqual([]);
});

test("a work runs while somebody holds it, and is left open otherwise", async () => {
  const { place, id } = await Stage.at("executing", { task: "work" });
  const folder = workFolder(place, workIdOf(id));
  expect(await linesOf(place)).toEqual(["blocked work left open you"]);
  mkdirSync(folder, { recursive: true });
  const lock = WorkLock.take(folder);
  const { items } = await statusOf(place);
  expect(items).toMatchObject([{ urgency: "runs", next: `sworn cancel ${workIdOf(id)}` }]);
  lock.release();
  expect(await linesOf(place)).toEqual(["blocked work left open you"]);
});

/** The rendering of a run, as its runner leaves it. */
function writeRun(place: Place, id: string, more: object): void {
  const folder = join(place.talkFolder("login"), "runs", id);
  mkdirSync(folder, { recursive: true });
  const info = {
    ...{ version: 1, run_id: id, project_id: "p", task_id: "login", parent_run_id: null },
    ...{ previous_run_id: null, depth: 0, agent: "nia", pid: 1, pgid: 1, exit_code: 0 },
    ...{ start_time: "2026-01-01T00:00:00.000Z", end_time: "2026-01-01T00:01:30.000Z" },
    ...{ status: "completed", cwd: "/w", prompt_path: "/w/p", output_path: "/w/o" },
    ...{ output_origin: "agent", stdout_path: "/w/1", stderr_path: "/w/2" },
    ...{ process_ownership: "managed" },
    ...more,
  };
  writeFileSync(join(folder, "run-info.yaml"), JSON.stringify(info));
}

test("runs go on, were cut short, or said what is not so; their time is added up", async () => {
  const place = temporaryPlace();
  const running = { status: "running", end_time: null, exit_code: -1 };
  writeRun(place, "20260101-0000000000-1", running);
  writeRun(place, "20260101-0000000000-2", { ...running, runner: "999999999 1 gone" });
  const said = [{ text: "All tests pass", verdict: "HALLUCINATED", reason: "none ran" }];
  writeRun(place, "20260101-0000000000-3", { said });
  writeRun(place, "20260101-0000000000-4", {});
  expect(await linesOf(place)).toEqual([
    "blocked run cut short you",
    "unproven run refuted null",
    "runs run running nia",
  ]);
  expect((await statusOf(place)).cost).toMatchObject({ runs: 4, seconds: 180 });
  writeRun(place, "20260101-0000000000-5", { version: 2 });
  expect(await linesOf(place)).toEqual([
    "damaged run unreadable you",
    "blocked run cut short you",
    "unproven run refuted null",
    "runs run running nia",
  ]);
  expect((await statusOf(place)).cost).toMatchObject({ runs: 5, seconds: 180 });
});

test("tokens and money come from what was recorded of runs, and from nothing that was changed", async () => {
  const place = temporaryPlace();
  const use = { inputTokens: 10, outputTokens: 5, microUsd: 420_000, turns: 2, toolCalls: 0 };
  const text = { name: "use.json", text: JSON.stringify(use), media_type: "application/json" };
  await recording(place, [
    opening(),
    request("ada", "planner", "message_posted", { text: "Used" }, [text]),
  ]);
  const { cost } = await statusOf(place);
  expect(cost).toMatchObject({
    input_tokens: 10,
    output_tokens: 5,
    micro_usd: 420_000,
    unknown: 0,
  });
});

test("a second look reads what was written meanwhile", async () => {
  const stage = await Stage.at("planning");
  const reader = new StatusReader(stage.place);
  expect((await reader.read()).items[0]?.state).toBe("planning");
  const unit = { objective: "o", assumptions: [], required_tools: ["t"], expected_evidence: ["e"] };
  await stage.accept(
    request("ada", "planner", "proposal_created", { proposal_id: "p9", units: [unit] }),
  );
  expect((await reader.read()).items[0]?.state).toBe("reviewing");
});
