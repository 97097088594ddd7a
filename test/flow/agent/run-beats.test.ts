import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BeatReport, reportBeats } from "../../../src/flow/beat/bar-report.ts";
import { findTalkTrace } from "../../../src/flow/talk/talk-trace.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { verifies } from "../../verifies.ts";
import { AgentWorld } from "./agent-world.ts";

const TASK = "task-1";

function reportOf({ place }: AgentWorld): BeatReport {
  return reportBeats(place, findTalkTrace({ place, task: TASK }));
}

verifies("004-13", "a run has a status for each of its beats, from what was seen", async () => {
  const world = await AgentWorld.open({}, { beat: { seconds: 1 } });
  const { info } = await world.run("sworn note 'Half way.'; sleep 2.5; echo two > a.txt", {
    prompt: "Do SHOP-PAY-007.",
  });
  const { beats, late, alive } = reportOf(world);
  const statuses = beats.flatMap((beat) => beat.statuses);
  expect(beats.length).toBeGreaterThanOrEqual(3);
  expect(statuses).toHaveLength(beats.length);
  const states = statuses.map(({ state }) => state);
  expect([states[0], states[1], states.at(-1)]).toEqual(["executing", "executing", "completed"]);
  // Once its processes are gone nobody calls it busy, however long it takes to look at its work.
  for (const state of states.slice(2, -1)) expect(["executing", "idle"]).toContain(state);
  for (const { agent_id, metadata } of statuses) {
    expect(agent_id).toBe("coder");
    expect(metadata).toMatchObject({
      run_id: info?.run_id,
      image_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      workspace_manifest_hash: expect.stringMatching(/^[0-9a-f]{40,64}$/),
      window_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      goal_ids: "SHOP-PAY-007",
    });
  }
  // Its words are there as a note, and as nothing else.
  expect(statuses.at(-1)?.notes).toBe("Half way.");
  const tree = world.project.git("rev-parse", `${info?.ref}^{tree}`);
  expect(statuses.at(-1)?.metadata?.["workspace_manifest_hash"]).toBe(tree);
  expect([late, alive]).toEqual([[], []]);
  const trace = findTalkTrace({ place: world.place, task: TASK }) ?? "";
  const options = { profile: "default", mode: "full", threads: 1 } as const;
  const verified = await verifyTarget(async () => world.place, trace, options);
  expect(verified).toMatchObject({ report: { status: "pass-with-warnings", failures: [] } });
});

test("a run is alive while a process of it is there", async () => {
  const world = await AgentWorld.open();
  const stop = new AbortController();
  const running = world.runner.run(
    world.request("sleep 30", { signal: stop.signal, graceMs: 100 }),
  );
  const isSeen = () =>
    findTalkTrace({ place: world.place, task: TASK }) !== undefined &&
    reportOf(world).alive.some(({ is_alive }) => is_alive);
  while (!isSeen()) await wait(20);
  expect(reportOf(world).alive).toMatchObject([
    { agent: "coder", is_alive: true, why: expect.stringMatching(/^process \d+ is there$/) },
  ]);
  stop.abort();
  await running;
  expect(reportOf(world).alive).toEqual([]);
});
