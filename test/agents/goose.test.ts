import { expectAgent } from "./expect-agent.ts";

expectAgent("goose", {
  write: { call: "write", input: { path: "out.txt", content: "hello\n" } },
  shell: (command) => ({ call: "shell", input: { command } }),
  writeTool: "write",
  shellTool: "shell",
  survivesMalformed: false,
  flood: { pieces: 20_000, ends: "answered" },
  models: ["openai/scripted", "anthropic/scripted"],
});
