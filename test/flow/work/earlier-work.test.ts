import { expect, test } from "vitest";
import { onEarlierWork } from "../../../src/flow/work/earlier-work.ts";
import type { PlanSubtask } from "../../../src/schema/plan.ts";
import {
  type Act,
  FakeWorker,
  honest,
  planOf,
  proveFiles,
  subtask,
  WorkWorld,
} from "./work-world.ts";

const SECOND = { depends_on: ["ST-01"], context_required: { "ST-01": ["path"] } };
const PLAN = planOf([subtask("ST-01"), subtask("ST-02", SECOND)]);

interface Again {
  readonly again?: Act;
  readonly struck?: readonly string[];
  readonly isProven?: boolean;
}

/** A work on the plan, and another one that begins with what it left. */
async function twice(
  reasons: readonly string[],
  { again = honest, struck = [], isProven = true }: Again = {},
) {
  const world = await WorkWorld.open();
  const one = (await world.run(PLAN)).report;
  expect(one.status).toBe("completed");
  const { repository, place, project } = world;
  const worker = new FakeWorker(repository, project.env, again);
  const maker = repository.commitMaker();
  const earlier = { trace: one.trace, reasons, struck };
  const proofs: string[] = [];
  let left = isProven ? 0 : 1;
  const prover = {
    prove: async (about: PlanSubtask, scene: Parameters<typeof proveFiles>[2]) => {
      proofs.push(`${about.id} from ${scene.before === world.start ? "the start" : "upstream"}`);
      const found = await proveFiles(repository, about, scene);
      if (about.id !== "ST-02" || left === 0) return found;
      left -= 1;
      return found.map((each) => ({ ...each, verdict: "fail" as const, reason: "not any more" }));
    },
  };
  const goingOn = await onEarlierWork(worker, earlier, { place, repository, maker });
  const { report } = await world.run(PLAN, { worker: goingOn, prover });
  const shown = (path: string) => project.git("show", `${report.commit}:${path}`);
  return { world, worker, report, proofs, shown, one };
}

test("only what was spoken against is done again, from what was left; all proofs are made again", async () => {
  const better: Act = (order) => ({ ...honest(order), files: { "more.txt": "more\n" } });
  const { worker, report, proofs, shown, world, one } = await twice(["st-01.txt says too little"], {
    again: better,
  });
  expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-01"]);
  expect(worker.orders[0]?.prompt).toContain("the files are as they were left");
  expect(report.status).toBe("completed");
  // What the worker did not touch is what the first work left.
  expect([shown("st-01.txt"), shown("st-02.txt"), shown("more.txt")]).toEqual([
    "ST-01",
    "ST-02",
    "more",
  ]);
  expect(proofs.filter((each) => each.startsWith("ST-01"))).toContain("ST-01 from the start");
  expect(proofs).toContain("ST-02 from upstream");
  // At the assembly, on the whole.
  expect(proofs).toContain("ST-02 from the start");
  expect(world.said("ST-02")).toContain(`kept from ${one.trace}: nothing was said against it`);
  expect(await world.verified(report.trace)).toBe("pass");
});

test("what is struck is done again, and what its reasons do not name is kept", async () => {
  const { worker } = await twice(["it is wrong"], { struck: ["ST-02"] });
  expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-02"]);
});

test.each([["it is slow"], ["st-01.txt.bak is wrong, and so is a/st-02.txt"]])(
  "where the reasons name nobody, everybody has to answer: %s",
  async (reason) => {
    const { worker } = await twice([reason]);
    expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-01", "ST-02"]);
  },
);

test("what rests on a value that is another one now is done again", async () => {
  const renamed: Act = (order) =>
    order.subtask.id === "ST-01" ? { ...honest(order), output: { path: "b.txt" } } : honest(order);
  const { worker, report } = await twice(["st-01.txt is wrong"], { again: renamed });
  expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-01", "ST-02"]);
  expect(worker.orders[1]?.prompt).toContain("b.txt");
  expect(report.status).toBe("completed");
});

test("what does not fit any more is begun anew, from what its upstreams left", async () => {
  const taking: Act = (order) =>
    order.subtask.id === "ST-01"
      ? { ...honest(order), files: { "st-01.txt": "ST-01\n", "st-02.txt": "of ST-01\n" } }
      : honest(order);
  const { worker, report, shown } = await twice(["st-01.txt is wrong"], { again: taking });
  expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-01", "ST-02"]);
  expect(worker.orders[1]?.prompt).not.toContain("the files are as they were left");
  expect([report.status, shown("st-02.txt")]).toEqual(["completed", "ST-02"]);
});

test("what was kept and is not proven any more is given to the worker", async () => {
  const { worker, report } = await twice(["st-01.txt is wrong"], { isProven: false });
  expect(worker.orders.map(({ subtask: { id } }) => id)).toEqual(["ST-01", "ST-02"]);
  expect(worker.orders[1]?.prompt).toContain("not any more");
  expect(report.status).toBe("completed");
});
