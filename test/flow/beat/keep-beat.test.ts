import { expect, onTestFinished, test } from "vitest";
import { reportBeats } from "../../../src/flow/beat/bar-report.ts";
import { busVoice } from "../../../src/flow/beat/bus-voice.ts";
import { keepBeat, type SeenStatus } from "../../../src/flow/beat/keep-beat.ts";
import { openBeat } from "../../../src/flow/beat/open-beat.ts";
import { ask, questionsOf, takeDefaults } from "../../../src/flow/talk/ask.ts";
import { enrolAgent, startRun } from "../../../src/flow/talk/join.ts";
import { readTrace } from "../../../src/flow/trace/look.ts";
import { BarReport, StatusClaim } from "../../../src/schema/beat-frame.ts";
import { verifies } from "../../verifies.ts";
import { LEAD, NIA, opened, talkPlace } from "../talk/scene.ts";

const BEAT_MS = 900_000;
const START_MS = Date.parse("2026-11-16T10:07:00.000Z");

async function scene() {
  const time = { now: START_MS };
  const on = await opened({ place: talkPlace({ clock: () => time.now }), task: "login" });
  await enrolAgent(on, NIA.agent, ["executor"]);
  const types = () => readTrace(on.place, on.trace).map(({ type }) => type);
  return { on, time, types };
}

const SEEN: SeenStatus = {
  agent_id: NIA.agent,
  state: "executing",
  metadata: {
    run_id: "run-1",
    image_digest: "sha256:1",
    workspace_manifest_hash: "2",
    goal_ids: "SHOP-PAY-004",
  },
};

async function kept(on: Awaited<ReturnType<typeof scene>>["on"], leads = false) {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const observe = () => [SEEN];
  const beats = await keepBeat({ voice: busVoice(on), phase: "work", observe, leads, onFault });
  onTestFinished(() => {
    beats.stop();
    expect(faults).toEqual([]);
  });
  return beats;
}

verifies("004-13", "what is seen of an active agent is claimed for each beat", async () => {
  const { on, time } = await scene();
  const beats = await kept(on);
  for (let beat = 0; beat < 3; beat += 1) {
    await beats.tick();
    time.now += BEAT_MS;
  }
  await beats.tick();
  await beats.end([{ ...SEEN, state: "completed" }]);
  const { beats: found, bars } = reportBeats(on.place, on.trace);
  expect(found.map(({ statuses }) => statuses.map(({ state }) => state))).toEqual([
    ["executing"],
    ["executing"],
    ["executing"],
    ["completed"],
  ]);
  for (const { beat, statuses } of found) {
    for (const status of statuses) {
      const claim = StatusClaim.parse(status);
      expect(claim.beat_index).toBe(beat.beat_index);
      expect(claim.hlc).toMatch(/^[0-9a-f:]{14,19}$/);
      expect(claim.metadata).toMatchObject({ ...SEEN.metadata, window_id: beat.window_id });
    }
  }
  for (const bar of bars) expect(BarReport.parse(bar).agents_reporting).toBe(1);
});

test("a short run opens one beat and claims one status, when it is over", async () => {
  const { on, types } = await scene();
  const before = types().length;
  const beats = await kept(on);
  await beats.tick();
  expect(types().length).toBe(before);
  await beats.end();
  expect(types().slice(before)).toEqual(["beat_opened", "status_claimed"]);
});

test("two that keep the beats of one trace open each beat once", async () => {
  const { on, time, types } = await scene();
  const other = await opened({ place: on.place, task: "login" });
  const [one, two] = [await kept(on), await kept(other)];
  for (let beat = 0; beat < 3; beat += 1) {
    time.now += BEAT_MS;
    await Promise.all([one.tick(), two.tick()]);
  }
  const indexes = reportBeats(on.place, on.trace).beats.map(({ beat }) => beat.beat_index);
  expect(indexes).toEqual([...new Set(indexes)]);
  expect(types().filter((type) => type === "beat_opened")).toHaveLength(3);
  expect(types().filter((type) => type === "status_claimed")).toHaveLength(3);
});

test("whoever leads renews its lease with each beat, and gives it back", async () => {
  const { on, time, types } = await scene();
  const beats = await kept(on, true);
  expect([beats.fence, on.cadence.lease?.isStanding]).toEqual([1, true]);
  time.now += BEAT_MS;
  await beats.tick();
  expect(beats.fence).toBe(2);
  expect(readTrace(on.place, on.trace).at(-1)).toMatchObject({
    type: "lease_taken",
    body: { number: 2 },
  });
  await beats.end();
  expect([types().at(-1), on.cadence.lease?.isStanding]).toEqual(["lease_ended", false]);
});

verifies(
  "004-12",
  "a question that is due in beats waits for beats, and for no clock",
  async () => {
    const { on, time } = await scene();
    const asked = await ask(on, LEAD, { text: "Why?", default: "So", question_id: "q1", beats: 2 });
    expect(asked).toMatchObject({ question_id: "q1" });
    const state = () => questionsOf(on).map(({ state: found }) => found);
    // Beats pass without time: three opened by hand.
    for (const expected of ["open", "open", "overdue"]) {
      await openBeat(on.place, on.trace, {});
      expect(state()).toEqual([expected]);
    }
    expect(reportBeats(on.place, on.trace).late).toMatchObject([{ kind: "question", about: "q1" }]);
    expect(await takeDefaults(on)).toEqual(["q1"]);
    // Time passes without a beat: nothing is late until one is opened.
    await ask(on, LEAD, { text: "How?", default: "So", question_id: "q2", beats: 1 });
    time.now += 20 * BEAT_MS;
    expect(state()).toEqual(["answered", "open"]);
    expect(reportBeats(on.place, on.trace).late).toEqual([]);
    expect(await takeDefaults(on)).toEqual(["q2"]);
  },
);

verifies("004-14", "what is stored is found by beat, window, logical time and goals", async () => {
  const { on } = await scene();
  const beats = await kept(on);
  await beats.end();
  const { record } = on;
  await record.call(on, {
    actor: { agent: NIA.agent, role: "executor" },
    type: "message_posted",
    body: { text: "The log of the tests." },
    artifacts: [{ name: "test-log", text: "3 passed" }],
  });
  const [beat] = reportBeats(on.place, on.trace).beats;
  const last = readTrace(on.place, on.trace).at(-1);
  expect(reportBeats(on.place, on.trace).evidence).toEqual([
    {
      hlc: last?.hlc,
      beat_index: beat?.beat.beat_index,
      window_id: beat?.beat.window_id,
      goal_ids: ["SHOP-PAY-004"],
      seq: last?.seq,
      type: "message_posted",
      agent: NIA.agent,
      artifacts: [{ name: "test-log", hash: last?.artifacts[0]?.hash }],
    },
  ]);
});

test("an agent is alive when a process of it is there, whatever it says", async () => {
  const { on } = await scene();
  const body = { run_id: "run-1", agent: NIA.agent, role: "executor", depth: 0 } as const;
  await startRun(on, body);
  await on.record({
    actor: { agent: NIA.agent, role: "executor" },
    type: "message_posted",
    body: { text: "I am alive and nearly done." },
  });
  // There is no folder of such a run, so that nobody was seen.
  expect(reportBeats(on.place, on.trace).alive).toEqual([]);
});
