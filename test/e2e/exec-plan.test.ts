import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { ExecutionPlan } from "../../src/schema/execution.ts";
import { ExecProject } from "../fake/exec-project.ts";
import { verifies } from "../verifies.ts";

let at: ExecProject;
beforeEach(() => {
  at = new ExecProject();
});

verifies(
  "004-22",
  "a plan with the environment by digest, the reason and the steps is recorded before the start",
  async () => {
    const context = { task_id: "PROJ-001", description: "Count lines", context: {} };
    const path = join(at.own, "task.json");
    writeFileSync(path, JSON.stringify(context));
    const asked = ["exec", "--context", path, "--env", "host"];
    const dry = await at.call([...asked, "--dry-run", "--json", "--", "wc", "-l"]);
    const { plan } = JSON.parse(dry.stdout);
    expect(dry.code).toBe(0);
    expect(ExecutionPlan.parse(plan)).toMatchObject({
      task: "proj-001",
      description: "Count lines",
      environment: { name: "host", digest: expect.stringMatching(/^sha256:/) },
      rationale: "host, as asked for",
    });
    expect(plan.steps.flatMap(({ argv }: { argv?: string[] }) => argv ?? [])).toEqual(["wc", "-l"]);
    expect(existsSync(join(at.project, ".sworn"))).toBe(false);
    const denied = await at.call([...asked, "--dry-run", "--", "git", "push"]);
    expect([denied.code, denied.stdout]).toEqual([3, expect.stringContaining("refused by F.3")]);
    const key = `AKIA${"QYLPMN5HHHFPZAM2"}`;
    expect((await at.run("--context", path, "--env", "host", "--", "echo", key)).code).toBe(0);
    const artifact = async (name: string) =>
      (await at.call(["trace", "show", at.report().trace, "3", "--artifact", name])).stdout;
    const recorded = ExecutionPlan.parse(JSON.parse(await artifact("plan.json")));
    expect(recorded.environment).toEqual(plan.environment);
    expect(JSON.stringify(recorded.steps)).toContain("[REDACTED:");
    expect(await artifact("facts.json")).not.toContain(key);
    const { stdout } = await at.call(["trace", "show", at.report().trace]);
    expect(stdout.indexOf("tool_intent_signed")).toBeLessThan(
      stdout.indexOf("tool_execution_started"),
    );
  },
);
