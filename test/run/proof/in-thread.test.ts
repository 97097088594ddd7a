import { expect, test } from "vitest";
import { inThread } from "../../../src/run/proof/in-thread.ts";

const POST = "const { parentPort, workerData } = require('node:worker_threads');";

test("what is posted comes back", async () => {
  expect(await inThread(`${POST} parentPort.postMessage(workerData + 1)`, 1, 60_000)).toBe(2);
});

test("what does not end is ended, also within one call that nothing interrupts", async () => {
  const busy = `${POST} /^(a|a)*$/.test("a".repeat(64) + "b"); parentPort.postMessage(1)`;
  expect(await inThread(busy, null, 100)).toBe(undefined);
});

test("what fails, ends early or takes too much memory is an error, and not an answer", async () => {
  await expect(inThread("throw new Error('odd')", null, 60_000)).rejects.toThrow("odd");
  await expect(inThread("process.exit(0)", null, 60_000)).rejects.toThrow("ended");
  const grows = "const all = []; for (;;) all.push(new Array(1e5).fill(all.length))";
  await expect(inThread(grows, null, 60_000)).rejects.toThrow("memory");
});
