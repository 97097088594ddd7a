import { expect, onTestFinished, test } from "vitest";
import { BwrapEngine } from "../../src/sandbox/index.ts";
import { Limits } from "../../src/schema/execution.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

test("a sandbox whose program cannot be started fails, whenever it is asked for", async () => {
  const path = process.env.PATH;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  const engine = new BwrapEngine();
  process.env.PATH = temporaryFolder();
  const task = {
    id: "bwrap-missing",
    root: { kind: "host" } as const,
    argv: ["true"],
    cwd: "/",
    env: {},
    mounts: [],
    limits: Limits.parse({}),
  };
  // Straight from the event loop: what the start tells is told before anything that waits goes on.
  const prepared = new Promise((resolve, reject) => {
    setImmediate(() => {
      engine.prepare(task).then(resolve, reject);
    });
  });
  await expect(prepared).rejects.toThrow("bubblewrap could not build the sandbox");
}, 10_000);
