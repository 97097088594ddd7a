import { expect, test } from "vitest";
import type { AgentEvent } from "../../src/schema/agent.ts";
import type { Step } from "./scripted-model.ts";
import { runAcpAgent, type Seen } from "./start-agent.ts";

const SETTINGS = {
  args: ["acp", "--with-builtin", "developer"],
  env: {
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: "scripted",
    GOOSE_MODE: "auto",
    GOOSE_DISABLE_KEYRING: "1",
    GOOSE_TELEMETRY_ENABLED: "false",
    OPENAI_HOST: "{endpoint}",
  },
};
const WRITE: Step = { call: "write", input: { path: "out.txt", content: "hello\n" } };
const run = (steps: readonly Step[], options = {}): Promise<Seen> =>
  runAcpAgent("goose", SETTINGS, steps, options);
const of = <K extends AgentEvent["kind"]>(seen: Seen, kind: K) =>
  seen.events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind);

function expectClean(seen: Seen): void {
  expect([seen.strays, seen.survivors, of(seen, "unread")]).toEqual([0, [], []]);
}

test("goose over the protocol: what it did is in the tree and in its events", async () => {
  const steps = [WRITE, { call: "shell", input: { command: "exit 3" } }, { say: "Done: it is." }];
  const seen = await run(steps);
  expect(seen.files).toEqual({ "out.txt": "hello\n" });
  expect(of(seen, "answer").map(({ text }) => text)).toEqual(["Done: it is."]);
  // It has us write the file, as the protocol lets it.
  expect(of(seen, "tool_end").map(({ name, failed }) => [name, failed])).toEqual([
    ["fs/write_text_file", false],
    [expect.stringMatching(/write/i), false],
    [expect.stringMatching(/shell/i), true],
  ]);
  expect(of(seen, "error")).toEqual([]);
  expect(seen.code).toBe(0);
  expectClean(seen);
});

test("goose over the protocol runs where it sees nothing but the system and its own folders", async () => {
  const seen = await run([WRITE, { say: "Done." }], { isNarrow: true });
  expect(seen.files).toEqual({ "out.txt": "hello\n" });
  expect(of(seen, "answer").map(({ text }) => text)).toEqual(["Done."]);
  expectClean(seen);
});

test.concurrent.each([
  [401, "credential"],
  [429, "busy"],
  [500, "unavailable"],
] as const)(
  "goose over the protocol: status %i is told as %s and gives no answer",
  async (status, why) => {
    const seen = await run([{ status }]);
    expect([...new Set(of(seen, "error").map((error) => error.why))]).toEqual([why]);
    expect(of(seen, "answer")).toEqual([]);
    expect(seen.code).toBe(1);
    expectClean(seen);
  },
);

test("goose over the protocol: a stalled model leaves it silent; stopped, nothing of it survives", async () => {
  const shell: Step = { call: "shell", input: { command: "sleep 1000 & echo begun" } };
  const seen = await run([shell, { stall: true }], { silentMs: 2_000 });
  expect(of(seen, "answer")).toEqual([]);
  expect(seen.code).not.toBe(0);
  expectClean(seen);
});
