import { expect, test } from "vitest";
import type { ProgramDriver, StreamReader } from "../../../../src/agent/index.ts";
import { cancelRuns } from "../../../../src/flow/agent/cancel-run.ts";
import { agentAsk } from "../../../../src/flow/plan/planner/agent-ask.ts";
import { planTask } from "../../../../src/flow/plan/planner/plan-task.ts";
import type { StepName } from "../../../../src/plan/planner/index.ts";
import { AgentConfig } from "../../../../src/schema/agent.ts";
import { verifies } from "../../../verifies.ts";
import { AgentWorld, shellAgent } from "../../agent/agent-world.ts";

/** Reads a stream in which each line "tool" is a use of a tool, and the rest is the answer. */
function telling(driver: ProgramDriver): ProgramDriver {
  const reader = (): StreamReader => {
    let text = "";
    return {
      echoBytes: 0,
      tellsTools: true,
      take: (chunk) => {
        const lines = chunk.toString().split("\n");
        text += lines.filter((line) => line !== "tool").join("\n");
        return lines.filter((line) => line === "tool").map(() => ({ kind: "tool", name: "read" }));
      },
      end: () => (text.trim() === "" ? [] : [{ kind: "answer", text }]),
    };
  };
  return { ...driver, reader };
}

async function asking(script: string, toolCalls: number, step: StepName = "facts") {
  return askingOf(telling(shellAgent(script)), toolCalls, step);
}

async function askingOf(
  driver: ProgramDriver,
  toolCalls: number,
  step: StepName = "facts",
  watch: (world: AgentWorld) => () => void = () => () => {},
) {
  const world = await AgentWorld.open();
  const onEvent = watch(world);
  const config = AgentConfig.parse({ driver: "command", argv: ["sh"], limits: { seconds: 60 } });
  const program = {
    path: "/bin/sh",
    argv: ["/bin/sh"] as [string],
    version: undefined,
    folders: [],
  };
  const ask = agentAsk({
    runner: world.runner,
    chosen: { name: "thinker", config, driver, program, service: undefined },
    ...{ task: "plan-it", at: world.project.git("rev-parse", "HEAD") },
    blindAt: await world.runner.scene.repository.commitMaker().empty("Nothing to see"),
    ...{ onEvent, onStep: () => {} },
  });
  const { signal } = new AbortController();
  return ask({ step, prompt: "Is it so?", toolCalls, signal });
}

verifies(
  ["001-38", "001-71"],
  "the run is ended at the tool use that goes beyond its budget",
  async () => {
    const heard = await asking(
      "for i in 1 2 3 4 5 6 7 8 9 10 11; do echo tool; done; sleep 60",
      10,
    );
    expect(heard.toolCalls).toBe(11);
    expect(heard.failure).toBe("the run failed: ended by tool_calls");
    expect(heard.ms).toBeLessThan(30_000);
  },
);

verifies(
  ["001-38", "001-73"],
  "an agent that tells of no tools is ended at the program that goes beyond its budget",
  async () => {
    const script = "for i in 1 2 3 4 5 6 7 8 9 10 11; do /bin/true; done; sleep 60";
    const heard = await askingOf(shellAgent(script), 10);
    // Some may begin between the one too many and the end.
    expect(heard.toolCalls).toBeGreaterThan(10);
    expect(heard.failure).toBe("the run failed: ended by tool_calls");
    expect(heard.countedBy).toMatch(/^(?:seen|partly)$/);
    expect(heard.ms).toBeLessThan(30_000);
  },
);

test("what such an agent does in its own process is no program, nor what it becomes", async () => {
  const script = "while read line; do :; done; exec sh -c 'exec echo done'";
  expect(await askingOf(shellAgent(script), 0)).toMatchObject({
    ...{ toolCalls: 0, countedBy: "seen", failure: undefined, text: "done\n" },
  });
});

test("where nothing can be seen, nothing is counted, and that is what is said", async () => {
  const world = await AgentWorld.open();
  const { engine } = world.runner.scene;
  // As on a machine that has no strace.
  const prepare = engine.prepare.bind(engine);
  engine.prepare = async (task) => {
    const prepared = await prepare(task);
    prepared.trace?.lines.resume();
    return Object.assign(prepared, { trace: undefined });
  };
  const { use } = await world.run("/bin/true; /bin/true");
  expect(use).toMatchObject({ toolCalls: 0, toolCallsBy: "nothing" });
});

test("a run within its budget answers from the commit alone: no board, no socket, no way to speak", async () => {
  const looks =
    "ls; ls /workspace /run 2>/dev/null; test -e .sworn && echo STORE; command -v sworn && echo TALKS";
  const heard = await asking(`cat > /dev/null; echo tool; ${looks}; echo done`, 1);
  expect(heard).toMatchObject({ toolCalls: 1, failure: undefined, run: expect.any(String) });
  expect(heard.text).toMatch(/a\.txt[\s\S]*done/);
  expect(heard.text).not.toMatch(/STORE|TALKS|tooling/);
});

test("whoever answers blind sees no file of the project", async () => {
  const heard = await asking("cat > /dev/null; echo files: $(find . -type f | wc -l)", 0, "answer");
  expect(heard).toMatchObject({ failure: undefined, text: expect.stringMatching(/^files: 0/) });
});

test("without an agent for it, planning says what to configure", async () => {
  const world = await AgentWorld.open();
  const asked = {
    ...{ request: "Cut the report", agent: undefined, signal: new AbortController().signal },
    ...{ onEvent: () => {}, onStep: () => {} },
  };
  await expect(planTask(asked, world.runner)).rejects.toThrow(
    /roles: \{ planner: thinker \}[\s\S]*--from/,
  );
  await expect(planTask({ ...asked, agent: "builtin" }, world.runner)).rejects.toThrow(
    /plan nothing/,
  );
});

test("an agent that fails is told of with its last words, so that nobody has to look for them", async () => {
  const heard = await asking("echo first >&2; printf 'no such model\\033[2J' >&2; exit 3", 0);
  expect(heard.failure).toBe(
    "the run failed: exit code 3; its last words on stderr: no such model [2J",
  );
});

test("a run that somebody calls off ends the planning, and is not asked again", async () => {
  const driver = shellAgent("echo begun; sleep 60");
  const cancel = ({ place }: AgentWorld) => {
    let isAsked = false;
    return () => {
      if (!isAsked) cancelRuns(place, "plan-it");
      isAsked = true;
    };
  };
  await expect(askingOf(driver, 10, "facts", cancel)).rejects.toMatchObject({ name: "AbortError" });
});
