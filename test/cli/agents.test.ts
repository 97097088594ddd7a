import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeWords } from "../../src/cli/agent-words.ts";
import { Place } from "../../src/flow/place.ts";
import { RunFiles } from "../../src/run/files/index.ts";
import type { RunInfo } from "../../src/schema/run-info.ts";
import { GitFolder } from "../repo/git-folder.ts";
import { Shell } from "./shell.ts";

function project() {
  const git = new GitFolder();
  git.commit({ "a.txt": "one\n" });
  const { path, home, env } = git;
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  const io = { cwd: path, home, env: { ...env, SWORN_STATE_DIR: place.state } };
  const start = (more: Partial<RunInfo>) =>
    RunFiles.create(
      join(place.store, "tasks/task-1/runs"),
      {
        project_id: place.store,
        task_id: "task-1",
        parent_run_id: null,
        previous_run_id: null,
        depth: 0,
        agent: "coder",
        cwd: path,
        ...more,
      },
      "Do it.",
      1,
    );
  return { start, call: (...words: string[]) => new Shell().runWith(io, ...words) };
}

test("a prompt's file that is not there is named, and it is said what to do", async () => {
  const { call } = project();
  const { exit, err } = await call("agents", "run", "codex", "--prompt-file", "none.md");
  expect(exit).toBe(2);
  expect(err).toContain("--prompt-file: none.md cannot be read: ENOENT");
  expect(err).toContain("name a file of text, or give the words themselves [NOT_FOUND]");
});

test("a run that was cut short is shown as that, and with what goes on with it", async () => {
  const { start, call } = project();
  start({ runner: "another-boot/1/1/1" }).close();
  const { exit, out } = await call("agents", "show", "latest");
  expect(exit).toBe(0);
  expect(out).toMatch(/^coder cut short, task task-1/);
  expect(out).toContain("output.md (not written yet)");
  expect(out).toContain('Next: "sworn resume" saves what is there and goes on.');
});

test("a task is called off though one of its runs was cut short, which is said", async () => {
  const { start, call } = project();
  const dead = start({ runner: "another-boot/1/1/1" });
  const alive = start({});
  for (const files of [dead, alive]) files.close();
  const { exit, out } = await call("cancel", "task-1");
  expect([exit, existsSync(join(alive.folder, "cancel"))]).toEqual([0, true]);
  expect(out).toContain(`1 run asked to end: ${alive.info.run_id}.`);
  expect(out).toContain(`${dead.info.run_id} was cut short, and nobody is there to end it`);
});

test("one damaged run is named, and keeps no other from being shown, called off or ended", async () => {
  const { start, call } = project();
  const [dead, broken, alive] = [start({ runner: "another-boot/1/1/1" }), start({}), start({})];
  for (const files of [dead, broken, alive]) files.close();
  const path = join(broken.folder, "run-info.yaml");
  writeFileSync(path, "version: 1\nrun_id: [");
  const { run_id: id } = broken.info;
  const runs = await call("agents", "runs");
  expect(runs.exit).toBe(0);
  expect(runs.out).toMatch(new RegExp(`^${id} +task-1 +unreadable +.*${path} is no YAML`, "m"));
  for (const { info } of [dead, alive]) expect(runs.out).toContain(info.run_id);
  expect((await call("agents", "show", "latest")).exit).toBe(0);
  const shown = await call("agents", "show", id);
  expect(shown.exit).toBe(4);
  expect(shown.err).toContain(`run ${id} cannot be read: ${path} is no YAML`);
  const status = await call("status");
  expect(status.out).toContain("DAMAGED");
  expect(status.out).toContain("3 runs");
  const cancelled = await call("cancel", "task-1");
  expect([cancelled.exit, existsSync(join(alive.folder, "cancel"))]).toEqual([0, true]);
  expect(cancelled.out).toContain(`run ${id} cannot be read`);
  expect(existsSync(join(broken.folder, "cancel"))).toBe(true);
  const resumed = await call("resume", "--save", "--json");
  expect(resumed.exit).toBe(1);
  expect(resumed.json()).toMatchObject({
    recovered: [{ run: { run_id: dead.info.run_id, status: "failed" } }],
    stuck: [expect.stringContaining(`run ${id} cannot be read: ${path} is no YAML`)],
  });
});

test("the latest run is never an earlier one, because it is damaged", async () => {
  const { start, call } = project();
  const [first, last] = [start({}), start({})];
  for (const files of [first, last]) files.close();
  writeFileSync(join(last.folder, "run-info.yaml"), "[");
  for (const verb of ["show", "take"]) {
    const { exit, err } = await call("agents", verb, "latest");
    expect(exit).toBe(4);
    expect(err).toContain(`run ${last.info.run_id} cannot be read`);
  }
});

test("what a critic changed is not offered to be taken over", () => {
  const { start } = project();
  const wordsFor = (more: Partial<RunInfo>) => {
    const files = start(more);
    files.close();
    const changed = [{ path: "a.txt", how: "modified" as const }];
    const saved = { commit: "1", changed, ignored: [], nested: [], isUntouched: false };
    const rest = { refused: undefined, said: [], use: undefined, troubles: [], isDone: false };
    return outcomeWords({ ...rest, trace: "trace_1", info: files.info, saved });
  };
  expect(wordsFor({})).toContain("sworn agents take");
  expect(wordsFor({ role: "critic" })).not.toContain("sworn agents take");
});

test("a run is named by a beginning that no other has; of several the candidates are named", async () => {
  const { start, call } = project();
  const ids = [start({}), start({})].map((files) => {
    files.close();
    return files.info.run_id;
  });
  const [first = "", second = ""] = ids;
  const [day, own] = [first.slice(0, 8), second.slice(0, -1)];
  const shown = await call("agents", "show", own);
  expect([shown.exit, shown.out]).toEqual([0, expect.stringContaining(`run ${second}`)]);
  for (const words of [["agents", "show"], ["agents", "take"], ["cancel"]]) {
    const { exit, err } = await call(...words, day);
    expect([words, exit]).toEqual([words, 2]);
    expect(err).toContain(`begin with "${day}": ${ids.toSorted().join(", ")}; say`);
  }
  expect((await call("agents", "take", own)).err).toContain(second);
  expect((await call("cancel", own)).out).toContain(`asked to end: ${second}`);
});
