import { mkdirSync, symlinkSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { examineAgents } from "../../../src/flow/agent/examine-agents.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { AgentWorld } from "./agent-world.ts";

/** Agents of a project by their names, as they are seen by somebody with this environment. */
async function examined(
  agents: Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
  refusals: Parameters<typeof examineAgents>[1] = [],
) {
  const project = new GitFolder();
  project.write("sworn.yaml", JSON.stringify({ agents }));
  const { path: root, home } = project;
  const all = { PATH: process.env["PATH"], ...env };
  const found = await examineAgents({ root, env: all, home }, refusals);
  return (name: string) => found.find(({ agent }) => agent === name);
}

const shell = { driver: "command", argv: ["sh", "-c", "true"] };

/** What somebody who connects there sends, and the address. */
async function listening() {
  const sent: Buffer[] = [];
  const server = createServer((socket) => socket.on("data", (chunk) => void sent.push(chunk)));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return { sent, port: address.port };
}

test("where no sandbox can be made no agent is ready, and nothing confines it", async () => {
  const missing = [{ control: "engine", reason: "bubblewrap is not installed" }];
  const one = (await examined({ fixer: shell }, {}, missing))("fixer");
  expect(one?.confined_by).toBe("nothing: no sandbox can be made here");
  expect(one?.missing).toEqual(["bubblewrap is not installed"]);
});

test("the engine is asked by whoever does not know what it can enforce", async () => {
  const project = new GitFolder();
  const bin = join(project.home, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  project.write("sworn.yaml", JSON.stringify({ agents: { fixer: shell } }));
  const before = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  // The engine looks for its program where the runtime's own PATH says.
  process.env["PATH"] = bin;
  const { path: root, home } = project;
  const env = { PATH: [bin, before].join(delimiter) };
  const found = await examineAgents({ root, env, home });
  const one = found.find(({ agent }) => agent === "fixer");
  expect(one?.missing).toEqual([expect.stringContaining("bubblewrap")]);
});

test("a model whose endpoint nobody listens at is not ready, and one that somebody does is", async () => {
  const { sent, port } = await listening();
  const model = { driver: "model", provider: "compatible", model: "x" };
  const key_env = "SWORN_AGENT_KEY";
  const of = await examined(
    {
      here: { ...model, endpoint: `http://127.0.0.1:${port}/v1`, key_env },
      away: { ...model, endpoint: "http://127.0.0.1:1/v1" },
    },
    { SWORN_AGENT_KEY: "sk-precious" },
  );
  expect(of("here")?.missing).toEqual([]);
  expect(of("away")?.missing).toEqual(["nobody answers at localhost:1: ECONNREFUSED"]);
  expect(Buffer.concat(sent).toString()).toBe("");
});

test("where the network asks for a proxy, it is the proxy that is looked for", async () => {
  const endpoint = "https://models.example.org/v1";
  const of = await examined(
    { far: { driver: "model", provider: "compatible", model: "x", endpoint } },
    { HTTPS_PROXY: "http://127.0.0.1:1" },
  );
  const what = "the proxy 127.0.0.1:1, on the way to models.example.org";
  expect(of("far")?.missing).toEqual([`nobody answers at ${what}: ECONNREFUSED`]);
});

test("a host that the project names is not connected to", async () => {
  const asked = vi.spyOn(Socket.prototype, "connect");
  onTestFinished(() => asked.mockRestore());
  const endpoint = "https://models.example.org/v1";
  const of = await examined({
    far: { driver: "model", provider: "compatible", model: "x", endpoint },
  });
  expect(of("far")?.missing).toEqual([]);
  expect(asked).not.toHaveBeenCalled();
});

test("a model without an endpoint is as wrong here as in a run", async () => {
  const of = await examined({ lost: { driver: "model", provider: "compatible", model: "x" } });
  expect(of("lost")?.missing).toEqual([
    'the model x has no address: expected "endpoint" in its settings',
  ]);
});

test("a run that is longer than the policies let it be is said to be", async () => {
  const of = await examined({
    long: { ...shell, limits: { seconds: 901 } },
    fits: { ...shell, limits: { seconds: 900 } },
  });
  expect(of("fits")?.missing).toEqual([]);
  expect(of("long")?.missing).toEqual([
    "limits.seconds: the policies refuse a run of 901 seconds, expected at most 900",
  ]);
  const world = await AgentWorld.open();
  const asked = world.request("true");
  const run = (seconds: number) =>
    world.runner.run({ ...asked, limits: { ...asked.limits, seconds } });
  expect((await run(900)).refused).toBe(undefined);
  expect((await run(901)).refused?.reason).toContain("(found: 901 seconds)");
});
