import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readRunInfo } from "../../../src/run/files/index.ts";
import { verifies } from "../../verifies.ts";
import { AgentWorld } from "./agent-world.ts";

verifies(
  ["003-8", "003-10", "003-37"],
  "an agent runs a script of the repository, reports progress, and leaves output.md",
  async () => {
    const world = await AgentWorld.open();
    world.project.commit({ "build.sh": "echo built > built.txt\n" });
    const { info } = await world.run(
      "echo 'step 1' >&2; sh ./build.sh; echo '# Built' > /workspace/output/output.md",
    );
    expect(info).toMatchObject({ status: "completed", output_origin: "agent" });
    expect(readFileSync(info?.output_path ?? "", "utf8")).toBe("# Built\n");
    expect(readFileSync(info?.stderr_path ?? "", "utf8")).toBe("step 1\n");
    expect(world.project.git("show", `${info?.ref}:built.txt`)).toBe("built");
  },
);

verifies(
  ["003-11", "003-14", "003-15"],
  "a run's files are these and no more: nothing says who owns what, and nothing of it is in the tree",
  async () => {
    const world = await AgentWorld.open();
    const { info, saved } = await world.run("true");
    expect(readdirSync(dirname(info?.output_path ?? "")).toSorted()).toEqual([
      "agent-stderr.txt",
      "agent-stdout.txt",
      "output.md",
      "prompt.md",
      "run-info.yaml",
    ]);
    expect(saved?.changed).toEqual([]);
  },
);

verifies(
  "003-44",
  "what a newer release writes beside it is left alone, and an older file is read",
  async () => {
    const world = await AgentWorld.open();
    const { info } = await world.run("true");
    const path = join(dirname(info?.output_path ?? ""), "run-info.yaml");
    const text = readFileSync(path, "utf8");
    const older = text
      .split("\n")
      .filter((line) => !/^(runner|trace|base|ref|commandline):/.test(line));
    writeFileSync(path, `${older.join("\n")}from_the_future: [1, 2]\n`);
    expect(readRunInfo(path)).toMatchObject({ run_id: info?.run_id, status: "completed" });
  },
);

test("a licence that the project denies keeps an agent from being started on what brings it", async () => {
  const world = await AgentWorld.open({}, { runs: { licences: { deny: ["AGPL-*"] } } });
  const bad = { version: "1.0.0", license: "AGPL-3.0-only" };
  const lock = { name: "p", lockfileVersion: 3, packages: { "node_modules/bad": bad } };
  world.project.commit({ "package-lock.json": JSON.stringify(lock) });
  const { refused, info } = await world.runner.run(world.request("true"));
  expect(refused?.reason).toContain("AGPL-3.0-only:bad@1.0.0");
  expect(info).toBe(undefined);
});
