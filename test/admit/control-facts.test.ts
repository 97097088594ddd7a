import { expect, test } from "vitest";
import { controlFacts } from "../../src/admit/index.ts";

test("an engine that refuses nothing can enforce every control", () => {
  const facts = controlFacts([]);
  expect(Object.keys(facts)).toHaveLength(18);
  expect(Object.values(facts).every((holds) => holds)).toBe(true);
});

test("what an engine refuses is false, and the rest stays true", () => {
  const facts = controlFacts([{ control: "memory" }, { control: "seccomp" }]);
  expect(Object.entries(facts).filter(([, holds]) => !holds)).toEqual([
    ["seccomp", false],
    ["memory", false],
  ]);
});

test("a refusal that nobody understands leaves nothing to rely on", () => {
  expect(Object.values(controlFacts([{ control: "gravity" }])).some((holds) => holds)).toBe(false);
});
