import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runUntilDone } from "../../../src/flow/agent/restart-loop.ts";
import { takeRun } from "../../../src/flow/agent/take-run.ts";
import { checkTaskPlan } from "../../../src/flow/plan/task-plan.ts";
import { Bus, isRefused } from "../../../src/flow/talk/bus.ts";
import { verifies } from "../../verifies.ts";
import { AgentWorld } from "./agent-world.ts";

const take = async (world: AgentWorld, only: string[] = []) => {
  const taken = await takeRun(world.place, world.runner.scene.repository, { run: "latest", only });
  if (isRefused(taken)) throw new Error(taken.reason);
  return taken;
};

verifies(
  "003-39",
  "only the files that a run changed are staged, and others stay as they are",
  async () => {
    const world = await AgentWorld.open();
    const { project } = world;
    await world.run("echo two > a.txt; mkdir new; echo x > 'new/it \u00e9.txt'; rm src/b.ts");
    // Work of the user's own, staged and not.
    writeFileSync(join(project.path, "mine.txt"), "mine");
    project.git("add", "mine.txt");
    writeFileSync(join(project.path, "loose.txt"), "loose");
    const { files } = await take(world);
    expect(files.map(({ path, how }) => `${how} ${path}`).toSorted()).toEqual([
      "added new/it \u00e9.txt",
      "deleted src/b.ts",
      "modified a.txt",
    ]);
    const status = project.git(
      "-c",
      "core.quotePath=false",
      "status",
      "--porcelain",
      "--",
      ".",
      ":!.sworn",
    );
    expect(status.split("\n").map((line) => line.trim())).toEqual([
      "M  a.txt",
      "A  mine.txt",
      'A  "new/it \u00e9.txt"',
      "D  src/b.ts",
      "?? loose.txt",
    ]);
    expect(readFileSync(join(project.path, "a.txt"), "utf8")).toBe("two\n");
  },
);

verifies(
  "003-39",
  "what a run's task is not about, what has moved on and what is the user's is refused whole",
  async () => {
    const world = await AgentWorld.open();
    const { project } = world;
    await world.run("echo two > a.txt; echo tidy > other.txt");
    await expect(take(world, ["a.*"])).rejects.toThrow(/^other\.txt is outside of a\.\*/);
    writeFileSync(join(project.path, "a.txt"), "my own");
    await expect(take(world)).rejects.toThrow(/changes of your own/);
    expect(readFileSync(join(project.path, "a.txt"), "utf8")).toBe("my own");
    project.git("commit", "--quiet", "-am", "mine");
    await expect(take(world)).rejects.toThrow(/^a\.txt has changed since the run began/);
    expect(project.git("status", "--porcelain", "--", ".", ":!.sworn")).toBe("");
  },
);

verifies("003-39", "a link that a run made is not taken over", async () => {
  const world = await AgentWorld.open();
  await world.run("ln -s /etc/passwd innocent.txt");
  await expect(take(world)).rejects.toThrow(/^innocent\.txt is a link/);
});

verifies("003-39", "a run that went on from others brings what they did, too", async () => {
  const world = await AgentWorld.open();
  const script =
    "if [ -e one.txt ]; then touch /workspace/output/DONE; else echo 1 > one.txt; fi; cat";
  const request = world.request(script);
  const { runs } = await runUntilDone(world.runner, request, { roundsMax: 5, pauseMs: 1 });
  expect(runs).toHaveLength(2);
  const { files } = await take(world);
  expect(files).toEqual([{ path: "one.txt", how: "added" }]);
  const path = join(dirname(runs[0]?.info?.prompt_path ?? ""), "run-info.yaml");
  writeFileSync(path, "[");
  // What the first one did would be left out without a word.
  await expect(take(world)).rejects.toThrow(/^run \S+ cannot be read: /);
});

test("a file that git ignores is the user's, and no run that takes it out of .gitignore replaces it", async () => {
  const world = await AgentWorld.open();
  const { path } = world.project;
  world.project.commit({ ".gitignore": ".env\nbuild\nout\n" });
  writeFileSync(join(path, ".env"), "KEY=mine");
  mkdirSync(join(path, "build"));
  writeFileSync(join(path, "build/kept.bin"), "mine");
  symlinkSync(world.project.home, join(path, "out"));
  for (const [script, name] of [
    ["echo x > .gitignore; echo theirs > .env", ".env"],
    ["echo x > .gitignore; echo theirs > build", "build/kept.bin"],
    ["echo x > .gitignore; mkdir out; echo theirs > out/file", "out"],
  ]) {
    await world.run(script ?? "");
    await expect(take(world)).rejects.toThrow(`${name} is a file of your own`);
  }
  expect(readFileSync(join(path, ".env"), "utf8")).toBe("KEY=mine");
  expect(readFileSync(join(path, "build/kept.bin"), "utf8")).toBe("mine");
  expect(readFileSync(join(path, ".gitignore"), "utf8")).toBe(".env\nbuild\nout\n");
});

test("files that a run put in the place of a submodule do not replace it", async () => {
  const world = await AgentWorld.open();
  const { project } = world;
  const head = project.git("rev-parse", "HEAD");
  project.git("update-index", "--add", "--cacheinfo", `160000,${head},vendor/lib`);
  project.git("commit", "-qm", "a submodule");
  await world.run("echo two > a.txt; echo x > vendor/lib/x.txt");
  await expect(take(world)).rejects.toThrow(
    "vendor/lib is a repository of its own, and the run put files in its place; nothing was taken over",
  );
  await world.run("rmdir vendor/lib");
  expect((await take(world)).files).toEqual([{ path: "vendor/lib", how: "deleted" }]);
});

test("where a filter of the user's fails nothing is written, and nobody is told of changes of his own", async () => {
  const world = await AgentWorld.open();
  const { project } = world;
  project.commit({ ".gitattributes": "*.bin filter=away\n", "z.bin": "pointer\n" });
  for (const [name, value] of Object.entries({ smudge: "false", clean: "cat", required: "true" })) {
    project.git("config", `filter.away.${name}`, value);
  }
  await world.run("echo two > a.txt; echo new > b.txt; echo other > z.bin");
  await expect(take(world)).rejects.toThrow(
    /cannot be written here: .*filter.* nothing was taken over$/,
  );
  expect(project.git("status", "--porcelain", "--", ".", ":!.sworn")).toBe("");
});

test("a new file can be taken over twice, and a file where a folder was, once", async () => {
  const world = await AgentWorld.open();
  await world.run("echo new > new.txt");
  await take(world);
  expect((await take(world)).files).toHaveLength(1);
  await world.run("rm -r src; echo file > src");
  await take(world);
  expect(readFileSync(join(world.project.path, "src"), "utf8")).toBe("file\n");
});

verifies(
  "001-45",
  "as long as a plan locks the content of a task, nothing of its runs is taken over",
  async () => {
    const world = await AgentWorld.open();
    const { info } = await world.run("echo two > a.txt");
    const task = info?.task_id ?? "";
    const on = await Bus.begin({ place: world.place, task });
    await checkTaskPlan(on, Buffer.from("{}"));
    on.close();
    await expect(take(world)).rejects.toThrow(
      /^the content of task .* is locked: its plan waits for answers; "sworn board/,
    );
    expect(readFileSync(join(world.project.path, "a.txt"), "utf8")).not.toBe("two\n");
  },
);
