import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AgentRunner } from "../../src/flow/agent/agent-runner.ts";
import { startSession } from "../../src/flow/session/start-session.ts";
import type { SessionReport } from "../../src/schema/session-report.ts";
import { ScriptedModel, type Step } from "./scripted-model.ts";
import { KEY, SECRET, SealedProject, verify } from "./sealed.ts";

const PLAN = resolve(import.meta.dirname, "../../examples/run/page.json");
const STAGING = ".forge-staging/slugs/polecat_ST-01";
const PAGE =
  "# Slugs\\n\\n## Use\\n\\nSee src/slug.js.\\n\\n## Limits\\n\\nOnly plain letters are kept.\\n";
const WRITE = [
  `mkdir -p docs ${STAGING}`,
  `printf '${PAGE}' > docs/slugs.md`,
  `echo '{"path":"docs/slugs.md"}' > ${STAGING}/output.json`,
].join(" && ");

const said = (value: object): Step => ({ say: JSON.stringify(value) });
const APPROVED = said({
  reviews: [{ proposal: "ST-01", status: "approved", risk: "low", rationale: "A page." }],
});

/** A session whose worker, critic and auditor are one real agent, on a model that answers by script. */
async function session(steps: readonly Step[]): Promise<[SessionReport, SealedProject]> {
  const project = new SealedProject();
  const model = await ScriptedModel.start(steps);
  onTestFinished(() => model.stop());
  const coder = {
    ...{ driver: "cli", preset: "codex", program: process.env["SWORN_AGENT_CODEX"] },
    ...{ model: "scripted", endpoint: model.endpoint, key_env: KEY },
  };
  const roles = { worker: "coder", critic: "coder", auditor: "coder" };
  writeFileSync(
    join(project.folder, "sworn.yaml"),
    JSON.stringify({ agents: { coder }, roles, work: { retries: 1 } }),
  );
  project.git("add", "sworn.yaml");
  project.git("commit", "--quiet", "--message", "settings");
  const open = () =>
    AgentRunner.open({
      ...{ folder: project.folder, home: join(project.folder, ".state") },
      env: { PATH: process.env["PATH"], [KEY]: SECRET },
      placeFor: () => project.place,
    });
  const runner = await open();
  onTestFinished(() => runner.close());
  const { signal } = new AbortController();
  const asked = { at: "HEAD", profile: "solo", to: "branch", isSent: false } as const;
  const outcome = await startSession(
    { ...asked, plan: readFileSync(PLAN) },
    { runner, openPlanner: open, signal, onEvent: () => {} },
  );
  if ("refused" in outcome) throw new Error(JSON.stringify(outcome.refused.violations));
  return [outcome.report, project];
}

describe("codex in every seat of a session", () => {
  test("a truthful one is delivered, and the report says that all of them are one agent", async () => {
    const [report, project] = await session([
      APPROVED,
      { call: "exec_command", input: { cmd: WRITE } },
      { say: "The page is there.\nFLAW: none" },
      said({ challenges: [] }),
      said({ verdict: "accept", reasons: [] }),
    ]);
    expect(report.reasons).toEqual([]);
    expect(report).toMatchObject({ status: "delivered", agreed: "gates", rounds: 0 });
    expect(report.shared).toEqual([
      "critic and worker are both coder",
      "auditor and worker are both coder",
      "auditor and critic are both coder",
    ]);
    const branch = report.delivery?.where.replace("branch ", "") ?? "";
    expect(project.git("show", `${branch}:docs/slugs.md`)).toContain("## Limits");
    expect(await verify(project.place, report.trace)).toMatch(/^pass/);
  });

  test("a lying one says that it is done, and nothing is delivered", async () => {
    const [report, project] = await session([
      APPROVED,
      { say: "The page is there, and all tests pass.\nFLAW: none" },
    ]);
    expect(report).toMatchObject({ status: "failed", agreed: "no", delivery: null });
    expect(report.reasons[0]).toContain("ST-01 failed after 2 tries");
    expect(project.git("branch", "--list", "sworn/delivered/*")).toBe("");
    expect(await verify(project.place, report.trace)).toMatch(/^pass/);
  });
});
