import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { verifyBundle } from "../../src/verify/index.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { exampleProject, exported } from "./project.ts";
import { seeded } from "./seed.ts";

const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;

/**
 * Changes one byte of the example's bundle at a time, every `stride`-th from a place that differs
 * from run to run, and verifies all of it each time. Every single change must be found.
 */
export async function findsEveryChange(mask: number, stride: number): Promise<void> {
  const { seed, below } = seeded();
  const bundle = exported(await exampleProject());
  const path = join(temporaryFolder(), "bundle.tar");
  writeFileSync(path, bundle);
  expect((await verifyBundle(path, OPTIONS)).status).toBe("pass");
  const fd = openSync(path, "r+");
  const missed: string[] = [];
  let tried = 0;
  for (let at = below(stride); at < bundle.length; at += stride) {
    const byte = bundle[at] ?? 0;
    writeSync(fd, Buffer.from([byte ^ mask]), 0, 1, at);
    const { status, failures } = await verifyBundle(path, OPTIONS);
    if (status !== "fail" || failures.length === 0) missed.push(`seed ${seed}: byte ${at}`);
    writeSync(fd, Buffer.from([byte]), 0, 1, at);
    tried += 1;
  }
  closeSync(fd);
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThanOrEqual(Math.floor(bundle.length / stride));
  // The last change was taken back: what is left is the bundle as it was.
  expect((await verifyBundle(path, OPTIONS)).status).toBe("pass");
}
