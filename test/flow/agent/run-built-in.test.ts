import { expect, test } from "vitest";
import { runsOf } from "../../../src/flow/agent/known-runs.ts";
import { runBuiltInReviewers } from "../../../src/flow/agent/run-built-in.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import type { RunInfo } from "../../../src/schema/run-info.ts";
import { AgentWorld } from "./agent-world.ts";

test("a range that is none is a failed run, and said", async () => {
  const world = await AgentWorld.open();
  const config = AgentConfig.parse({ driver: "builtin" });
  if (config.driver !== "builtin") throw new Error("not built in");
  const { signal } = new AbortController();
  const asked = { agent: "builtin", config, task: "look", range: "nothing..HEAD", signal };
  await expect(runBuiltInReviewers(asked, world.runner.scene)).rejects.toThrow(/nothing/);
});

test("a review that is done stays done where nobody can be told", async () => {
  const world = await AgentWorld.open();
  const config = AgentConfig.parse({ driver: "builtin", reviewers: ["document"] });
  if (config.driver !== "builtin") throw new Error("not built in");
  const { signal } = new AbortController();
  const { scene } = world.runner;
  const told: string[] = [];
  const buses = Object.create(scene.buses, {
    ended: {
      value: async ({ status }: RunInfo) => {
        told.push(status);
        throw new Error("the bus takes nothing");
      },
    },
  }) as typeof scene.buses;
  // Started by the real one, whose members are its own.
  Object.defineProperty(buses, "started", { value: scene.buses.started.bind(scene.buses) });
  const asked = { agent: "builtin", config, task: "look", signal };
  await expect(runBuiltInReviewers(asked, { ...scene, buses })).rejects.toThrow(/takes nothing/);
  expect(told).toEqual(["completed"]);
  const [run] = runsOf(scene.place);
  expect(run?.info.status).toBe("completed");
});
