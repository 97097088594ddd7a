import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPlan } from "../../../src/plan/index.ts";
import { aPlan } from "./a-plan.ts";

/** Every place of a value, as paths. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) => placesOf(one, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

const PLACES = placesOf(aPlan());
const PIECES = [
  "should work",
  "GIVEN",
  "WHEN x THEN",
  "File a.json exists at path",
  "assert",
  "result[",
  "test_x()",
  "`",
  '"',
  "(",
  "\u0000",
  "ST-01",
  "..",
];
const text = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary" })), {
  maxLength: 6,
});
const anything = fc.oneof(
  text.map((parts) => parts.join(" ")),
  fc.jsonValue(),
  fc.constant(undefined),
);

test("whatever stands anywhere in a plan, the gate answers, and a violation is never ready", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), anything, (path, put) => {
      const plan: Record<string, unknown> = structuredClone(aPlan());
      let at = plan;
      for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
      at[path.at(-1) ?? ""] = put;
      const report = checkPlan(plan);
      expect(report.points).toBeGreaterThanOrEqual(0);
      expect(report.points).toBeLessThanOrEqual(100);
      expect(report.ready && report.violations.length + report.questions.length > 0).toBe(false);
      // What comes out as a plan of our own form is one.
      if (report.plan) expect(checkPlan(report.plan).form).toBe("plan");
      if (report.ready) expect(checkPlan(report.plan).violations).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
