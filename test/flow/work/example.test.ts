import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doWork } from "../../../src/flow/work/do-work.ts";
import type { WorkEvent } from "../../../src/flow/work/work-scene.ts";
import { checkPlan } from "../../../src/plan/index.ts";
import { ExampleWork } from "./example-work.ts";
import { planOf, subtask } from "./work-world.ts";

const STAGING = ".forge-staging/lies";

test("the example: three subtasks of programs, each proven, on one branch", async () => {
  const example = await ExampleWork.open();
  // Here, in the source, the built-in reviewers have no thread to start; the built command has.
  const review = async () => ({ verdict: "pass" as const, by: "a fake", reasons: [] });
  const { report } = await example.work("plan.json", { profile: "strict", review });
  expect(report).toMatchObject({ status: "completed", unproven: [] });
  expect(report.gates.map(({ gate, verdict }) => `${gate} ${verdict}`)).toEqual([
    "proofs pass",
    "self pass",
    "reviewer pass",
    "mechanical pass",
  ]);
  const { project } = example;
  // The copies with their sentinels stay where the plan says, and are nobody's change.
  expect(readdirSync(join(project.path, ".forge-staging/slugs")).toSorted()).toEqual([
    "polecat_ST-01",
    "polecat_ST-02",
    "polecat_ST-03",
  ]);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.git("show", `${report.branch}:docs/slugs.md`)).toContain("At most 60 characters");
  const changed = project.git("diff", "--name-only", example.start, `${report.branch}`).split("\n");
  expect(changed).toEqual([
    "config/slug.json",
    "docs/slugs.md",
    "src/slug.js",
    "test/slug.test.js",
  ]);
}, 60_000);

test("a check that only a judge can make is refused before any worker starts, unless it is waived", async () => {
  const { runner, start, events } = await ExampleWork.open();
  const judged = subtask("ST-01", { proofs: [{ kind: "judge", criterion: "It is kind" }] });
  const plan = planOf([judged]);
  const gated = { plan, report: checkPlan(plan), held: new Set(["ST-01"]), questions: [] };
  const { signal } = new AbortController();
  const onEvent = (event: WorkEvent) => void events.push(event);
  const options = { profile: "solo", signal, onEvent, start } as const;
  await expect(doWork(runner, gated, options)).rejects.toThrow(
    /ST-01 has a check that only a judge can make.*roles\.judge/,
  );
  expect(events).toEqual([]);
  const letThrough = [{ subtask: "ST-01", reason: "nobody is there to ask" }];
  const { report } = await doWork(runner, gated, { ...options, letThrough });
  expect(report.subtasks).toMatchObject([{ id: "ST-01", status: "waived" }]);
}, 60_000);

test("its twin: a worker that lies in eleven ways is caught in each", async () => {
  const example = await ExampleWork.open();
  const { path } = example.project;
  mkdirSync(join(path, STAGING, "polecat_ST-03"), { recursive: true });
  writeFileSync(join(path, STAGING, "polecat_ST-03/POLECAT_DONE"), "{}");
  const { report } = await example.work("lies.json", {
    agent: "liar",
    profile: "team",
    triesMax: 1,
  });
  const caught = Object.fromEntries(
    report.subtasks.map(({ id, status, tries }) => [id, `${status}: ${tries[0]?.why ?? ""}`]),
  );
  expect(caught).toEqual({
    "ST-01": expect.stringMatching(/^failed: a proof of ST-01 does not hold.*docs\/one\.md/),
    "ST-02": expect.stringMatching(/^failed: ST-02 handed in no output\.json/),
    "ST-03": expect.stringMatching(/^failed: ST-03 handed in no output\.json/),
    "ST-04": expect.stringMatching(/^failed: a proof of ST-04 does not hold.*before/),
    "ST-05": expect.stringMatching(
      /^failed: test\/words\.test\.js.*a title without words has none/,
    ),
    "ST-06": expect.stringMatching(/^failed: test\/words\.test\.js.*words are in lower case/),
    "ST-07": "failed: it changes config/ten.json, which belongs to ST-10",
    "ST-08": "failed: its worker ended badly: exit code 3",
    "ST-09": "failed: its worker ended badly: it stalled, and was ended by stuck_seconds",
    "ST-10": "proven: ",
    "ST-11": expect.stringMatching(/^failed: a proof of ST-11 does not hold.*docs\/eleven\.md/),
  });
  const notes = report.subtasks.flatMap(({ id, tries }) =>
    (tries[0]?.notes ?? []).map((one) => `${id}: ${one}`),
  );
  const lie = 'its worker said "All tests pass.": no test was run: no process was a test runner';
  const lied = ["01", "02", "03", "04", "05", "06", "07", "10", "11"];
  expect(notes.filter((one) => one.includes("its worker said"))).toEqual(
    lied.map((number) => `ST-${number}: ${lie}`),
  );
  expect(notes.filter((one) => !one.includes("its worker said"))).toEqual([
    expect.stringMatching(/^ST-02: the worker wrote a POLECAT_DONE itself.*another contract/),
    expect.stringMatching(/^ST-10: the worker wrote a POLECAT_DONE itself.*another contract/),
  ]);
  const stale = example.events.filter(({ words }) => words.includes("older POLECAT_DONE"));
  expect(stale.map(({ about }) => about)).toEqual(["ST-03"]);
  const sentinel = readFileSync(join(path, STAGING, "polecat_ST-10/POLECAT_DONE"), "utf8");
  expect(JSON.parse(sentinel)).toMatchObject({ contract_digest: report.contract_digest });
  expect(report.status).toBe("failed");
  expect(report.branch).toBe(undefined);
}, 60_000);
