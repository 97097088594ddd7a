import { expect, test } from "vitest";
import * as z from "zod";
import type { ChosenAgent } from "../../../src/flow/agent/choose-agent.ts";
import { askForWord, askStranger } from "../../../src/flow/work/ask-agent.ts";
import { Unheard } from "../../../src/flow/work/unheard.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld, shellAgent } from "./agent-world.ts";

test("an agent that gives no answer is told apart from a store that cannot be read", async () => {
  const world = await AgentWorld.open();
  const asked = (script: string) => {
    const argv = ["sh", "-c", script];
    const config = AgentConfig.parse({ driver: "command", argv });
    const chosen = { name: "ada", driver: shellAgent(script), service: undefined, config };
    const { signal, onStep } = world.request(script);
    const prompt = "Is it so?";
    const { runner } = world;
    return { runner, chosen: chosen as unknown as ChosenAgent, task: "t", prompt, signal, onStep };
  };
  const shape = z.strictObject({ verdict: z.string() });
  const silent = { code: "AGENT_UNHEARD", message: expect.stringContaining("gave no answer") };
  await expect(askForWord(asked("echo Perhaps."), shape)).rejects.toMatchObject(silent);
  await expect(askStranger(asked("exit 3"))).rejects.toMatchObject(silent);
  expect(new Unheard("the judge", "it was silent")).toMatchObject(silent);
});
