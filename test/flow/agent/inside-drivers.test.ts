import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";
import { acpDriver, modelDriver } from "../../../src/agent/index.ts";
import { AgentConfig, type AgentEvent } from "../../../src/schema/agent.ts";
import { calls, refuse, says, serve } from "../../agent/inside/scripted-service.ts";
import { AgentWorld } from "./agent-world.ts";

const PEER = resolve(import.meta.dirname, "../../agent/inside/acp-peer.mjs");

/** An agent behind the protocol that does what its mode says. */
function peer(mode: string) {
  const config = AgentConfig.parse({ driver: "acp", argv: ["peer", mode] });
  if (config.driver !== "acp") throw new Error("expected an agent behind the protocol");
  return acpDriver(config, {
    path: PEER,
    argv: [process.execPath, PEER],
    version: undefined,
    folders: [dirname(PEER)],
  });
}

function model(endpoint: string) {
  const config = AgentConfig.parse({
    driver: "model",
    provider: "compatible",
    model: "m",
    endpoint,
  });
  if (config.driver !== "model") throw new Error("expected a model");
  return modelDriver(config);
}

test("an agent behind the protocol works in the real sandbox, and what it did is saved", async () => {
  const world = await AgentWorld.open();
  const events: AgentEvent[] = [];
  const { info, saved } = await world.run("true", {
    driver: peer("truth"),
    onEvent: (event) => events.push(event),
  });
  expect(info).toMatchObject({ status: "completed", exit_code: 0 });
  expect(events.at(-1)?.kind).toBe("answer");
  expect(saved?.changed).toMatchObject([{ path: "out.txt", how: "added" }]);
});

test("in a run that can speak to the runtime, such an agent is told how", async () => {
  const world = await AgentWorld.open({}, {});
  const answers: string[] = [];
  await world.run("true", {
    driver: peer("servers"),
    onEvent: (event) => event.kind === "answer" && answers.push(event.text),
  });
  const [server] = JSON.parse(answers[0] ?? "[]");
  expect(server).toMatchObject({ name: "sworn", args: ["mcp"] });
});

test("a model works in the real sandbox, through the proxy, without its credential", async () => {
  const { asked, endpoint } = await serve([
    refuse(503),
    calls(
      ["write_file", { path: "src/c.ts", content: "export const c = 2;\n" }],
      ["run", { argv: ["sh", "-c", "env; cat a.txt; ls /root /home 2>&1"] }],
    ),
    says("Created `src/c.ts`. Updated `src/b.ts`."),
  ]);
  const world = await AgentWorld.open({ SWORN_AGENT_KEY: "sk-real-0123456789" });
  const { info, said, use } = await world.run("true", {
    driver: model(endpoint),
    service: { endpoint, keyEnv: "SWORN_AGENT_KEY" },
  });
  expect(info).toMatchObject({ status: "completed", exit_code: 0 });
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(
    Array(3).fill("Bearer sk-real-0123456789"),
  );
  const [, , last] = asked;
  const results: string[] = last?.body.messages
    .slice(-2)
    .map((one: { content: string }) => one.content);
  expect(results[0]).toBe("20 bytes were written.");
  expect(results[1]).toContain("| one\n");
  expect(results[1]).not.toContain("sk-real");
  expect(use).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  expect(said.map(({ verdict }) => verdict)).toEqual(["CONFIRMED", "HALLUCINATED"]);
  expect(world.project.git("show", `${info?.ref}:src/c.ts`)).toBe("export const c = 2;");
  expect(readFileSync(info?.stderr_path ?? "", "utf8")).toMatch(/^asking again in \d s\n$/);
});

test("a busy model turns a fan-out away and none of it is lost; one that stays busy is what the run ends by", async () => {
  const world = await AgentWorld.open({ SWORN_AGENT_KEY: "sk-real-0123456789" });
  const run = (endpoint: string) =>
    world.run("true", {
      driver: model(endpoint),
      service: { endpoint, keyEnv: "SWORN_AGENT_KEY" },
    });
  const busy = await serve([...Array.from({ length: 4 }, () => refuse(429)), says("Done.")]);
  const all = await Promise.all(Array.from({ length: 4 }, () => run(busy.endpoint)));
  expect(all.map(({ info }) => info?.status)).toEqual(Array(4).fill("completed"));
  expect(busy.asked).toHaveLength(8);
  const storm = await serve([refuse(429, { message: "slow down" }, { "retry-after": "0" })]);
  const { info, troubles } = await run(storm.endpoint);
  expect(info?.error_summary).toMatch(/^exit code 1; its model: status 429: slow down/);
  expect(troubles[0]?.why).toBe("busy");
});
