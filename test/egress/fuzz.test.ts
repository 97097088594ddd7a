import { expect, test } from "vitest";
import { fuzzFor } from "./fuzz.ts";
import { generateRequests } from "./request-generator.ts";

test("whatever is sent, upstream sees only what a rule allows", async () => {
  const { connections, passed } = await fuzzFor(3_000, 1);
  expect(connections).toBeGreaterThan(20);
  expect(passed).toBeGreaterThan(5);
});

test("the generator makes sound requests too, and the same ones for the same seed", () => {
  const take = (seed: number) => {
    const requests = generateRequests(seed, "h");
    return Array.from({ length: 200 }, () => String(requests.next().value));
  };
  const sound = "GET /left-pad HTTP/1.1\r\nHost: h\r\n\r\n";
  expect(take(7).filter((text) => text === sound).length).toBeGreaterThan(20);
  expect(take(7)).toEqual(take(7));
  expect(take(7)).not.toEqual(take(8));
});
