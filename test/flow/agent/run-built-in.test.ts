import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runBuiltInReviewers } from "../../../src/flow/agent/run-built-in.ts";
import { Bus } from "../../../src/flow/talk/bus.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld } from "./agent-world.ts";

test("the built-in reviewers are an agent like others: a run, a report of their own, the bus", async () => {
  const world = await AgentWorld.open();
  const { project, place, runner } = world;
  project.commit({
    "run.js": [
      'const { exec } = require("node:child_process");',
      "exports.list = function (req, res) {",
      '  exec("ls " + req.query.dir, (error, out) => res.end(out));',
      "};",
      "",
    ].join("\n"),
  });
  const config = AgentConfig.parse({ driver: "builtin", reviewers: ["security"] });
  if (config.driver !== "builtin") throw new Error("not built in");
  const { signal } = new AbortController();
  const asked = { agent: "builtin", config, task: "look", range: "HEAD~1..HEAD", signal };
  const info = await runBuiltInReviewers(asked, runner.scene);
  expect(info).toMatchObject({ status: "completed", output_origin: "agent" });
  expect(readFileSync(info.output_path, "utf8")).toContain("run.js:3");
  const bus = Bus.open({ place, task: "look" });
  const [run] = bus.talk().runs.values();
  bus.close();
  expect(run).toMatchObject({ run_id: info.run_id, end: { status: "completed" } });
});

test("a range that is none is a failed run, and said", async () => {
  const world = await AgentWorld.open();
  const config = AgentConfig.parse({ driver: "builtin" });
  if (config.driver !== "builtin") throw new Error("not built in");
  const { signal } = new AbortController();
  const asked = { agent: "builtin", config, task: "look", range: "nothing..HEAD", signal };
  await expect(runBuiltInReviewers(asked, world.runner.scene)).rejects.toThrow(/nothing/);
});
