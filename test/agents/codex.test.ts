import { expect, test } from "vitest";
import { expectAgent } from "./expect-agent.ts";
import { runAgent } from "./start-agent.ts";

expectAgent("codex", {
  write: { call: "exec_command", input: { cmd: "echo hello > out.txt" } },
  shell: (cmd) => ({ call: "exec_command", input: { cmd } }),
  writeTool: "command_execution",
  shellTool: "command_execution",
  survivesMalformed: true,
  // It prints the whole message as one line, which is longer than any that is kept.
  flood: { pieces: 20_000, ends: "unread" },
  models: ["scripted"],
});

test("codex changes a file by its own tool, and tells it once", async () => {
  const patch = "*** Begin Patch\n*** Add File: out.txt\n+hello\n*** End Patch";
  const step = { call: "exec_command", input: { cmd: `apply_patch <<'END'\n${patch}\nEND` } };
  const seen = await runAgent("codex", [step, { say: "Done." }], { record: "patch" });
  expect(seen.files).toEqual({ "out.txt": "hello\n" });
  const calls = seen.events.filter(({ kind }) => kind === "tool" || kind === "tool_end");
  expect(calls).toMatchObject([{ kind: "tool" }, { kind: "tool_end", failed: false }]);
});
