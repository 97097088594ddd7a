import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ProgramDriver } from "../../../src/agent/index.ts";
import { agentBudget } from "../../../src/flow/agent/agent-budget.ts";
import { Ceiling } from "../../../src/flow/agent/ceiling.ts";
import { AgentLimits } from "../../../src/schema/agent.ts";
import { AgentWorld, shellAgent } from "./agent-world.ts";

const PRICE = { input: 3, output: 15 };
const KEY = "SWORN_AGENT_KEY";

/** A shell script that tells what it used, as drivers of real agents do. */
function telling(script: string, inputTokens: number, microUsd?: number): ProgramDriver {
  const usage = { kind: "usage" as const, inputTokens, outputTokens: 0 };
  return {
    ...shellAgent(script),
    reader: () => ({
      echoBytes: 0,
      tellsTools: true,
      take: () => [microUsd === undefined ? usage : { ...usage, microUsd }],
      end: () => [],
    }),
  };
}

async function open(spend: object) {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await AgentWorld.open({ [KEY]: "sk-real-0123456789" }, { runs: { spend } });
  const service = { endpoint, keyEnv: KEY };
  return (driver: ProgramDriver, limits: object = {}) =>
    world.runner.run(world.request("true", { driver, service, limits: AgentLimits.parse(limits) }));
}

test("what agents cost counts for the day, and what goes beyond it is refused", async () => {
  const run = await open({ per_day: 1 });
  const first = await run(telling("echo one", 300_000), { price: PRICE });
  expect(first.use?.microUsd).toBe(900_000);
  expect(first.info?.status).toBe("completed");
  const tooMuch = await run(telling("echo two", 1), { price: PRICE, micro_usd: 200_000 });
  expect(tooMuch.refused?.rule).toBe("X.4");
  const ended = await run(telling("echo three; sleep 60", 40_000), { price: PRICE });
  expect(ended.info?.error_summary).toBe("ended by runs.spend");
  const next = await run(telling("echo four", 1), { price: PRICE });
  expect(next.refused?.rule).toBe("X.4");
});

test("a run beyond the ceiling of each is ended, by its price or by its own word, whichever is more", async () => {
  const run = await open({ per_run: 0.5 });
  const told = await run(telling("echo one; sleep 60", 1, 600_000), { price: PRICE });
  expect(told.info?.error_summary).toBe("ended by runs.spend");
  const priced = await run(telling("echo one; sleep 60", 200_000, 1), { price: PRICE });
  expect(priced.info?.error_summary).toBe("ended by runs.spend");
  expect((await run(telling("echo one", 100_000), { price: PRICE })).info?.status).toBe(
    "completed",
  );
});

test("where a project has a ceiling, an agent whose price nobody named is refused", async () => {
  const run = await open({ per_run: 5 });
  const { refused } = await run(telling("echo one", 1));
  expect(refused?.rule).toBe("X.4");
  expect(refused?.reason).toContain("price");
});

test("without ceilings, or without a model, nothing is asked of anybody", async () => {
  const world = await AgentWorld.open();
  const limits = AgentLimits.parse({});
  const none = { spent_thousandths: 0, ceiling_thousandths: 0 };
  expect(agentBudget({ limits, hasModel: true }, undefined, world.place).facts).toEqual(none);
  const local = agentBudget({ limits, hasModel: false }, { per_run: 1 }, world.place);
  expect(local.facts).toEqual(none);
  expect(new Ceiling(limits, local.microUsdMax).passed).toBe(undefined);
});
