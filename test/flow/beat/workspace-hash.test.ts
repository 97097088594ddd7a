import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceHash } from "../../../src/flow/beat/workspace-hash.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";

test("a workspace has another hash when something in it changed, and nothing in it is opened", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "one");
  // Reading a pipe would wait for ever, and a link could lead out.
  execFileSync("mkfifo", [join(folder, "pipe")]);
  symlinkSync("/", join(folder, "out"));
  const before = workspaceHash(folder);
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  expect(workspaceHash(folder)).toBe(before);
  writeFileSync(join(folder, "src/a.ts"), "two");
  utimesSync(join(folder, "src/a.ts"), 1, 1);
  expect(workspaceHash(folder)).not.toBe(before);
  expect(workspaceHash(join(folder, "none"))).toMatch(/^[0-9a-f]{64}$/);
});
