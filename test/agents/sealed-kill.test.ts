import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runsOf } from "../../src/flow/agent/known-runs.ts";
import { SWORN, sworn } from "../fake/child.ts";
import { ScriptedModel, type Step } from "./scripted-model.ts";
import { KEY, SECRET, SealedProject, verify } from "./sealed.ts";

const WRITE = "echo hello > out.txt";
const AGENTS: readonly (readonly ["goose" | "codex" | "pi", Step])[] = [
  ["goose", { call: "shell", input: { command: WRITE } }],
  ["codex", { call: "exec_command", input: { cmd: WRITE } }],
  ["pi", { call: "bash", input: { command: WRITE } }],
];

test.each(AGENTS)(
  "the runtime is killed while %s works: nothing is lost, and it goes on",
  async (preset, write) => {
    const project = new SealedProject();
    const first = await ScriptedModel.start([write, { stall: true }]);
    onTestFinished(() => first.stop());
    const settings = (endpoint: string) =>
      writeFileSync(
        join(project.folder, "sworn.yaml"),
        JSON.stringify({
          agents: {
            coder: {
              driver: "cli",
              preset,
              program: process.env[`SWORN_AGENT_${preset.toUpperCase()}`],
              model: "scripted",
              endpoint,
              key_env: KEY,
            },
          },
        }),
      );
    settings(first.endpoint);
    const env = { ...process.env, [KEY]: SECRET, SWORN_STATE_DIR: project.place.state };
    const command = [SWORN, "agents", "run", "coder", "Write the file", "--task", "kill"];
    const child = spawn(process.execPath, command, { cwd: project.folder, env, stdio: "ignore" });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    await first.stalled;
    child.kill("SIGKILL");
    await exited;
    const [left] = runsOf(project.place);
    expect(left?.info.status).toBe("running");

    // Its model answers again; what it did before is there when it goes on.
    const second = await ScriptedModel.start([{ say: "The file is there." }]);
    onTestFinished(() => second.stop());
    settings(second.endpoint);
    const { code, out } = await sworn(
      { project: project.folder, state: project.place.state },
      ["resume", "--json"],
      { env: { [KEY]: SECRET } },
    );
    const { recovered, runs } = JSON.parse(out);
    expect(code).toBe(0);
    expect(recovered).toMatchObject([
      { run: { status: "failed" }, changed: [{ path: "out.txt", how: "added" }] },
    ]);
    expect(runs).toMatchObject([
      { run: { status: "completed", previous_run_id: left?.info.run_id }, changed: [] },
    ]);
    expect(project.git("show", `${runs[0].run.ref}:out.txt`)).toBe("hello\n");
    expect(second.asked.at(-1)?.body).toContain("Continue working on the following:");
    expect(await verify(project.place, recovered[0].run.trace)).toMatch(/^pass/);
    expect(existsSync(left?.info.cwd ?? "")).toBe(false);
  },
);
