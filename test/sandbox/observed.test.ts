import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { BwrapEngine, type Engine } from "../../src/sandbox/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { redTeam } from "./red-team.ts";

const bwrap = new BwrapEngine();
const HOST = { kind: "host" } as const;
/** The same engine, for tasks that are watched from outside: what is not allowed stays so. */
const engine: Engine = {
  name: "bwrap",
  owner: bwrap.owner,
  examine: () => bwrap.examine(),
  prepare: (task) => bwrap.prepare({ ...task, isObserved: true }),
  reap: () => bwrap.reap(),
};
redTeam(() => ({ engine, root: HOST }));

const DIST = resolve(import.meta.dirname, "../../dist");
/** Starts a sandbox that is watched and does nothing, and says which processes it is. */
const SCRIPT = `
import { BwrapEngine } from "${DIST}/sandbox/index.js";
import { Limits } from "${DIST}/schema/execution.js";
const prepared = await new BwrapEngine().prepare({
  id: "left", root: { kind: "host" }, argv: ["sleep", "300"], cwd: "/", mounts: [],
  env: { PATH: "/usr/bin:/bin" }, limits: Limits.parse({}), isObserved: true,
});
// A line comes when a program has begun; what runs then can be asked.
prepared.trace.lines.on("data", () => {
  const processes = prepared.usage()?.processes ?? [];
  if (processes.some(({ argv }) => argv[0] === "sleep")) console.log(JSON.stringify(processes));
});
prepared.begin();
`;

test("when the runtime is killed, everything that it watched ends", async () => {
  const script = join(temporaryFolder(), "script.mjs");
  writeFileSync(script, SCRIPT);
  const runtime = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(runtime.stdout, "data")) as [Buffer];
  const seen = JSON.parse(line.toString()) as { pid: number; argv: string[] }[];
  const sleeper = seen.find(({ argv }) => argv[0] === "sleep")?.pid ?? 0;
  expect(existsSync(`/proc/${sleeper}`)).toBe(true);
  runtime.kill("SIGKILL");
  await once(runtime, "exit");
  await expect.poll(() => existsSync(`/proc/${sleeper}`), { timeout: 10_000 }).toBe(false);
  await engine.reap();
});
