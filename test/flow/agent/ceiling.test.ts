import { expect, test } from "vitest";
import { Ceiling } from "../../../src/flow/agent/ceiling.ts";
import { AgentLimits } from "../../../src/schema/agent.ts";

const usage = (inputTokens: number, outputTokens: number, microUsd?: number) =>
  ({ kind: "usage", inputTokens, outputTokens, ...(microUsd ? { microUsd } : {}) }) as const;

test("tokens of both directions are added up, and what is above the ceiling passes it", () => {
  const ceiling = new Ceiling(AgentLimits.parse({ tokens: 100 }));
  ceiling.hear(usage(60, 40));
  expect(ceiling.passed).toBe(undefined);
  ceiling.hear(usage(0, 1));
  expect(ceiling.passed).toBe("tokens");
});

test("money is added up where it is told, and is unknown where it is not", () => {
  const ceiling = new Ceiling(AgentLimits.parse({ micro_usd: 500 }));
  ceiling.hear(usage(1, 1));
  expect(ceiling.use.microUsd).toBe(undefined);
  ceiling.hear(usage(1, 1, 300));
  ceiling.hear(usage(1, 1, 201));
  expect(ceiling.use.microUsd).toBe(501);
  expect(ceiling.passed).toBe("micro_usd");
});

test("a ceiling of the project's is named as that, and not as a setting of the agent's", () => {
  const ceiling = new Ceiling(AgentLimits.parse({}), 500);
  ceiling.hear(usage(1, 1, 500));
  expect(ceiling.passed).toBe(undefined);
  ceiling.hear(usage(1, 1, 1));
  expect(ceiling.passed).toBe("runs.spend");
  const both = new Ceiling(AgentLimits.parse({ micro_usd: 400 }), 500);
  both.hear(usage(1, 1, 501));
  expect(both.passed).toBe("micro_usd");
});

test("an agent that does not tell its turns is counted by its model's answers", () => {
  const ceiling = new Ceiling(AgentLimits.parse({ turns: 2 }));
  ceiling.hear({ kind: "turn" });
  for (const _ of [1, 2]) ceiling.seeRequest();
  expect(ceiling.passed).toBe(undefined);
  ceiling.seeRequest();
  expect(ceiling.use.turns).toBe(3);
  expect(ceiling.passed).toBe("turns");
});

test("uses of tools are counted, and the one above the ceiling passes it", () => {
  const ceiling = new Ceiling(AgentLimits.parse({ tool_calls: 10 }));
  for (let call = 0; call < 10; call += 1) ceiling.hear({ kind: "tool", name: "read" });
  ceiling.hear({ kind: "tool_end", name: "read", failed: false });
  expect(ceiling.passed).toBe(undefined);
  ceiling.hear({ kind: "tool", name: "read" });
  expect(ceiling.use.toolCalls).toBe(11);
  expect(ceiling.passed).toBe("tool_calls");
});

test("of an agent that tells of no tools, the programs that it starts are counted", () => {
  const ceiling = new Ceiling(AgentLimits.parse({ tool_calls: 1 }));
  for (const _ of [1, 2]) ceiling.seeProgram();
  expect(ceiling.use).toMatchObject({ toolCalls: 0, toolCallsBy: "told" });
  ceiling.countBy("seen");
  expect(ceiling.use).toMatchObject({ toolCalls: 2, toolCallsBy: "seen" });
  expect(ceiling.passed).toBe("tool_calls");
});

test("nothing is passed where no ceiling was set", () => {
  const ceiling = new Ceiling(AgentLimits.parse({}));
  ceiling.hear(usage(1e12, 1e12, 1e12));
  ceiling.seeRequest();
  expect(ceiling.passed).toBe(undefined);
});
