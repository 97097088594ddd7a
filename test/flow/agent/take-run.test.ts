import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runUntilDone } from "../../../src/flow/agent/restart-loop.ts";
import { takeRun } from "../../../src/flow/agent/take-run.ts";
import { verifies } from "../../verifies.ts";
import { AgentWorld } from "./agent-world.ts";

const take = (world: AgentWorld, only: string[] = []) =>
  takeRun(world.place, world.runner.scene.repository, { run: "latest", only });

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
});
