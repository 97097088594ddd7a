import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sworn } from "../fake/child.ts";
import { PACKAGE, PROJECT, RequestStage } from "../flow/ci/request-stage.ts";

const USES = [
  'import assert from "node:assert";',
  'import test from "node:test";',
  'import isOdd from "is-odd";',
  'test("odd", () => assert.equal(isOdd(3), true));',
  "",
].join("\n");
const PINNED = { ...PACKAGE, version: "1.0.0", dependencies: { "is-odd": "3.0.1" } };

/** A lockfile for a manifest, as npm writes it. */
function lockfileOf(stage: RequestStage, manifest: object): string {
  const cwd = join(stage.git.home, "lock");
  execFileSync("mkdir", ["-p", cwd]);
  execFileSync("sh", ["-c", 'printf %s "$1" >package.json', "sh", JSON.stringify(manifest)], {
    cwd,
  });
  const words = ["install", "--package-lock-only", "--no-audit", "--no-fund"];
  execFileSync("npm", words, { cwd, stdio: "ignore" });
  return execFileSync("cat", ["package-lock.json"], { cwd, encoding: "utf8" });
}

test("what the lockfile of each side pins is installed before its checks", async () => {
  const stage = new RequestStage(PROJECT);
  const head = stage.change({
    "package.json": JSON.stringify(PINNED),
    "package-lock.json": lockfileOf(stage, PINNED),
    "test/odd.test.js": USES,
  });
  const place = { project: stage.git.path, state: join(stage.git.home, "state") };
  const words = ["ci", "--base", "main", "--head", head];
  const { code, out } = await sworn(place, words);
  expect([code, out]).toEqual([0, expect.stringMatching(/pass, 2 +pass, 3 +pass, 2/)]);
  expect(out).toContain("the change has another package-lock.json");
});

test("an installation that fails decides nothing", async () => {
  const stage = new RequestStage(PROJECT);
  const head = stage.change({
    "package.json": JSON.stringify({ ...PINNED, dependencies: { "is-odd": "2.0.0" } }),
    "package-lock.json": lockfileOf(stage, PINNED),
  });
  const place = { project: stage.git.path, state: join(stage.git.home, "state") };
  const { code, out } = await sworn(place, ["ci", "--base", "main", "--head", head]);
  expect(code).toBe(3);
  expect(out).toContain("what package-lock.json pins cannot be installed");
});
