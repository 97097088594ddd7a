// Runs the command with the given arguments and says on stderr how much memory it took at most.
// Not by its resource usage: that begins with the memory of whoever started it.
import { readFileSync, writeSync } from "node:fs";

process.on("exit", () => {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  writeSync(2, `\npeak ${kib} KiB\n`);
});
await import("../../dist/cli/bin.js");
