import { existsSync } from "node:fs";
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
