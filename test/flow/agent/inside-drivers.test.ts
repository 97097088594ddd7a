import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { acpDriver } from "../../../src/agent/index.ts";
import { runAgent } from "../../../src/flow/agent/run-agent.ts";
import { Place } from "../../../src/flow/place.ts";
import { AgentConfig, AgentLimits } from "../../../src/schema/agent.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const PEER = resolve(import.meta.dirname, "../../agent/inside/acp-peer.mjs");
const BUILT = resolve(import.meta.dirname, "../../../dist");

test("an agent behind the protocol works in the real sandbox, and what it did is saved", async () => {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const place = new Place({
    store: join(project.path, ".sworn"),
    state: join(project.home, "state"),
  });
  const config = AgentConfig.parse({ driver: "acp", argv: ["peer", "truth"] });
  if (config.driver !== "acp") throw new Error("expected an agent behind the protocol");
  const found = {
    path: PEER,
    argv: [process.execPath, PEER] as [string, string],
    version: undefined,
    folders: [dirname(PEER)],
  };
  const kinds: string[] = [];
  const { info, saved } = await runAgent({
    agent: "peer",
    driver: acpDriver(config, found, { node: process.execPath, built: BUILT }),
    limits: AgentLimits.parse({}),
    prompt: "Write it.",
    task: "task-1",
    folder: project.path,
    env: project.env,
    home: project.home,
    signal: new AbortController().signal,
    placeFor: () => place,
    onEvent: ({ kind }) => kinds.push(kind),
    onStep: () => {},
  });
  expect(info).toMatchObject({ status: "completed", exit_code: 0 });
  expect(kinds.at(-1)).toBe("answer");
  expect(saved?.changed).toMatchObject([{ path: "out.txt", how: "added" }]);
});
