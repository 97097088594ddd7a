import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SwornError } from "../../../src/base/index.ts";
import type { Replanner } from "../../../src/flow/work/replan.ts";
import { worksOf } from "../../../src/flow/work/work.ts";
import { type Act, honest, planOf, subtask, WorkWorld } from "./work-world.ts";

test("what a worker writes into the store's place is no part of a change, whatever its proofs say", async () => {
  const act: Act = (order) => {
    const own = honest(order);
    return { ...own, files: { ...own.files, ".sworn/tasks/x/trace": "trace_X\n" } };
  };
  const world = await WorkWorld.open(act);
  const { report } = await world.run(planOf([subtask("ST-01")]), { triesMax: 1 });
  expect(report.reason).toBe(
    "ST-01 failed after 1 try: it changes .sworn/tasks/x/trace, which is the store's and nobody's to write",
  );
});

test("a ghost node of one letter excuses no debt", async () => {
  const world = await WorkWorld.open((order) => ({
    ...honest(order),
    files: { "st-01.txt": "// TODO handle empty titles\n" },
  }));
  const plan = planOf([subtask("ST-01", { ghost_nodes: ["t", "hand"] })]);
  expect((await world.run(plan)).report.reason).toContain(
    "leaves a debt that the plan does not list",
  );
});

test("two works on one plan at the same time both come to their end, in one staging folder", async () => {
  const world = await WorkWorld.open();
  const plan = planOf(["ST-01", "ST-02", "ST-03", "ST-04"].map((id) => subtask(id)));
  const both = await Promise.all([world.run(plan), world.run(plan), world.run(plan)]);
  expect(both.map(({ report }) => report.status)).toEqual(["completed", "completed", "completed"]);
  expect(new Set(both.map(({ report }) => report.branch)).size).toBe(3);
  const sentinel = ".forge-staging/build-1/polecat_ST-04/POLECAT_DONE";
  expect(existsSync(join(world.project.path, sentinel))).toBe(true);
  for (const { report } of both) expect(await world.verified(report.trace)).toBe("pass");
});

test("a planner is told what is wrong with its answer, and asked three times at most", async () => {
  const world = await WorkWorld.open((order) =>
    order.subtask.id === "ST-02" ? {} : honest(order),
  );
  const plan = planOf([subtask("ST-01"), subtask("ST-02")]);
  const other = planOf([subtask("ST-01"), subtask("ST-03")]);
  const told: (string | undefined)[] = [];
  const replanner = (good: number): Replanner => ({
    replan: async ({ rejected }) => {
      told.push(rejected);
      return told.length === good ? other : undefined;
    },
    check: (value) =>
      value === undefined
        ? { why: `answer ${told.length} has no proofs` }
        : { plan: value as typeof other, report: {} },
  });
  const third = await world.run(plan, { replanner: replanner(3), triesMax: 1 });
  expect(third.report.status).toBe("completed");
  expect(told.splice(0)).toEqual([undefined, "answer 1 has no proofs", "answer 2 has no proofs"]);
  const never = await world.run(plan, { replanner: replanner(4), triesMax: 1 });
  expect(never.report.reason).toMatch(/^ST-02 failed after 1 try/);
  expect(told).toHaveLength(3);
});

test("a disk that is full while commits are put together ends nothing: the work goes on from there", async () => {
  const world = await WorkWorld.open();
  const third = {
    depends_on: ["ST-01", "ST-02"],
    context_required: { "ST-01": ["path"], "ST-02": ["path"] },
  };
  const plan = planOf([subtask("ST-01"), subtask("ST-02"), subtask("ST-03", third)]);
  const maker = Object.assign(world.repository.commitMaker(), {
    merge: async () => {
      throw new SwornError("STORE_UNREADABLE", "git merge-tree failed: no space left on device");
    },
  });
  await expect(world.run(plan, { maker })).rejects.toThrow(/no space left/);
  const [open] = worksOf(world.place);
  expect(open?.isEnded).toBe(false);
  const { report } = await world.resume(open?.id ?? "");
  expect(report.status).toBe("completed");
  expect(report.subtasks.map(({ tries }) => tries.length)).toEqual([1, 1, 1]);
});
