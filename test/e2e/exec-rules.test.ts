import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { ExecProject } from "../fake/exec-project.ts";
import { verifies } from "../verifies.ts";

let at: ExecProject;
beforeEach(() => {
  at = new ExecProject();
});

verifies(
  "004-112",
  "a rule can be broken by a recorded exception, by its task alone, until it is ended",
  async () => {
    const long = ["--timeout", "1000", "--", "true"];
    const words = "--reason r --rollback b --owner eli --approver mara --until 2000-01-01";
    const add = ["exception", "add", "--rule", "X.2.step_max", "--task", "slow"];
    const late = await at.call([...add, ...words.split(" ")]);
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("it expired")]);
    const until = new Date(Date.now() + 86_400_000).toISOString();
    // From a folder below: what is said about runs lies where they look for it.
    const added = await at.callIn("below", [
      ...add,
      ...words.split(" "),
      "--until",
      until,
      "--json",
    ]);
    const { id } = JSON.parse(added.stdout);
    const { code, stderr } = await at.run("--task", "slow", ...long);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`by exception ${id} of mara`)]);
    expect(at.report().manifest).toMatchObject({ task_id: "slow", policy: { exceptions: [id] } });
    expect((await at.run("--task", "fast", ...long)).stderr).toContain("not for the task fast");
    expect((await at.call(["exception", "end", id, "--why", "done"])).code).toBe(0);
    expect((await at.run("--task", "slow", ...long)).code).toBe(3);
    expect(JSON.parse((await at.call(["exception", "ls", "--json"])).stdout)).toMatchObject({
      exceptions: [{ id, status: "ended" }],
    });
  },
);

test("a licence on the deny-list and a cost over the ceiling are refused before anything starts", async () => {
  const packages = { "node_modules/bad": { version: "1.0.0", license: "AGPL-3.0-only" } };
  const lock = JSON.stringify({ name: "p", lockfileVersion: 3, packages });
  at.commit({ "package-lock.json": lock });
  const settle = (runs: object) =>
    writeFileSync(join(at.project, "sworn.yaml"), JSON.stringify({ runs }));
  const licences = { deny: ["AGPL-*"], environment: "ignored" };
  settle({ licences });
  const { code, stderr } = await at.run("--", "true");
  expect([code, at.report().refused.rule]).toEqual([3, "I.3"]);
  expect(stderr).toContain("AGPL-3.0-only:bad@1.0.0");
  expect(stderr).toContain("runs.licences.accepted in sworn.yaml");
  settle({
    licences: { ...licences, accepted: ["bad@1.0.0"] },
    spend: { per_run: 2, per_day: 3 },
  });
  expect((await at.run("--spend", "2.001", "--", "true")).code).toBe(3);
  expect(at.report().refused.rule).toBe("X.4");
  expect((await at.run("--spend", "2", "--", "true")).code).toBe(0);
  expect((await at.run("--spend", "1.5", "--", "true")).code).toBe(3);
});
