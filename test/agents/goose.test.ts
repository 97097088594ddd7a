import { expect, test } from "vitest";
import { runAgent } from "./start-agent.ts";
test("truth", async () => {
  for (const a of ["goose", "codex", "pi"] as const) {
    const call = a === "codex" ? { call: "exec_command", input: { cmd: "printf 'hello\\n' > out.txt" } } : { call: "write", input: { path: "out.txt", content: "hello\n" } };
    const seen = await runAgent(a, [call, { say: "Done." }], {});
    console.log(a, JSON.stringify({ ...seen, asked: seen.asked.map((x) => x.tools) }, null, 1));
    const m = await runAgent(a, [a === "codex" ? { call: "exec_command", input: { cmd: "sleep 1000 & echo x" } } : { call: a === "pi" ? "bash" : "shell", input: { command: "sleep 1000 & echo x" } }, { stall: true }], { silentMs: 1500 });
    console.log(a, JSON.stringify({ ...m, asked: m.asked.map((x) => x.tools) }, null, 1));
  }
}, 100000);
