import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kernelLimits } from "../../../src/sandbox/docker/kernel-limits.ts";
import { kernelView } from "../../../src/sandbox/docker/kernel-view.ts";
import { sameNode } from "../../../src/sandbox/docker/running-container.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

test("a process of the host is in none of the task's namespaces, and sees the kernel's files", () => {
  expect(kernelView(process.pid)).toMatchObject([
    { name: "namespaces", holds: false, seen: expect.stringContaining("the host's net") },
    { name: "kernel_files", holds: false, seen: expect.stringContaining("/proc/sys writable") },
  ]);
});

test("a process of the host has none of the task's limits", () => {
  expect(kernelLimits(process.pid, Limits.parse({ pids: 1, memory_bytes: 4096 }))).toMatchObject([
    { name: "memory", holds: false, seen: expect.stringContaining("expected at most 4096") },
    { name: "pids", holds: false, seen: expect.stringContaining("expected at most 1 in pids.max") },
    { name: "cpu", holds: false, seen: expect.stringContaining("expected at most 200000") },
  ]);
});

test("a process that is gone, or was never here, is not on this node", () => {
  const launcher = join(temporaryFolder(), "launcher");
  writeFileSync(launcher, "");
  for (const pid of [process.pid, 4_194_304]) {
    expect(sameNode(pid, launcher)).toMatchObject({ name: "same_node", holds: false });
  }
  expect(kernelView(4_194_304).filter(({ holds }) => holds)).toEqual([]);
});
