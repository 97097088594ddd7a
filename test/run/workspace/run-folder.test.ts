import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { RunFolder } from "../../../src/run/workspace/index.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

const OWNER = { uid: 64_321, gid: 64_321 };

function temporaryIn(mode: number): string {
  const above = temporaryFolder();
  chmodSync(above, 0o711);
  const folder = join(above, "tmp");
  mkdirSync(folder);
  chmodSync(folder, mode);
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}

test("a temporary folder that the task cannot pass is refused by name, and nothing is left in it", () => {
  const folder = temporaryIn(0o700);
  expect(() => new RunFolder(OWNER)).toThrow(`${folder} is closed to others`);
  expect(readdirSync(folder)).toEqual([]);
});

test("one that others can pass is taken, and so is a closed one where the task is the same user", () => {
  temporaryIn(0o711);
  new RunFolder(OWNER).remove();
  temporaryIn(0o700);
  new RunFolder(undefined).remove();
});
