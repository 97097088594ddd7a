import { describe, expect, test } from "vitest";
import { nextHlc } from "../../src/base/index.ts";

const NOON = Date.UTC(2026, 0, 1, 12);

describe("logical time", () => {
  test("follows the wall clock while that moves on", () => {
    const first = nextHlc(undefined, NOON);
    expect(first).toBe(`${NOON.toString(16).padStart(12, "0")}0000`);
    expect(nextHlc(first, NOON + 1)).toBe(`${(NOON + 1).toString(16).padStart(12, "0")}0000`);
  });

  test("counts within a millisecond and while the wall clock is behind", () => {
    const first = nextHlc(undefined, NOON);
    const second = nextHlc(first, NOON);
    const third = nextHlc(second, NOON - 60_000);
    expect([second, third].map((hlc) => hlc.slice(12))).toEqual(["0001", "0002"]);
    expect(first < second && second < third).toBe(true);
  });

  test("carries into the next millisecond when the counter is full", () => {
    const full = `${NOON.toString(16).padStart(12, "0")}ffff`;
    expect(nextHlc(full, NOON)).toBe(`${(NOON + 1).toString(16).padStart(12, "0")}0000`);
  });
});
