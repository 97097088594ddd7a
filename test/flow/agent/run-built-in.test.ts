import { expect, test } from "vitest";
import { runBuiltInReviewers } from "../../../src/flow/agent/run-built-in.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld } from "./agent-world.ts";

test("a range that is none is a failed run, and said", async () => {
  const world = await AgentWorld.open();
  const config = AgentConfig.parse({ driver: "builtin" });
  if (config.driver !== "builtin") throw new Error("not built in");
  const { signal } = new AbortController();
  const asked = { agent: "builtin", config, task: "look", range: "nothing..HEAD", signal };
  await expect(runBuiltInReviewers(asked, world.runner.scene)).rejects.toThrow(/nothing/);
});
