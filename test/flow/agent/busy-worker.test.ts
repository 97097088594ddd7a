import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ChosenAgent } from "../../../src/flow/agent/choose-agent.ts";
import { AgentWorker } from "../../../src/flow/work/agent-worker.ts";
import type { WorkOrder } from "../../../src/flow/work/work-parts.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld, shellAgent } from "./agent-world.ts";

const ASK = [
  "echo more >> work.txt",
  'curl -sf -d "{}" "$OPENAI_BASE_URL/messages" || exit 1',
  "echo 'Created `work.txt`.'",
].join("\n");

test("a worker whose model is busy goes on later, on what it left, and no try of its subtask is used up", async () => {
  const statuses = [429, 503];
  const server = createServer((request, response) => {
    response.statusCode = statuses.shift() ?? 200;
    request.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const world = await AgentWorld.open();
  world.project.commit({ "ask.sh": ASK });
  const chosen = {
    name: "coder",
    config: AgentConfig.parse({ driver: "command", argv: ["sh", "ask.sh"] }),
    driver: shellAgent("sh ask.sh"),
    service: { endpoint, keyEnv: undefined },
  } as unknown as ChosenAgent;
  const steps: string[] = [];
  const left = await new AgentWorker(world.runner, chosen).work({
    task: "task-1",
    at: world.project.git("rev-parse", "HEAD").trim(),
    staging: "out",
    prompt: "Do it.",
    signal: new AbortController().signal,
    onStep: (words: string) => steps.push(words),
  } as unknown as WorkOrder);
  expect(left).toMatchObject({ status: "completed", refuted: [] });
  expect(world.project.git("show", `${left.commit}:work.txt`)).toBe("more\nmore\nmore");
  expect(steps.filter((words) => words.includes("works as run"))).toHaveLength(3);
});
