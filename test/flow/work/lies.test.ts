import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workAnswer } from "../../../src/cli/work-words.ts";
import type { Sentinel } from "../../../src/schema/work.ts";
import { type Act, honest, planOf, subtask, WorkWorld } from "./work-world.ts";

const stagedAt = (id: string) => `.forge-staging/build-1/polecat_${id}/output.json`;
const SENTINEL = ".forge-staging/build-1/polecat_ST-01/POLECAT_DONE";

function sentinelOf(world: WorkWorld): Sentinel {
  return JSON.parse(readFileSync(join(world.project.path, SENTINEL), "utf8")) as Sentinel;
}

test("who says that it is done and did nothing is given the proof's output, and not believed", async () => {
  const world = await WorkWorld.open(() => ({ output: { path: "st-01.txt" }, words: "All done!" }));
  const { report } = await world.run(planOf([subtask("ST-01")]));
  expect(report.status).toBe("failed");
  expect(report.reason).toBe(
    "ST-01 failed after 3 tries: a proof of ST-01 does not hold (file st-01.txt): expected st-01.txt, found nothing",
  );
  const [first, second] = world.worker.tries("ST-01").map(({ prompt }) => prompt);
  expect(first).not.toContain("looked for st-01.txt");
  expect(second).toContain("looked for st-01.txt");
  expect(existsSync(join(world.project.path, SENTINEL))).toBe(false);
  expect(world.project.git("branch", "--list", "sworn/*")).toBe("");
  // The one warning is that the session failed.
  expect(await world.verified(report.trace)).toBe("pass-with-warnings");
});

test("a failed proof is feedback, and a worker's own sentinel is a request that is said and replaced", async () => {
  const forged = { run: "run-1", contract_digest: "0".repeat(64), output_digest: "1".repeat(64) };
  const staged = { POLECAT_DONE: JSON.stringify(forged) };
  const act: Act = (order, attempt) =>
    attempt === 1 ? { output: { path: "x" } } : { ...honest(order), staged };
  const world = await WorkWorld.open(act);
  const { report } = await world.run(planOf([subtask("ST-01")]));
  expect(report.status).toBe("completed");
  const [tried] = report.subtasks;
  expect(tried?.tries.map(({ status }) => status)).toEqual(["failed", "proven"]);
  expect(tried?.tries[1]?.notes).toEqual([
    expect.stringMatching(/^the worker wrote a POLECAT_DONE itself.*it is of another contract/),
  ]);
  expect(sentinelOf(world)).toEqual({
    run: "run-2",
    contract_digest: report.contract_digest,
    output_digest: "ac4620aa99dbdb6eddebf4e47f32e88732ff2efb4b5ebdd1c354de0695b87abf",
  });
  expect(await world.verified(report.trace)).toBe("pass");
});

const LIES: Readonly<Record<string, Act>> = {
  "ST-01": () => ({ staged: { POLECAT_DONE: "done" } }),
  "ST-02": (order) => ({
    ...honest(order),
    files: { "st-02.txt": "1\n", "st-03.txt": "mine\n", "other.txt": "x\n", _temp_x: "" },
  }),
  "ST-03": () => ({}),
  "ST-04": (order) => ({
    ...honest(order),
    status: "failed",
    why: "it stalled, and was ended by stuck_seconds",
  }),
  "ST-05": honest,
  "ST-06": (order) => ({ ...honest(order), output: { other: 1 } }),
  "ST-07": (order) => ({
    ...honest(order),
    staged: { "POLECAT_DONE/inside": "a folder of that name" },
    files: { "st-07.txt": "", ".forge-staging/build-1/polecat_ST-02/output.json": "{}" },
  }),
};

test("each lie has its own reason, and holds up what stands on it alone", async () => {
  const world = await WorkWorld.open(
    (order, attempt) => LIES[order.subtask.id]?.(order, attempt) ?? {},
  );
  const judge = { kind: "judge" as const, criterion: "It reads well." };
  const plan = planOf([
    subtask("ST-01"),
    subtask("ST-02", { files: ["st-02.txt"] }),
    subtask("ST-03", { files: ["st-03.txt"] }),
    subtask("ST-04"),
    subtask("ST-05", { proofs: [judge] }),
    subtask("ST-06"),
    subtask("ST-07"),
    subtask("ST-08", { depends_on: ["ST-01"] }),
  ]);
  // Left by an earlier build: nobody may take it for this one's.
  const stale = join(world.project.path, SENTINEL);
  mkdirSync(join(stale, ".."), { recursive: true });
  writeFileSync(stale, "{}");
  const { report } = await world.run(plan, { triesMax: 1 });
  const whys = report.subtasks.map(({ tries }) => tries[0]?.why);
  expect(whys).toEqual([
    `ST-01 handed in no output.json: expected ${stagedAt("ST-01")} in its tree, as its prompt says; without it the work is partial`,
    "it changes _temp_x, which is outside of its files (st-02.txt)",
    `ST-03 handed in no output.json: expected ${stagedAt("ST-03")} in its tree, as its prompt says; without it the work is partial`,
    "its worker ended badly: it stalled, and was ended by stuck_seconds",
    expect.stringMatching(/^a proof of ST-05 could not be shown/),
    "output.json of ST-06 has no path",
    undefined,
    undefined,
  ]);
  expect(report.subtasks[1]?.tries[0]?.against).toEqual([
    "it changes _temp_x, which is outside of its files (st-02.txt)",
    "it changes other.txt, which is outside of its files (st-02.txt)",
    "it changes st-03.txt, which belongs to ST-03",
    "it leaves the scaffolding _temp_x",
  ]);
  expect(report.subtasks[6]?.tries[0]?.notes).toEqual([
    ".forge-staging/build-1/polecat_ST-02/output.json was not taken: it lies in the staging folder of another subtask",
  ]);
  expect(report.unproven).toContain("ST-08: it was not begun");
  expect(world.worker.tries("ST-08")).toEqual([]);
  expect(existsSync(stale)).toBe(false);
  expect(world.said("ST-01")).toContain("an older POLECAT_DONE was in its staging folder: removed");
  // What a worker left that ended badly is kept all the same.
  const ref = `refs/sworn/work/${report.work}/st-04.1`;
  expect(world.project.git("show", `${ref}:st-04.txt`)).toBe("ST-04");
});

test("what the runtime cannot decide is not tried again: that would not change it", async () => {
  const world = await WorkWorld.open();
  const judge = { kind: "judge" as const, criterion: "It reads well." };
  const { report } = await world.run(planOf([subtask("ST-01", { proofs: [judge] })]));
  expect(report.reason).toContain("after 1 try: a proof of ST-01 could not be shown");
});

test("a weakened test blocks in a team, and is told to the end to who works alone", async () => {
  const weakenedBy = async () => ({ weakened: ["a test demands less than before"], notes: [] });
  const world = await WorkWorld.open();
  const plan = planOf([subtask("ST-01")]);
  const solo = await world.run(plan, { weakenedBy, profile: "solo" });
  expect(solo.report.status).toBe("completed");
  expect(world.said("ST-01")).toContain("a test demands less than before");
  expect(solo.report.subtasks[0]?.tries[0]?.weakened).toEqual(["a test demands less than before"]);
  const { words } = workAnswer(solo);
  expect(words).toContain("\n1 test was weakened: ST-01: a test demands less than before\n");
  const many = Array.from({ length: 300 }, (_, at) => `test ${at} demands less`);
  const lost = async () => ({ weakened: many, notes: [] });
  const all = await world.run(plan, { weakenedBy: lost, profile: "solo" });
  expect(all.report.subtasks[0]?.tries[0]?.weakened?.slice(199)).toEqual([
    "test 199 demands less",
    "and 100 more",
  ]);
  expect(workAnswer(all).words).toContain("tests were weakened in ");
  const team = await world.run(plan, { weakenedBy, triesMax: 1 });
  expect(team.report.reason).toBe("ST-01 failed after 1 try: a test demands less than before");
});
