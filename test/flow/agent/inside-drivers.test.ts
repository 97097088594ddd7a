import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";
import { acpDriver } from "../../../src/agent/index.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld } from "./agent-world.ts";

const PEER = resolve(import.meta.dirname, "../../agent/inside/acp-peer.mjs");
const BUILT = resolve(import.meta.dirname, "../../../dist");

test("an agent behind the protocol works in the real sandbox, and what it did is saved", async () => {
  const config = AgentConfig.parse({ driver: "acp", argv: ["peer", "truth"] });
  if (config.driver !== "acp") throw new Error("expected an agent behind the protocol");
  const found = {
    path: PEER,
    argv: [process.execPath, PEER] as [string, string],
    version: undefined,
    folders: [dirname(PEER)],
  };
  const kinds: string[] = [];
  const world = await AgentWorld.open();
  const { info, saved } = await world.run("true", {
    driver: acpDriver(config, found, { node: process.execPath, built: BUILT }),
    onEvent: ({ kind }) => kinds.push(kind),
  });
  expect(info).toMatchObject({ status: "completed", exit_code: 0 });
  expect(kinds.at(-1)).toBe("answer");
  expect(saved?.changed).toMatchObject([{ path: "out.txt", how: "added" }]);
});
