import { expect, test } from "vitest";
import { worldIn } from "./way.ts";

const SWORN = { role: "runtime" } as const;
const lease = (number: number) => ({
  number,
  holder: `r${number}`,
  expires_at: "2030-01-01T00:00:00.000Z",
});
const HELLO = { text: "t" };

test("what was written under another lease than the standing one is refused", () => {
  const world = worldIn("planning");
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
  const world = worldIn("planning");
  const take = (number: number) => world.ask("lease_taken", lease(number), SWORN)?.rule;
  const end = (number: number) => world.ask("lease_ended", { number }, SWORN)?.rule;
  expect([take(0), take(2), end(1)]).toEqual(["ORDER_GUARD", "ORDER_GUARD", "ORDER_GUARD"]);
  world.take("lease_taken", lease(1), SWORN);
  expect([take(1), take(3), end(2)]).toEqual(["ORDER_GUARD", "ORDER_GUARD", "ORDER_GUARD"]);
  world.take("lease_ended", { number: 1 }, SWORN);
  expect([take(1), take(2)]).toEqual(["ORDER_GUARD", undefined]);
});

test("an agent has one status a beat, in the order of beats", () => {
  const world = worldIn("planning");
  const status = (agent_id: string, beat_index: number) => ({
    agent_id,
    beat_index,
    state: "idle",
  });
  const claim = (...which: Parameters<typeof status>) =>
    world.ask("status_claimed", status(...which), SWORN)?.rule;
  expect(claim("zoe", 1)).toBe("ORDER_GUARD");
  world.take("status_claimed", status("eli", 2), SWORN);
  expect([claim("eli", 2), claim("eli", 1)]).toEqual(["ORDER_GUARD", "ORDER_GUARD"]);
  expect([claim("eli", 3), claim("cleo", 0)]).toEqual([undefined, undefined]);
});
