import { expect, test } from "vitest";
import { compareMoments } from "../../src/view/index.ts";
import { verifies } from "../verifies.ts";
import { worldIn } from "./way.ts";
import type { World } from "./world.ts";

const SWORN = { role: "runtime" } as const;
const lease = (number: number, holder = "r1", until_beat = 9) => ({ number, holder, until_beat });
const beat = (beat_index: number, more: object = {}) => ({
  beat_index,
  phase: "work",
  cluster_id: "local",
  window_id: "0".repeat(32),
  downbeat: false,
  beat_ms: 900_000,
  deadline_at: "2000-01-01T00:00:00.000Z",
  ...more,
});
const HELLO = { text: "t" };

function worldWithBeat(index = 8): World {
  const world = worldIn("planning");
  world.take("beat_opened", beat(index), SWORN);
  return world;
}

test("what was written under another lease than the standing one is refused", () => {
  const world = worldWithBeat();
  const say = (fence: number | undefined) =>
    world.ask("message_posted", HELLO, { ...SWORN, fence })?.rule;
  expect([say(undefined), say(1)]).toEqual([undefined, "ORDER_GUARD"]);
  world.take("lease_taken", lease(1), SWORN);
  expect([say(undefined), say(1), say(2)]).toEqual(["ORDER_GUARD", undefined, "ORDER_GUARD"]);
  world.take("lease_taken", lease(2), SWORN);
  expect([say(1), say(2)]).toEqual(["ORDER_GUARD", undefined]);
  world.take("lease_ended", { number: 2 }, SWORN);
  expect([say(undefined), say(2)]).toEqual([undefined, "ORDER_GUARD"]);
});

test("leases are counted without a gap, and a lease that does not stand cannot end", () => {
  const world = worldWithBeat();
  const take = (number: number) => world.ask("lease_taken", lease(number), SWORN)?.rule;
  const end = (number: number) => world.ask("lease_ended", { number }, SWORN)?.rule;
  expect([take(0), take(2), end(1)]).toEqual(["ORDER_GUARD", "ORDER_GUARD", "ORDER_GUARD"]);
  world.take("lease_taken", lease(1), SWORN);
  expect([take(1), take(3), end(2)]).toEqual(["ORDER_GUARD", "ORDER_GUARD", "ORDER_GUARD"]);
  world.take("lease_ended", { number: 1 }, SWORN);
  expect([take(1), take(2)]).toEqual(["ORDER_GUARD", undefined]);
});

test("another runtime takes over when the lease has run out by the beats of the record", () => {
  const world = worldWithBeat(8);
  world.take("lease_taken", lease(1, "r1", 9), SWORN);
  const takeOver = () => world.ask("lease_taken", lease(2, "r2", 11), SWORN)?.rule;
  expect(takeOver()).toBe("ORDER_GUARD");
  // Its own holder need not wait.
  expect(world.ask("lease_taken", lease(2, "r1", 11), SWORN)).toBeUndefined();
  world.take("beat_opened", beat(9), SWORN);
  expect(takeOver()).toBe("ORDER_GUARD");
  world.take("beat_opened", beat(10), SWORN);
  expect(takeOver()).toBeUndefined();
});

test("a lease needs a beat, and counts for a bounded number of them", () => {
  const bare = worldIn("planning");
  expect(bare.ask("lease_taken", lease(1, "r1", 0), SWORN)?.rule).toBe("ORDER_GUARD");
  const world = worldWithBeat(8);
  const until = (last: number) => world.ask("lease_taken", lease(1, "r1", last), SWORN)?.rule;
  expect([until(7), until(8), until(104), until(105)]).toEqual([
    "LIMIT_GUARD",
    undefined,
    undefined,
    "LIMIT_GUARD",
  ]);
});

verifies("004-12", "a trace has one clock, and it neither goes back nor runs away", () => {
  const world = worldWithBeat(8);
  const open = (index: number, more?: object) =>
    world.ask("beat_opened", beat(index, more), SWORN)?.rule;
  expect([open(8), open(7), open(9)]).toEqual(["ORDER_GUARD", "ORDER_GUARD", undefined]);
  expect(open(9, { cluster_id: "other" })).toBe("ORDER_GUARD");
  expect([open(100_008), open(100_009)]).toEqual([undefined, "LIMIT_GUARD"]);
});

verifies("004-12", "a question that is due by a beat is judged by beats alone", () => {
  const world = worldIn("planning");
  const question = { question_id: "q1", text: "Why?", default: "So", due_beat: 9 };
  world.take("question_asked", question, SWORN);
  const assumed = { question_id: "q1", answer: "So", by_default: true };
  const assume = () => world.ask("question_answered", assumed, SWORN)?.rule;
  expect(assume()).toBe("ACTION_GUARD");
  for (const [index, rule] of [
    [8, "ACTION_GUARD"],
    [9, "ACTION_GUARD"],
    [10, undefined],
  ] as const) {
    world.take("beat_opened", beat(index), SWORN);
    expect(assume(), `beat ${index}`).toBe(rule);
  }
});

test("an agent has one status a beat, in the order of beats, and none of a beat to come", () => {
  const world = worldIn("planning");
  const status = (agent_id: string, beat_index: number) => ({
    agent_id,
    beat_index,
    state: "idle",
  });
  const claim = (...which: Parameters<typeof status>) =>
    world.ask("status_claimed", status(...which), SWORN)?.rule;
  expect(claim("eli", 0)).toBe("ORDER_GUARD");
  world.take("beat_opened", beat(3), SWORN);
  expect(claim("zoe", 1)).toBe("ORDER_GUARD");
  world.take("status_claimed", status("eli", 2), SWORN);
  expect([claim("eli", 2), claim("eli", 1)]).toEqual(["ORDER_GUARD", "ORDER_GUARD"]);
  expect([claim("eli", 3), claim("cleo", 0)]).toEqual([undefined, undefined]);
  expect(claim("eli", 4)).toBe("ORDER_GUARD");
});

test("beats order before logical times do", () => {
  const moments = [
    { beat_index: 2, hlc: "0000000000010000" },
    { beat_index: 1, hlc: "ffff000000000000" },
    { beat_index: 2, hlc: "0000000000000001" },
  ];
  expect(moments.toSorted(compareMoments).map(({ hlc }) => hlc)).toEqual([
    "ffff000000000000",
    "0000000000000001",
    "0000000000010000",
  ]);
});
