import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { SWORN, start, sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** The output that the guide shows of the command. */
function shownInGuide(): string[] {
  const guide = readFileSync(resolve(import.meta.dirname, "../../docs/guides/prove.md"), "utf8");
  const [, block = ""] = /```console\n\$ sworn prove\n([^`]+)```/.exec(guide) ?? [];
  const lines = block.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(4);
  return lines;
}

test("every guarantee holds here, and neither the project nor the user's keys are touched", async () => {
  const own = temporaryFolder();
  const at = { project: join(own, "project"), state: join(own, "state") };
  mkdirSync(at.project);
  const { code, out, err } = await sworn(at, ["prove", "--json"]);
  const { guarantees } = JSON.parse(out) as {
    guarantees: { name: string; tried: string; answered: string; holds: boolean }[];
  };
  expect(guarantees.filter(({ holds }) => !holds)).toEqual([]);
  expect(code).toBe(0);
  expect(guarantees.map(({ name }) => name)).toEqual([
    "a flipped byte",
    "a cut tail",
    "a forged approval",
    "a phantom citation",
    "a lie about tests",
    "a weakened test",
    "a blocked POST",
    "a fork bomb",
    "a leaked token",
    "a self-vote",
    "an expired exception",
    "a killed runtime that resumes",
  ]);
  for (const { tried, answered } of guarantees) {
    expect([tried, answered]).toEqual([
      expect.stringMatching(/^[^\n]+$/),
      expect.stringMatching(/^[^\n]+$/),
    ]);
  }
  // Beside the document stands what people read: as the guide shows it.
  for (const line of shownInGuide()) {
    const [begin = "", end = ""] = line.split("…");
    expect(err.split("\n").some((one) => one.startsWith(begin) && one.endsWith(end))).toBe(true);
  }
  expect(err.trimEnd()).toMatch(/All 12 guarantees hold here\.$/);
  expect([existsSync(join(at.project, ".sworn")), existsSync(at.state)]).toEqual([false, false]);
});

test("stopped with Ctrl-C, nothing is said not to hold, and it ends as interrupted", async () => {
  const own = temporaryFolder();
  const at = { project: join(own, "project"), state: join(own, "state") };
  mkdirSync(at.project);
  const args = [SWORN, "prove"];
  const proving = start(process.execPath, args, {
    cwd: at.project,
    env: { SWORN_STATE_DIR: at.state },
  });
  await proving.said("holds: a flipped byte");
  // As a terminal does it: to the whole group.
  process.kill(-(proving.process.pid ?? 0), "SIGINT");
  const { code, out, err } = await proving.ended;
  expect(code).toBe(1);
  expect(out).toContain("\nnot tried: stopped: a killed runtime that resumes\n");
  expect(out).not.toContain("DOES NOT HOLD");
  expect(err).toContain("stopped before the end; nothing was decided [INTERRUPTED]");
});
