import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { cancelRuns } from "../../../src/flow/agent/cancel-run.ts";
import { keepEnding } from "../../../src/flow/agent/kept-ending.ts";
import { runsOf } from "../../../src/flow/agent/known-runs.ts";
import { recoverRuns } from "../../../src/flow/agent/recover-runs.ts";
import { takeRun } from "../../../src/flow/agent/take-run.ts";
import { ExecRecord } from "../../../src/flow/exec/exec-record.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { RunFiles } from "../../../src/run/files/index.ts";
import { keptFolders, markKept, RunFolder } from "../../../src/run/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import type { RunInfo } from "../../../src/schema/run-info.ts";
import { SWORN, sworn } from "../../fake/child.ts";
import { AgentWorld } from "./agent-world.ts";

const VERIFY = { profile: "default", mode: "full", threads: 1 } as const;

/** A runtime in a process of its own, whose agent has changed a file and sleeps. */
async function startElsewhere(world: AgentWorld) {
  const { project } = world;
  const agent = 'echo precious > work.txt; echo "I am here"; sleep 300';
  writeFileSync(
    join(project.path, "sworn.yaml"),
    JSON.stringify({ agents: { coder: { driver: "command", argv: ["sh", "-c", agent] } } }),
  );
  const child = spawn(
    process.execPath,
    [SWORN, "agents", "run", "coder", "Fix it", "--task", "fix"],
    {
      cwd: project.path,
      env: { ...project.env, SWORN_STATE_DIR: world.place.state },
      stdio: "ignore",
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const isWorking = () =>
    runsOf(world.place).some(({ info }) => readFileSync(info.stdout_path, "utf8") !== "");
  while (!isWorking()) await new Promise((resolve) => setTimeout(resolve, 20));
  return { child, exited };
}

test("what a killed runtime leaves is saved, once, and its folder and record are closed", async () => {
  const world = await AgentWorld.open();
  const { child, exited } = await startElsewhere(world);
  // While its runtime lives, a run is nobody else's.
  expect(await recoverRuns(world.runner.scene, [])).toEqual([]);
  child.kill("SIGKILL");
  await exited;
  // Whoever meets it before that is told what to do.
  expect(() => cancelRuns(world.place, "fix")).toThrow(/cut short.*sworn resume/);
  const taking = takeRun(world.place, world.runner.scene.repository, { run: "latest", only: [] });
  await expect(taking).rejects.toThrow(/cut short.*sworn resume/);
  // Two at once: one of them does it.
  const both = await Promise.all([
    recoverRuns(world.runner.scene, []),
    recoverRuns(world.runner.scene, []),
  ]);
  const [recovered, ...more] = both.flat();
  expect(more).toEqual([]);
  expect(recovered?.saved?.changed).toEqual([{ path: "work.txt", how: "added" }]);
  const { info } = recovered ?? {};
  expect(info).toMatchObject({ status: "failed", error_summary: expect.stringContaining("ended") });
  expect(world.project.git("show", `${info?.ref}:work.txt`)).toBe("precious");
  const output = readFileSync(info?.output_path ?? "", "utf8");
  expect(output).toMatch(/^---\norigin: runner\n/);
  // It lay in memory: that there was none is nothing that anybody knows.
  expect(output).toContain("an output.md that coder may have written is gone with its sandbox");
  expect(output).toContain("```text\nI am here\n```\n");
  const verified = await verifyTarget(async () => world.place, info?.trace ?? "", VERIFY);
  // It warns of an end without a result, and finds nothing wrong.
  expect(verified).toMatchObject({ report: { status: "pass-with-warnings" } });
  expect(existsSync(dirname(info?.cwd ?? ""))).toBe(false);
  expect(await recoverRuns(world.runner.scene, [])).toEqual([]);
});

test("a run that was killed before anybody had said that it begins can be gone on from", async () => {
  const world = await AgentWorld.open();
  const { info } = await world.run("true");
  const start = { ...info, runner: "another-boot/1/1/1", status: "running" as const };
  const { run_id: _id, ...rest } = start as RunInfo;
  const files = RunFiles.create(join(world.place.store, "tasks/task-1/runs"), rest, "", 1);
  files.close();
  const [recovered] = await recoverRuns(world.runner.scene, []);
  expect(recovered?.info).toMatchObject({ run_id: files.info.run_id, status: "failed" });
  const next = await world.run("echo on > on.txt", { previous: recovered?.info });
  expect(next.info).toMatchObject({ status: "completed", previous_run_id: files.info.run_id });
});

test("a run is ended from another process, and its work is kept", async () => {
  const world = await AgentWorld.open();
  const { exited } = await startElsewhere(world);
  expect(() => cancelRuns(world.place, "other")).toThrow(/nothing called "other" is running/);
  const [asked] = cancelRuns(world.place, "fix").asked;
  expect(await exited).toBe(1);
  const [found] = runsOf(world.place);
  expect(found?.info).toMatchObject({ run_id: asked?.run_id, status: "cancelled" });
  expect(world.project.git("show", `${found?.info.ref}:work.txt`)).toBe("precious");
  expect(existsSync(found?.info.cwd ?? "")).toBe(false);
});

test("a file of the repository's cannot have a folder of the user's saved or removed", async () => {
  const world = await AgentWorld.open();
  const { info } = await world.run("true");
  const precious = join(world.project.home, "precious");
  writeFileSync(precious, "mine");
  const path = join(world.place.store, "tasks/task-1/runs", info?.run_id ?? "", "run-info.yaml");
  const forged = readFileSync(path, "utf8")
    .replace(/^status:.*$/m, 'status: "running"')
    .replace(/^cwd:.*$/m, `cwd: ${JSON.stringify(world.project.home)}`)
    .replace(/^runner:.*$/m, 'runner: "another-boot/1/1/1"');
  writeFileSync(path, forged);
  const [recovered] = await recoverRuns(world.runner.scene, []);
  expect(recovered).toMatchObject({ saved: undefined, info: { status: "failed" } });
  expect(readFileSync(precious, "utf8")).toBe("mine");
});

test("an agent that is not there any more keeps nothing from being saved", async () => {
  const world = await AgentWorld.open();
  const { child, exited } = await startElsewhere(world);
  child.kill("SIGKILL");
  await exited;
  writeFileSync(join(world.project.path, "sworn.yaml"), "");
  const place = { project: world.project.path, state: world.place.state };
  const { code, out } = await sworn(place, ["resume"], { env: { HOME: world.project.home } });
  expect(code).toBe(1);
  expect(out).toContain("1 changed file");
  expect(out).toMatch(/cannot go on: there is no agent "coder"/);
  const [found] = runsOf(world.place);
  expect(world.project.git("show", `${found?.info.ref}:work.txt`)).toBe("precious");
});

test("a run whose work cannot be saved keeps no other from being saved", async () => {
  const world = await AgentWorld.open();
  const owner = "another-boot/1/1/1";
  const leave = async (base: string | undefined) => {
    const { info } = await world.run("true");
    const { run_id: id = "", trace = "", base: own = "" } = info ?? {};
    const path = join(world.place.store, "tasks/task-1/runs", id, "run-info.yaml");
    const forged = readFileSync(path, "utf8").replace(/^status:.*$/m, 'status: "running"');
    writeFileSync(path, forged);
    const folder = new RunFolder(world.runner.scene.engine.owner, true);
    onTestFinished(() => folder.remove());
    writeFileSync(join(folder.shared("tree"), "work.txt"), "precious");
    const run = { task: "task-1", run_id: id, agent: "coder", trace, base: base ?? own, owner };
    markKept(folder, { store: world.place.store, ...run });
    return info?.ref ?? "";
  };
  const first = await leave("1".repeat(40));
  const others = [await leave(undefined), await leave("1".repeat(40))];
  const stuck: string[] = [];
  await recoverRuns(world.runner.scene, stuck);
  expect(stuck).toEqual(Array(2).fill(expect.stringContaining("; its work is in ")));
  expect(first).not.toBe("");
  expect(world.project.git("show", `${others[0]}:work.txt`)).toBe("precious");
});

test("a run whose work is saved is said so, where only its record cannot be ended", async () => {
  const world = await AgentWorld.open();
  const { child, exited } = await startElsewhere(world);
  child.kill("SIGKILL");
  await exited;
  const interrupted = vi.spyOn(ExecRecord.prototype, "interrupted");
  onTestFinished(() => interrupted.mockRestore());
  interrupted.mockRejectedValueOnce(new Error("the disk is full"));
  const stuck: string[] = [];
  expect(await recoverRuns(world.runner.scene, stuck)).toEqual([]);
  const [found] = runsOf(world.place);
  const ref = `refs/sworn/runs/${found?.info.run_id}`;
  expect(stuck).toEqual([
    expect.stringMatching(
      `could not be brought to its end: the disk is full; its work is on ${ref}$`,
    ),
  ]);
  expect(world.project.git("show", `${ref}:work.txt`)).toBe("precious");
  // The process that has it is this one, which is not gone.
  for (const { path, run } of keptFolders()) {
    if (run.store === world.place.store) rmSync(path, { recursive: true });
  }
});

test("a damaged run says where its work is, which is saved once the run is put right", async () => {
  const world = await AgentWorld.open();
  const { child, exited } = await startElsewhere(world);
  child.kill("SIGKILL");
  await exited;
  const [found] = runsOf(world.place);
  const path = join(found?.folder ?? "", "run-info.yaml");
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, "[");
  const place = { project: world.project.path, state: world.place.state };
  const resume = () => sworn(place, ["resume", "--save"], { env: { HOME: world.project.home } });
  const stuck = await resume();
  expect([stuck.code, stuck.err]).toEqual([1, ""]);
  expect(stuck.out).toMatch(
    /^run \S+ could not be brought to its end: .*is no YAML.*; its work is in \S+\n$/,
  );
  writeFileSync(path, whole);
  expect((await resume()).out).toContain("1 changed file");
  expect(world.project.git("show", `refs/sworn/runs/${found?.info.run_id}:work.txt`)).toBe(
    "precious",
  );
});

test("a staging folder that git ignores is saved with the rest of a run that was cut short", async () => {
  const world = await AgentWorld.open();
  const { info } = await world.run("true");
  const { run_id: id = "", trace = "", base = "" } = info ?? {};
  const path = join(world.place.store, "tasks/task-1/runs", id, "run-info.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^status:.*$/m, 'status: "running"'));
  const folder = new RunFolder(world.runner.scene.engine.owner, true);
  onTestFinished(() => folder.remove());
  const tree = folder.shared("tree");
  mkdirSync(join(tree, "staged/own"), { recursive: true });
  writeFileSync(join(tree, ".gitignore"), "staged/\n");
  writeFileSync(join(tree, "staged/own/output.json"), "{}");
  writeFileSync(join(tree, "staged/other.txt"), "ignored");
  const run = {
    task: "task-1",
    run_id: id,
    agent: "coder",
    trace,
    base,
    owner: "another-boot/1/1/1",
  };
  markKept(folder, { store: world.place.store, ...run, keeps: "staged/own" });
  await recoverRuns(world.runner.scene, []);
  expect(world.project.git("show", `${info?.ref}:staged/own/output.json`)).toBe("{}");
  expect(world.project.git("ls-tree", "-r", "--name-only", `${info?.ref}`)).not.toContain(
    "other.txt",
  );
});

test("a run whose agent had ended is saved where it cannot be judged, and said to have ended", async () => {
  const world = await AgentWorld.open();
  const { info } = await world.run("true");
  const { run_id: id = "", trace = "", base = "" } = info ?? {};
  const own = join(world.place.store, "tasks/task-1/runs", id);
  const path = join(own, "run-info.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^status:.*$/m, 'status: "running"'));
  // Nobody knows what it was asked for.
  rmSync(join(own, "prompt.md"));
  const folder = new RunFolder(world.runner.scene.engine.owner, true);
  onTestFinished(() => folder.remove());
  writeFileSync(join(folder.shared("tree"), "work.txt"), "precious");
  const run = { task: "task-1", run_id: id, agent: "coder", trace, base };
  markKept(folder, { store: world.place.store, ...run, owner: "another-boot/1/1/1" });
  const use = { inputTokens: 0, outputTokens: 0, microUsd: undefined, turns: 0, toolCalls: 0 };
  const heard = {
    ran: { kind: "not-begun", broken: [] },
    ...{ answer: "", watch: { cpuMs: 0, peakBytes: undefined, processes: [] }, troubles: [] },
    use: { ...use, toolCallsBy: "seen" },
  } as const;
  const limits = Limits.parse({});
  const output = folder.private("output");
  writeFileSync(join(output, "output.md"), "All of it.");
  keepEnding(folder, { heard, egress: [], limits }, output);
  const [recovered] = await recoverRuns(world.runner.scene, []);
  expect(recovered).toMatchObject({ hasEnded: true, info: { status: "failed" } });
  expect(recovered?.info.output_origin).toBe("agent");
  expect(readFileSync(recovered?.info.output_path ?? "", "utf8")).toBe("All of it.");
  expect(recovered?.info.error_summary).toMatch(/^it ended, .* could not be judged: ENOENT/);
  expect(world.project.git("show", `${info?.ref}:work.txt`)).toBe("precious");
});

test("a waiver is for the one work that goes on, and is refused where there is none or several", async () => {
  const world = await AgentWorld.open();
  const place = { project: world.project.path, state: world.place.state };
  const args = ["resume", "--waive", "ST-02=It is not needed."];
  const { code, err } = await sworn(place, args, { env: { HOME: world.project.home } });
  expect(code).toBe(2);
  expect(err).toContain("--waive is about one work, and none is open here");
});
