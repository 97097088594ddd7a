import { expect, test } from "vitest";
import type { ProgramDriver } from "../../../src/agent/index.ts";
import { runUntilDone } from "../../../src/flow/agent/restart-loop.ts";
import type { AgentEvent, ErrorKind } from "../../../src/schema/agent.ts";
import { AgentWorld, shellAgent } from "./agent-world.ts";

const QUICK = { pauseMs: 1 };

/** A shell script whose first words, `error: <kind>`, are what its model is said to have told it. */
function troubledAgent(script: string): ProgramDriver {
  const driver = shellAgent(script);
  return {
    ...driver,
    reader: () => {
      const reader = driver.reader();
      const told = (events: AgentEvent[]): AgentEvent[] =>
        events.map((event) => {
          const text = event.kind === "answer" || event.kind === "text" ? event.text : "";
          const why = /^error: (\w+)/.exec(text)?.[1] as ErrorKind | undefined;
          return why === undefined ? event : { kind: "error", why, message: "as scripted" };
        });
      return {
        take: (chunk) => told(reader.take(chunk)),
        end: () => told(reader.end()),
        tellsTools: true,
        echoBytes: 0,
      };
    },
  };
}

test("an agent goes on from what it left, until it says that it is done", async () => {
  const world = await AgentWorld.open();
  const script = [
    "cat > /workspace/output/prompt.txt",
    "echo more >> log.txt",
    "[ $(wc -l < log.txt) -lt 3 ] || touch /workspace/output/DONE",
    "cat /workspace/output/prompt.txt",
  ].join("\n");
  const { end, runs, last } = await runUntilDone(world.runner, world.request(script), {
    ...QUICK,
    roundsMax: 10,
  });
  expect(end).toBe("done");
  expect(runs).toHaveLength(3);
  expect(world.project.git("show", `${last.info?.ref}:log.txt`)).toBe("more\nmore\nmore");
  const ids = runs.map(({ info }) => info?.run_id);
  expect(runs.map(({ info }) => info?.previous_run_id)).toEqual([null, ids[0], ids[1]]);
});

test("what is said of the whole chain is held against the whole chain", async () => {
  const world = await AgentWorld.open();
  const script = [
    "[ -e new.txt ] && touch /workspace/output/DONE",
    "[ -e new.txt ] || echo x > new.txt",
    "echo 'Created `new.txt`. Created `other.txt`. All tests pass.'",
  ].join("\n");
  const request = world.request(script);
  const { end, runs } = await runUntilDone(world.runner, request, { ...QUICK, roundsMax: 5 });
  expect(end).toBe("done");
  const told = runs.map(({ said }) => said.map(({ verdict }) => verdict));
  expect(told).toEqual([
    ["CONFIRMED", "HALLUCINATED", "HALLUCINATED"],
    // Nobody looked at whether tests ran in an earlier run.
    ["CONFIRMED", "HALLUCINATED", "UNVERIFIED"],
  ]);
});

test("exit code 0 alone does not end a task, and the rounds do", async () => {
  const world = await AgentWorld.open();
  const request = world.request("date +%N >> log.txt; cat");
  const { end, runs } = await runUntilDone(world.runner, request, { ...QUICK, roundsMax: 2 });
  expect(end).toBe("rounds");
  expect(runs).toHaveLength(2);
});

test("an agent that moves nothing and says the same is not started for ever", async () => {
  const world = await AgentWorld.open();
  const request = world.request("echo I am thinking.");
  const { end, runs } = await runUntilDone(world.runner, request, { ...QUICK, roundsMax: 50 });
  expect(end).toBe("stagnation");
  expect(runs).toHaveLength(3);
});

test("a refused credential ends it at once, and a busy model after a few tries that are no rounds", async () => {
  const world = await AgentWorld.open();
  const withTrouble = (why: string) => ({
    ...world.request("true"),
    driver: troubledAgent(`echo error: ${why}`),
  });
  const refused = await runUntilDone(world.runner, withTrouble("credential"), {
    ...QUICK,
    roundsMax: 9,
  });
  expect([refused.end, refused.runs.length]).toEqual(["model", 1]);
  const busy = await runUntilDone(world.runner, withTrouble("busy"), { ...QUICK, roundsMax: 1 });
  expect([busy.end, busy.runs.length]).toEqual(["model", 6]);
});

test("a run that is called off is the last", async () => {
  const world = await AgentWorld.open();
  const controller = new AbortController();
  const request = world.request("echo begun; sleep 60", {
    signal: controller.signal,
    onEvent: () => controller.abort(),
  });
  const { end, runs } = await runUntilDone(world.runner, request, { ...QUICK, roundsMax: 9 });
  expect([end, runs.length]).toEqual(["cancelled", 1]);
});
