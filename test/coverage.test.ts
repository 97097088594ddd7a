import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const HERE = import.meta.dirname;
const suites = readdirSync(HERE, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ts"),
);
const cited = new Set(
  suites.flatMap((name) =>
    [
      ...readFileSync(join(HERE, name), "utf8").matchAll(/verifies\(\s*(\[[^\]]*\]|"[^"]*")/g),
    ].flatMap((call) => [...(call[1] ?? "").matchAll(/\d{3}-\d+/g)].map((id) => id[0])),
  ),
);

test("every requirement that is said to be tested has a test", () => {
  const tested = Object.entries(REQUIREMENTS).filter(([, { state }]) => state === "tested");
  expect(tested.length).toBeGreaterThan(50);
  expect(tested.map(([id]) => id).filter((id) => !cited.has(id))).toEqual([]);
});

test("every cited requirement exists and is marked as tested", () => {
  const wrong = [...cited].filter((id) => REQUIREMENTS[id]?.state !== "tested");
  expect(wrong).toEqual([]);
});

test("the table holds every item of the five source documents", () => {
  const counts = { "000": 64, "001": 77, "002": 52, "003": 45, "004": 119 };
  for (const [seed, count] of Object.entries(counts)) {
    const expected = Array.from({ length: count }, (_, index) => `${seed}-${index + 1}`);
    expect(Object.keys(REQUIREMENTS).filter((id) => id.startsWith(seed))).toEqual(expected);
  }
});
