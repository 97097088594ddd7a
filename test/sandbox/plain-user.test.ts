import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findCgroupParents } from "../../src/sandbox/cgroup-parents.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

const DIST = resolve(import.meta.dirname, "../../dist");
const USER = 1_000;

/** Groups that belong to the user, as a system's manager hands them to a session. */
function delegated(): string[] {
  const found = findCgroupParents();
  if ("missing" in found) throw new Error(found.reason);
  const folders = [...new Set([...found.parents.values()].map(({ folder }) => folder))].map(
    (folder) => join(folder, `sworn-test-user-${process.pid}`),
  );
  for (const folder of folders) {
    mkdirSync(folder);
    for (const path of [folder, join(folder, "cgroup.procs")]) chownSync(path, USER, USER);
  }
  onTestFinished(() => {
    for (const folder of folders) if (existsSync(folder)) rmdirSync(folder);
  });
  return folders;
}

const SCRIPT = `
import { writeFileSync } from "node:fs";
import { BwrapEngine } from "${DIST}/sandbox/index.js";
import { Limits } from "${DIST}/schema/execution.js";
// Read as root, because the project may lie where the user cannot look.
for (const group of process.argv.slice(2)) writeFileSync(group + "/cgroup.procs", String(process.pid));
process.setgroups([]);
process.setgid(${USER});
process.setuid(${USER});
const engine = new BwrapEngine();
const refusals = await engine.examine();
if (refusals.length > 0) {
  console.log(JSON.stringify({ refusals: refusals.map(({ control }) => control) }));
  process.exit(0);
}
const prepared = await engine.prepare({
  id: "plain", root: { kind: "host" }, argv: ["id", "-u"], cwd: "/", mounts: [],
  env: { PATH: "/usr/bin:/bin" }, limits: Limits.parse({}), isObserved: true,
});
let trace = "";
prepared.trace.lines.on("data", (chunk) => { trace += chunk; });
const broken = prepared.controls.filter(({ holds }) => !holds);
let out = "";
prepared.stdout.on("data", (chunk) => { out += chunk; });
prepared.stderr.resume();
prepared.begin();
const { code } = await prepared.end;
prepared.release();
const isSeen = /execve\\(.*\\) = 0\\n/.test(trace) && trace.endsWith(" exited with 0 +++\\n");
console.log(JSON.stringify({ broken, out, code, uid: process.getuid(), isSeen }));
`;

/** Runs the script as an ordinary user, in the given groups. */
function asUser(groups: readonly string[]): unknown {
  const script = join(temporaryFolder(), "script.mjs");
  writeFileSync(script, SCRIPT);
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...groups], {
    encoding: "utf8",
    cwd: "/",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("a plain user with groups of their own runs tasks under every control, and can watch them", () => {
  expect(asUser(delegated())).toEqual({
    broken: [],
    out: "1000\n",
    code: 0,
    uid: USER,
    isSeen: true,
  });
});

test("without them the limits that cannot be enforced are named, and nothing runs", () => {
  expect(asUser([])).toEqual({ refusals: expect.arrayContaining(["memory", "pids", "cpu"]) });
});
