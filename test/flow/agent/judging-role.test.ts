import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { roleOfAgent } from "../../../src/flow/agent/choose-agent.ts";
import { takeRun } from "../../../src/flow/agent/take-run.ts";
import { TaskBuses } from "../../../src/flow/agent/task-buses.ts";
import { Repository } from "../../../src/repo/index.ts";
import { CLEO, NIA, reviewScene, writeModel } from "../vote/review-scene.ts";

test("whoever works on a task is not started as its critic, and the other way round", async () => {
  const { place } = await reviewScene();
  const buses = new TaskBuses(place);
  await expect(buses.assertRole("limit", NIA.agent, "critic")).rejects.toThrow(
    "nia takes part in limit as executor, not as critic",
  );
  await expect(buses.assertRole("limit", CLEO.agent, undefined)).rejects.toThrow("not as executor");
  await buses.assertRole("limit", CLEO.agent, "critic");
  await buses.assertRole("elsewhere", NIA.agent, "critic");
});

test("sworn.yaml says who judges, and whoever works does not", async () => {
  const { git } = await reviewScene();
  const roles = { worker: "w", critic: "w", auditor: "otto", voters: ["vera"] };
  writeFileSync(join(git.path, "sworn.yaml"), JSON.stringify({ roles }));
  const found = ["w", "otto", "vera", "nia"].map((name) => roleOfAgent(name, git.path));
  expect(found).toEqual([undefined, "auditor", "critic", undefined]);
});

test("what a critic's run changed is not taken over", async () => {
  const { git, place } = await reviewScene();
  writeModel(place, "m-1");
  const path = join(place.talkFolder("limit"), "runs/20260101-0000000000-1/run-info.yaml");
  const info = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(path, JSON.stringify({ ...info, role: "critic" }));
  const repository = await Repository.open(git.path, { env: git.env });
  try {
    const taken = takeRun(place, repository, { run: "latest", only: [] });
    await expect(taken).rejects.toThrow("was a critic's, who changes nothing");
  } finally {
    repository.close();
  }
});
