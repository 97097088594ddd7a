import { expect, test } from "vitest";
import { ModelPace } from "../../../src/flow/agent/model-pace.ts";

function paced() {
  const clock = { ms: 1_000 };
  return { clock, pace: new ModelPace({ now: () => clock.ms }) };
}

test("a service that turns runs away is left alone for 1, 2, 4 seconds, and never for more than a minute", () => {
  const { clock, pace } = paced();
  const waits = Array.from({ length: 9 }, () => {
    pace.turnedAway("models.example.org");
    const ms = pace.waitMs("models.example.org");
    clock.ms += ms;
    return ms;
  });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(pace.waitMs("other.example.org")).toBe(0);
});

test("runs that were turned away together count once, so that a fan-out is not punished for its size", () => {
  const { pace } = paced();
  for (let run = 0; run < 8; run += 1) pace.turnedAway("models.example.org");
  expect(pace.waitMs("models.example.org")).toBe(1_000);
});

test("a service is left alone for as long as it asks for, and for five minutes at most", () => {
  const { clock, pace } = paced();
  pace.turnedAway("models.example.org", 20_000);
  expect(pace.waitMs("models.example.org")).toBe(20_000);
  // Another run was told more, though it was turned away together with the first.
  pace.turnedAway("models.example.org", 30_000);
  expect(pace.waitMs("models.example.org")).toBe(30_000);
  clock.ms += 30_000;
  pace.turnedAway("models.example.org", 1);
  expect(pace.waitMs("models.example.org")).toBe(2_000);
  pace.turnedAway("models.example.org", 86_400_000);
  expect(pace.waitMs("models.example.org")).toBe(300_000);
});

test("an answer ends the waiting", () => {
  const { clock, pace } = paced();
  pace.turnedAway("models.example.org");
  pace.answered("models.example.org");
  expect(pace.waitMs("models.example.org")).toBe(0);
  clock.ms += 1;
  pace.turnedAway("models.example.org");
  expect(pace.waitMs("models.example.org")).toBe(1_000);
});

test("whoever waits is let go when he is called off", async () => {
  const { pace } = paced();
  pace.turnedAway("models.example.org");
  const controller = new AbortController();
  const waiting = pace.ready("models.example.org", controller.signal);
  controller.abort();
  await expect(waiting).resolves.toBe(undefined);
});
