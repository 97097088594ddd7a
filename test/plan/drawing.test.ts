import { expect, test } from "vitest";
import {
  checkPlan,
  criticalPath,
  drawMermaid,
  drawSvg,
  drawText,
  layersOf,
  someNames,
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

/** A plan of many subtasks, each behind those that `dependsOn` names. */
function large(count: number, dependsOn: (at: number) => string[]): Plan {
  return drawn("Part", (plan) => {
    const first = plan.subtasks[0] as Plan["subtasks"][number];
    plan.subtasks = Array.from({ length: count }, (_, at) => {
      const id = `ST-${String(at + 1).padStart(2, "0")}`;
      return { ...first, id, depends_on: dependsOn(at) };
    });
  });
}

test("a thousand subtasks side by side are a picture that fits a window, with no box on another", () => {
  const svg = drawSvg(large(1_000, (at) => (at === 999 ? ["ST-01", "ST-500"] : [])));
  const [, width = "", height = ""] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  expect(Number(width)).toBeLessThan(7_000);
  expect(Number(height)).toBeLessThan(7_000);
  const boxes = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => [x, y]);
  expect(new Set(boxes.map(String)).size).toBe(1_000);
  expect(Math.max(...boxes.map(([, y]) => Number(y)))).toBeLessThan(Number(height));
  // Whoever waits stands below all that could be waited for.
  const edges = [...svg.matchAll(/<path d="M\d+ (\d+)C.* (\d+)" fill/g)];
  expect(edges).toHaveLength(2);
  for (const [, from, to] of edges) expect(Number(to)).toBeGreaterThan(Number(from));
});

test("a long list of names is cut, and says how many are left", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `ST-${at}`);
  expect(someNames(names.slice(0, 24))).toBe(names.slice(0, 24).join(", "));
  expect(someNames(names, " → ")).toBe(`${names.slice(0, 24).join(" → ")} → … (976 more)`);
  const text = drawText(
    large(500, (at) => (at === 499 ? names.slice(0, 400) : [])),
    new Set(),
  );
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(400);
});

test("only the steps of the longest chain are bold, and a longer way goes around the boxes between", () => {
  const chain = large(3, (at) => [[], ["ST-01"], ["ST-01", "ST-02"]][at] ?? []);
  const ways = [...drawSvg(chain).matchAll(/<path d="M(\d+) \d+C(\S+) .* stroke-width="(\d)"/g)];
  expect(ways.map(([, from, bend, bold]) => [bend === from, bold])).toEqual([
    [true, "3"],
    [false, "1"],
    [true, "3"],
  ]);
});

test("a name is cut off at its box, however wide its letters are", () => {
  const svg = drawSvg(drawn("W漢".repeat(40)));
  expect(svg).toMatch(
    /<svg x="\d+" y="\d+" width="20\d" height="56"><text[^>]*>[^<]*<\/text><text/,
  );
});
