import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { AgentEvent, ErrorKind } from "../../src/schema/agent.ts";
import type { Step } from "./scripted-model.ts";
import { type RealAgent, runAgent, type Seen } from "./start-agent.ts";

/** What differs from agent to agent. */
export interface Expected {
  /** Its calls that write `hello` into `out.txt`, and that run a command. */
  readonly write: Step;
  readonly shell: (command: string) => Step;
  /** What its stream calls them. */
  readonly writeTool: string;
  readonly shellTool: string;
  /** Whether it goes on after a piece of the model's stream that is not JSON. */
  readonly survivesMalformed: boolean;
  /** In how many pieces of 500 bytes the model floods it, and what becomes of it. */
  readonly flood: { readonly pieces: number; readonly ends: "answered" | "unread" | "stopped" };
  /** The forms of model services that it is tried with, by the model's name. */
  readonly models: readonly string[];
}

const FLOOD_CEILING_BYTES = 48 << 20;
const of = <K extends AgentEvent["kind"]>(seen: Seen, kind: K) =>
  seen.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);
const answers = (seen: Seen): string[] => of(seen, "answer").map(({ text }) => text);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
/** A model that it does not know is remarked on by codex; that is no trouble with the model. */
const troubles = (seen: Seen): ErrorKind[] => [
  ...new Set(
    of(seen, "error")
      .filter(({ message }) => !message.startsWith("Model metadata"))
      .map(({ why }) => why),
  ),
];

/** Whatever happened, the agent spoke to its model alone, is gone, and all it printed was read. */
function expectClean(seen: Seen): void {
  expect(seen.strays).toBe(0);
  expect(seen.survivors).toEqual([]);
  expect(of(seen, "unread")).toEqual([]);
}

/** The same story for every agent, told by a model that is truthful, lies, stalls, fails or floods. */
export function expectAgent(agent: RealAgent, expected: Expected): void {
  describe(agent, () => {
    test.each(expected.models)(
      "what it did is in the tree and in its events, with %s",
      async (model) => {
        const steps = [
          expected.write,
          expected.shell("exit 3"),
          { say: "Done: out.txt is there." },
        ];
        const record = model === expected.models[0] ? "truth" : undefined;
        const seen = await runAgent(agent, steps, { model, ...(record && { record }) });
        expect(seen.files).toEqual({ "out.txt": "hello\n" });
        expect(of(seen, "tool").map(({ name }) => name)).toEqual([
          expected.writeTool,
          expected.shellTool,
        ]);
        expect(of(seen, "tool")[0]?.input).toContain("out.txt");
        expect(of(seen, "tool_end").map(({ failed }) => failed)).toEqual([false, true]);
        expect(answers(seen)).toEqual(["Done: out.txt is there."]);
        expect(sum(of(seen, "usage").map(({ inputTokens }) => inputTokens))).toBe(360);
        expect(sum(of(seen, "usage").map(({ outputTokens }) => outputTokens))).toBe(90);
        expect(of(seen, "turn").length).toBeGreaterThan(0);
        expect(troubles(seen)).toEqual([]);
        expect(seen.asked[0]?.body).toContain("Do what the task says.");
        expectClean(seen);
      },
    );

    test("it runs where it sees nothing of the host but the system and its own folders", async () => {
      const steps = [expected.write, { say: "Done." }];
      const seen = await runAgent(agent, steps, { isNarrow: true });
      expect(seen.files).toEqual({ "out.txt": "hello\n" });
      expect(answers(seen)).toEqual(["Done."]);
      expectClean(seen);
    });

    test("a lie comes with no command and no file", async () => {
      const lie = "I wrote out.txt and all tests pass.";
      const seen = await runAgent(agent, [{ say: lie }], { record: "lie" });
      expect(answers(seen)).toEqual([lie]);
      expect(of(seen, "tool")).toEqual([]);
      expect(seen.files).toEqual({});
      expect(seen.code).toBe(0);
      expectClean(seen);
    });

    test("a stalled model leaves it silent; stopped, nothing of it survives and no answer is told", async () => {
      const steps = [expected.shell("sleep 1000 & echo begun"), { stall: true as const }];
      const seen = await runAgent(agent, steps, { silentMs: 2_000 });
      expect(of(seen, "tool").length).toBe(1);
      expect(answers(seen)).toEqual([]);
      expect(seen.code).not.toBe(0);
      expectClean(seen);
    });

    // At the same time: agents wait longer and longer before they try again.
    test.concurrent.each([
      [429, "busy"],
      [500, "unavailable"],
      [401, "credential"],
    ] as const)("status %i of the model is told as %s and gives no answer", async (status, why) => {
      const seen = await runAgent(agent, [{ status }], { record: String(status) });
      expect(troubles(seen)).toEqual([why]);
      expect(answers(seen)).toEqual([]);
      expect(seen.files).toEqual({});
      expectClean(seen);
    });

    test.concurrent("a piece of the model's stream that is not JSON ends in an error or in an answer, never in both", async () => {
      const seen = await runAgent(agent, [{ malformed: "All is well." }], { record: "malformed" });
      expect(troubles(seen)).toEqual(expected.survivesMalformed ? [] : ["other"]);
      expect(answers(seen)).toEqual(expected.survivesMalformed ? ["All is well."] : []);
      expectClean(seen);
    });

    test("a flood is read as it comes, told as unread, or stopped at the ceiling", async () => {
      const steps = [{ say: "word ".repeat(100), times: expected.flood.pieces }];
      const seen = await runAgent(agent, steps, { outputBytesMax: FLOOD_CEILING_BYTES });
      const { ends } = expected.flood;
      expect(seen.stdoutBytes > FLOOD_CEILING_BYTES).toBe(ends === "stopped");
      expect(of(seen, "unread").length > 0).toBe(ends === "unread");
      expect(answers(seen).length).toBe(ends === "answered" ? 1 : 0);
      expect(seen.survivors).toEqual([]);
    });
  });
}

/** Runs a line of JavaScript in a network namespace of its own, without any route. */
export function alone(script: string): string {
  return execFileSync("unshare", ["--net", process.execPath, "-e", script], { encoding: "utf8" });
}
