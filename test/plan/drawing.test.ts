import { expect, test } from "vitest";
import {
  checkPlan,
  criticalPath,
  drawMermaid,
  drawSvg,
  drawText,
  layersOf,
} from "../../src/plan/index.ts";
import type { Plan } from "../../src/schema/plan.ts";
import { planWith, subtaskOf } from "./gate/a-plan.ts";

/** The example in our form, with names and dependencies of the test's own. */
function drawn(name: string, change: (plan: Plan) => void = () => {}): Plan {
  const { plan } = checkPlan(
    planWith((one) => {
      subtaskOf(one, 0).name = name;
    }),
  );
  if (!plan) throw new Error("the example is no plan any more");
  change(plan);
  return plan;
}

const HOSTILE =
  '"]; click ST-01 "javascript:alert(1)"\n  ST-09[<img src=x onerror=alert(1)>] --> `x` \u202e</text><script>';

test("a hostile name ends neither its label nor its line in Mermaid", () => {
  const lines = drawMermaid(drawn(HOSTILE)).split("\n");
  expect(lines).toHaveLength(11);
  const [, label = ""] = lines;
  expect(label).toMatch(/^ {2}ST-01\["ST-01 CODE<br\/>[^"[\]<>`]*"\]$/);
});

test("a hostile name is only text in a picture", () => {
  const svg = drawSvg(drawn(HOSTILE));
  expect(svg).not.toMatch(/<script|<img|\u202e/);
  expect(svg.match(/<g>/g)).toHaveLength(4);
  expect(svg).not.toMatch(/href|onerror=alert\(1\)>/);
});

test("layers, longest chain and a cycle", () => {
  const plan = drawn("a");
  expect(layersOf(plan)).toEqual([["ST-01"], ["ST-02", "ST-04"], ["ST-03"]]);
  expect(criticalPath(plan)).toEqual(["ST-01", "ST-02", "ST-03"]);
  const round = drawn("a", ({ subtasks }) => {
    subtasks[1]?.depends_on.push("ST-03");
  });
  expect(layersOf(round)).toEqual([["ST-01"], ["ST-04"]]);
  expect(drawText(round, new Set())).toContain("in or behind a cycle: ST-02, ST-03");
  expect(drawSvg(round)).toContain("ST-04");
});
