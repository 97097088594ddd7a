import { expect, test } from "vitest";
import { GRACE_MS } from "../../../src/flow/agent/watch-agent.ts";
import { AgentLimits } from "../../../src/schema/agent.ts";
import { verifies } from "../../verifies.ts";
import { AgentWorld } from "./agent-world.ts";

/** Calls an agent off as soon as it says something. */
async function calledOff(script: string, graceMs?: number) {
  const world = await AgentWorld.open();
  const controller = new AbortController();
  let askedAt = 0;
  const outcome = await world.run(script, {
    graceMs,
    signal: controller.signal,
    onEvent: () => {
      askedAt ||= performance.now();
      controller.abort();
    },
  });
  const tookMs = performance.now() - askedAt;
  const show = (path: string) => world.project.git("show", `${outcome.info?.ref}:${path}`);
  return { outcome, tookMs, show };
}

const WAITS = "echo ready; while :; do sleep 0.05; done";

verifies("003-40", "who is called off is asked, and killed when its time is over", async () => {
  expect(GRACE_MS).toBe(30_000);
  const deaf = await calledOff(`trap '' TERM; echo half > half.txt; ${WAITS}`, 1_000);
  expect(deaf.outcome.info).toMatchObject({ status: "cancelled" });
  expect(deaf.tookMs).toBeGreaterThanOrEqual(990);
  expect(deaf.show("half.txt")).toBe("half");
});

test("an agent that is called off before it began is not waited for", async () => {
  const world = await AgentWorld.open();
  const controller = new AbortController();
  const began = performance.now();
  const outcome = await world.run(WAITS, {
    signal: controller.signal,
    onStarted: () => controller.abort(),
  });
  expect(outcome.info).toMatchObject({ status: "cancelled" });
  expect(performance.now() - began).toBeLessThan(GRACE_MS - 1_000);
});

test("an agent that is asked to end writes down where it is, and that is kept", async () => {
  const { outcome, show } = await calledOff(
    `trap 'echo halfway > TASK_STATE.md; exit 0' TERM; ${WAITS}`,
  );
  expect(outcome.info).toMatchObject({ status: "cancelled", exit_code: 0 });
  expect(show("TASK_STATE.md")).toBe("halfway");
});

test("an agent that does nothing for too long is asked first as well", async () => {
  const world = await AgentWorld.open();
  const outcome = await world.run("trap 'echo stuck > state.txt; exit 0' TERM; sleep 300 & wait", {
    limits: AgentLimits.parse({ idle_seconds: 1, stuck_seconds: 1 }),
  });
  expect(outcome.info).toMatchObject({ error_summary: "ended by stuck_seconds" });
  expect(world.project.git("show", `${outcome.info?.ref}:state.txt`)).toBe("stuck");
});
