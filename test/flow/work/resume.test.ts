import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workFolder, worksOf } from "../../../src/flow/work/work.ts";
import { cancelWork } from "../../../src/flow/work/work-lock.ts";
import type { WorkEvent } from "../../../src/flow/work/work-scene.ts";
import { gateway, honest, planOf, subtask, WorkWorld } from "./work-world.ts";

const PLAN = planOf([subtask("ST-01"), subtask("ST-02", { depends_on: ["ST-01"] })]);

/** Ends the runtime where it says this: nothing of what comes after it happens. */
async function diesAt(world: WorkWorld, moment: string): Promise<string> {
  const onEvent = ({ about, words }: WorkEvent) => {
    if (`${about} ${words}` === moment) throw new Error("killed");
  };
  await expect(world.run(PLAN, { onEvent, parallel: 1 })).rejects.toThrow("killed");
  const [work] = worksOf(world.place);
  return work?.id ?? "";
}

test.each(["ST-01 is being proven", "ST-01 is proven", "mechanical passes"])(
  "a work that dies at %j is gone on with, and nothing that ended well is done again",
  async (moment) => {
    const world = await WorkWorld.open();
    const id = await diesAt(world, moment);
    const { report } = await world.resume(id);
    expect(report).toMatchObject({ status: "completed", unproven: [] });
    expect(world.worker.orders.map((order) => order.subtask.id)).toEqual(["ST-01", "ST-02"]);
    expect(world.project.git("show", `${report.branch}:st-02.txt`)).toBe("ST-02");
    expect(await world.verified(report.trace)).toBe("pass");
    await expect(world.resume(id)).rejects.toThrow("has come to its end");
  },
);

test("a try that a death cut short does not count as the worker's", async () => {
  const world = await WorkWorld.open((order, attempt) =>
    order.subtask.id === "ST-01" && attempt === 1 ? {} : honest(order),
  );
  const id = await diesAt(world, "ST-01 is given to a worker");
  const { report } = await world.resume(id, { triesMax: 2 });
  expect(report.status).toBe("completed");
  expect(report.subtasks[0]?.tries.map(({ why }) => why)).toEqual([
    "the runtime was ended before the try was",
    expect.stringMatching(/^ST-01 handed in no output\.json: expected/),
    undefined,
  ]);
});

test("a full disk is nobody's failed try: the work stays open, and goes on when there is room", async () => {
  let isFull = true;
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
  });
  const world = await WorkWorld.open((order) => {
    if (isFull) throw new Error("its run could not be recorded", { cause: full });
    return honest(order);
  });
  await expect(world.run(PLAN)).rejects.toThrow("its run could not be recorded");
  const [work] = worksOf(world.place);
  expect(work?.isEnded).toBe(false);
  isFull = false;
  const { report } = await world.resume(work?.id ?? "", { triesMax: 1 });
  expect(report).toMatchObject({ status: "completed", unproven: [] });
});

test("files beside the record are not asked: sentinels that are gone or forged change nothing", async () => {
  const world = await WorkWorld.open();
  const id = await diesAt(world, "ST-02 is given to a worker");
  const staging = join(world.project.path, ".forge-staging/build-1");
  rmSync(join(staging, "polecat_ST-01"), { recursive: true });
  mkdirSync(join(staging, "polecat_ST-02"));
  writeFileSync(join(staging, "polecat_ST-02/POLECAT_DONE"), "{}");
  rmSync(join(world.place.store, "work", id, "report.json"), { force: true });
  const { report } = await world.resume(id);
  expect(report.status).toBe("completed");
  expect(world.worker.tries("ST-01").length).toBe(1);
  expect(world.worker.tries("ST-02").length).toBe(1);
  expect(existsSync(join(staging, "polecat_ST-01/POLECAT_DONE"))).toBe(true);
});

test("a work that somebody cancels keeps what is done, and waits for whoever goes on", async () => {
  const world = await WorkWorld.open(async (order, attempt) => {
    if (order.subtask.id !== "ST-02" || attempt > 1) return honest(order);
    cancelWork(workFolder(world.place, worksOf(world.place)[0]?.id ?? ""));
    await new Promise((resolve) => order.signal.addEventListener("abort", resolve, { once: true }));
    return { status: "cancelled" };
  });
  const { report, folder } = await world.run(PLAN);
  expect(report).toMatchObject({ status: "open" });
  expect(await world.verified(report.trace)).toBe("pass-with-warnings");
  expect(() => cancelWork(folder)).toThrow("nobody works on");
  const again = await world.resume(report.work, { triesMax: 1 });
  expect(again.report.status).toBe("completed");
  expect(world.worker.tries("ST-01").length).toBe(1);
});

test("two processes never work on one work", async () => {
  const { opened, open } = gateway();
  const world = await WorkWorld.open(async (order, attempt) => {
    await opened;
    return honest(order, attempt);
  });
  const running = world.run(PLAN);
  while (worksOf(world.place).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const id = worksOf(world.place)[0]?.id ?? "";
  await expect(world.resume(id)).rejects.toThrow("another process works on it");
  open();
  expect((await running).report.status).toBe("completed");
});
