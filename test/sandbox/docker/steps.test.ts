import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { execute, StepGate } from "../../../src/run/index.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { daemonForFile, digestOf } from "./daemon.ts";

const file = daemonForFile();
const GATE = "/run/sworn/gate";

/** Two commands in one container, with something done between them. */
async function both(name: string, before: string, after: string, change: () => void = () => {}) {
  const { daemon } = file;
  const shared = join(daemon.folder, name);
  mkdirSync(shared, { mode: 0o700 });
  const engine = new DockerEngine({
    host: `unix://${daemon.socket}`,
    state: join(daemon.folder, "state"),
  });
  if (engine.owner) chownSync(shared, engine.owner.uid, engine.owner.gid);
  const gate = await StepGate.open(shared);
  const limits = Limits.parse({ step_seconds: 60 });
  const prepared = await engine.prepare({
    id: name,
    root: { kind: "image", id: daemon.image, digest: digestOf("busybox") },
    before: { argv: ["sh", "-c", before], gate: StepGate.within(GATE) },
    argv: ["sh", "-c", after],
    cwd: "/workspace/data",
    env: { PATH: "/usr/bin:/bin" },
    mounts: [{ source: shared, target: GATE, isWritable: false }],
    limits,
  });
  let heard = "";
  const executed = await execute(prepared, {
    limits,
    signal: new AbortController().signal,
    onOutput: (_, chunk) => {
      heard += chunk.toString();
    },
    between: { gate, change: async () => change() },
  });
  prepared.release();
  return { executed, heard };
}

test("a command before the task runs in the same container, and what it leaves running ends", async () => {
  const changes: string[] = [];
  const { executed, heard } = await both(
    "steps-both",
    "(while :; do sleep 1; done) & echo kept > file; echo one",
    "cat file; ls /proc | grep -c '^[0-9]'; exit 7",
    () => changes.push("changed"),
  );
  expect(executed).toMatchObject({ before: { code: 0 }, end: { code: 7 } });
  const [one, kept, processes] = heard.split("\n");
  expect([one, kept, changes]).toEqual(["one", "kept", ["changed"]]);
  expect(Number(processes)).toBeLessThanOrEqual(4);
});

test("a command before the task that fails is all that runs", async () => {
  const { executed, heard } = await both("steps-one", "exit 3", "echo never");
  expect(executed).toMatchObject({ before: { code: 3 }, end: { code: 3 } });
  expect(heard).toBe("");
});
