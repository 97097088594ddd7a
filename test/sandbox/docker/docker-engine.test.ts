import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import type { Prepared, Task } from "../../../src/sandbox/engine.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { type Daemon, digestOf, startDaemon } from "./daemon.ts";

let daemon: Daemon;
let engine: DockerEngine;
beforeAll(async () => {
  daemon = await startDaemon();
  engine = new DockerEngine({
    host: `unix://${daemon.socket}`,
    state: join(daemon.folder, "state"),
  });
});

let count = 0;
const taskOf = (argv: readonly string[], more: Partial<Task> = {}): Task => {
  count += 1;
  return {
    id: `test-${process.pid}-${count}`,
    root: { kind: "image", id: daemon.image, digest: digestOf("busybox") },
    argv,
    cwd: "/workspace/data",
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    mounts: [],
    limits: Limits.parse({
      memory_bytes: 128 << 20,
      pids: 64,
      tmp_bytes: 16 << 20,
      data_bytes: 16 << 20,
      output_bytes: 16 << 20,
    }),
    ...more,
  };
};

const containers = async (): Promise<string[]> => {
  const call = { method: "GET", path: "/containers/json", query: { all: "1" } } as const;
  const { body } = await daemon.client.call(call);
  return (body as { Names: string[] }[]).flatMap(({ Names }) => Names);
};

const ran = async (prepared: Prepared, input = "") => {
  //T  expect(prepared.controls.filter(({ holds }) => !holds)).toEqual([]);
  prepared.begin();
  prepared.stdin.end(input);
  const [out, err, end] = await Promise.all([
    text(prepared.stdout),
    text(prepared.stderr),
    prepared.end,
  ]);
  return { out, err, end };
};

const sh = async (script: string, more: Partial<Task> = {}) => {
  const prepared = await engine.prepare(taskOf(["sh", "-c", script], more));
  try {
    return await ran(prepared);
  } finally {
    prepared.release();
  }
};

test("an engine on this machine can enforce everything", async () => {
  expect(await engine.examine()).toEqual([]);
});

test("all controls hold, and each is named", async () => {
  const prepared = await engine.prepare(taskOf(["true"]));
  console.log(prepared.controls);
  await ran(prepared);
  prepared.release();
});

test("a task runs", async () => {
  const { out, err, end } = await sh(
    "cat /etc/resolv.conf /etc/hosts /etc/hostname; ls -land /tmp; touch /tmp/x; mknod /tmp/y c 1 3; exit 7",
  );
  console.log(out, err, end);
});
