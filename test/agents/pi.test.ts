import { expectAgent } from "./expect-agent.ts";

expectAgent("pi", {
  write: { call: "write", input: { path: "out.txt", content: "hello\n" } },
  shell: (command) => ({ call: "bash", input: { command } }),
  writeTool: "write",
  shellTool: "bash",
  survivesMalformed: false,
  // Every piece is printed with all that came before: the output is the square of the message.
  flood: { pieces: 1_000, ends: "stopped" },
  models: ["openai/scripted", "anthropic/scripted"],
});
