import { expectAgent } from "./expect-agent.ts";

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
