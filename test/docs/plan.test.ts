import { expect, test } from "vitest";
import * as z from "zod";
import { checkPlan, handoverOf, RULES } from "../../src/plan/index.ts";
import { Handover, type Plan } from "../../src/schema/plan.ts";
import { blocksOf, read } from "./markdown.ts";

const PAGE = read("docs/formats/plan.md");
const documents = blocksOf(PAGE)
  .filter(({ language }) => language === "json")
  .map(({ lines }) => JSON.parse(lines.join("\n")) as object);

test("the page has every rule of the gate, and no other", () => {
  const table = PAGE.slice(PAGE.indexOf("## 3."), PAGE.indexOf("## 4."));
  const named = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  expect(named.sort()).toEqual(Object.keys(RULES).sort());
});

test("its documents are what the code writes for the example", () => {
  const report = checkPlan(JSON.parse(read("examples/plan-verimap.json")));
  const { ready, points, deductions, violations, questions } = report;
  expect(documents.slice(1)).toEqual([
    handoverOf(report),
    { ready, points, deductions, violations, questions },
  ]);
  expect(Handover.safeParse(documents[1]).success).toBe(true);
});

test("what covers a check on the page stands in a shipped plan", () => {
  const { subtasks } = JSON.parse(read("examples/run/page.json")) as Plan;
  const [{ verification_functions, proofs } = {}] = subtasks;
  expect(documents[0]).toEqual({
    natural_language_checks: verification_functions?.natural_language_checks.slice(1),
    proofs: proofs?.slice(1),
  });
});

test.each(["work/plan.json", "work/lies.json", "run/plan.json", "run/page.json"])(
  "the shipped plan %s needs no judge: programs alone show all of it",
  (name) => {
    const { plan, violations } = checkPlan(JSON.parse(read(`examples/${name}`)));
    expect(violations).toEqual([]);
    expect(plan?.subtasks.flatMap(({ proofs }) => proofs.map(({ kind }) => kind))).not.toContain(
      "judge",
    );
  },
);

test("the two examples are one plan in two forms, and both are ready", () => {
  const own = JSON.parse(read("examples/plan.json")) as object;
  expect(checkPlan(JSON.parse(read("examples/plan-verimap.json"))).plan).toEqual(own);
  expect(checkPlan(own)).toMatchObject({ form: "plan", ready: true, points: 95 });
});

test("the published schemas take the examples and refuse an unknown member", () => {
  for (const name of ["plan.json", "plan-verimap.json"]) {
    const document = JSON.parse(read(`schemas/${name}`)) as z.core.JSONSchema.JSONSchema;
    const schema = z.fromJSONSchema(document);
    const example = JSON.parse(read(`examples/${name}`)) as object;
    expect(schema.safeParse(example).success, name).toBe(true);
    expect(schema.safeParse({ ...example, more: 1 }).success, name).toBe(false);
  }
});
