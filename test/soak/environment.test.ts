import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { DockerEngine } from "../../src/sandbox/docker/index.ts";
import {
  buildEnvironment,
  openEnvironment,
  packagesOf,
} from "../../src/sandbox/environment/index.ts";
import { BwrapEngine, type Engine } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { startDaemon } from "../sandbox/docker/daemon.ts";

const TOOLS = "git --version; curl --version | head -1; jq --version; socat -V | head -1; whoami";

async function ran(engine: Engine, path: string, digest: string): Promise<string> {
  const prepared = await engine.prepare({
    id: `soak-${engine.name}`,
    root: { kind: "folder", path, digest },
    argv: ["sh", "-c", TOOLS],
    cwd: "/workspace/data",
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8" },
    mounts: [],
    limits: Limits.parse({}),
  });
  expect(prepared.controls.filter(({ holds }) => !holds)).toEqual([]);
  prepared.begin();
  const [out, err, end] = await Promise.all([
    text(prepared.stdout),
    text(prepared.stderr),
    prepared.end,
  ]);
  prepared.release();
  expect([err, end.code]).toEqual(["", 0]);
  return out;
}

test("base is built twice with the same digest, and runs the same in both engines", async () => {
  const folder = temporaryFolder();
  // Bubblewrap started by root looks for the environment as somebody else.
  chmodSync(folder, 0o755);
  const steps: string[] = [];
  const state = join(folder, "state");
  const onStep = (step: string): void => void steps.push(step);
  const one = await buildEnvironment("base", { state, onStep });
  const other = await buildEnvironment("base", { state: join(folder, "other") });
  expect(other.digest).toBe(one.digest);
  expect(steps.some((step) => step.includes("extracting"))).toBe(true);
  const names = one.packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(packagesOf("base")));

  const { root } = await openEnvironment(state, "base", { isThorough: true });
  expect(readFileSync(join(root, "etc/passwd"), "utf8")).toContain("chorus:x:1000:1000");
  const daemon = await startDaemon();
  onTestFinished(() => daemon.stop());
  const docker = new DockerEngine({ host: `unix://${daemon.socket}`, state });
  const out = await ran(docker, root, one.digest);
  expect(out).toMatch(/^git version .*\ncurl .*\njq.*\nsocat .*\nchorus\n$/);
  expect(await ran(new BwrapEngine(), root, one.digest)).toBe(out);
}, 600_000);
