import { expect, test } from "vitest";
import { schedule } from "../../../src/flow/work/schedule.ts";
import { WorkGraph, whyLocked } from "../../../src/flow/work/work-graph.ts";
import type { SubtaskStatus } from "../../../src/schema/work.ts";
import { planOf, subtask } from "./work-world.ts";

const NEVER = new AbortController().signal;

/** A graph by its edges, and a start that makes everything proven. */
function world(edges: Readonly<Record<string, readonly string[]>>) {
  const ids = Object.keys(edges);
  const plan = planOf(ids.map((id) => subtask(id, { depends_on: [...(edges[id] ?? [])] })));
  const status = new Map<string, SubtaskStatus>(ids.map((id) => [id, "waiting"]));
  const begun: string[] = [];
  const scheduled = {
    ...{ graph: new WorkGraph(plan), ids, parallel: 8, signal: NEVER },
    statusOf: (id: string) => status.get(id),
    start: async (id: string) => {
      begun.push(id);
      status.set(id, "running");
      await Promise.resolve();
      status.set(id, "proven");
    },
  };
  return { scheduled, status, begun };
}

test("a subtask begins once, when all that it stands on is done, however many end at once", async () => {
  const all = ["ST-01", "ST-02", "ST-03"];
  const { scheduled, begun } = world({ "ST-01": [], "ST-02": [], "ST-03": [], "ST-04": all });
  await schedule(scheduled);
  expect(begun).toEqual(["ST-01", "ST-02", "ST-03", "ST-04"]);
});

test("no more work at a time than may, and what fails holds up what stands on it alone", async () => {
  const { scheduled, status, begun } = world({
    "ST-01": [],
    "ST-02": [],
    "ST-03": ["ST-01"],
    "ST-04": ["ST-02"],
  });
  let most = 0;
  await schedule({
    ...scheduled,
    parallel: 1,
    start: async (id) => {
      most = Math.max(most, [...status.values()].filter((one) => one === "running").length + 1);
      await scheduled.start(id);
      if (id === "ST-01") status.set(id, "failed");
    },
  });
  expect(begun).toEqual(["ST-01", "ST-02", "ST-04"]);
  expect(most).toBe(1);
});

test("a ring is never begun, and nothing new begins once it is called off or something broke", async () => {
  const ring = world({ "ST-01": ["ST-02"], "ST-02": ["ST-01"] });
  await schedule(ring.scheduled);
  expect(ring.begun).toEqual([]);
  const controller = new AbortController();
  const off = world({ "ST-01": [], "ST-02": [] });
  const start = async (id: string) => {
    controller.abort();
    await off.scheduled.start(id);
  };
  await schedule({ ...off.scheduled, parallel: 1, start, signal: controller.signal });
  expect(off.begun).toEqual(["ST-01"]);
  const broken = world({ "ST-01": [], "ST-02": [] });
  const fails = async () => {
    throw new Error("a full disk");
  };
  await expect(schedule({ ...broken.scheduled, parallel: 1, start: fails })).rejects.toThrow(
    "disk",
  );
});

test("a work is locked until everything that the plan asks for was given out and is done", () => {
  const status: Record<string, SubtaskStatus> = { "ST-01": "proven", "ST-02": "waived" };
  const statusOf = (id: string) => status[id];
  const planned = ["ST-01", "ST-02"];
  const open = { planned, expected: planned, dispatched: new Set(planned), statusOf };
  expect(whyLocked(open)).toEqual([]);
  // All of nothing is done: that unlocks nothing.
  expect(whyLocked({ ...open, planned: [], expected: [], dispatched: new Set() })).toEqual([
    "nothing was given out",
  ]);
  expect(whyLocked({ ...open, dispatched: new Set(["ST-01"]) })).toEqual([
    "ST-02 was not given out",
  ]);
  expect(whyLocked({ ...open, expected: ["ST-01"] })).toEqual(["ST-02 was not expected"]);
  expect(whyLocked({ ...open, planned: ["ST-01"] })).toEqual(["ST-02 is not in the plan"]);
  for (const other of ["waiting", "running", "failed", "blocked"] as const) {
    const states = (id: string) => (id === "ST-01" ? other : "proven");
    expect(whyLocked({ ...open, statusOf: states })).toEqual([`ST-01 is ${other}`]);
  }
});
