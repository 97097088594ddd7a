// Loaded before a command: when its process ends, writes what it used of the processors itself, on all its
// threads, without its children.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(process.env.SWORN_BENCH_OWN, `${(userCPUTime + systemCPUTime) / 1_000}`);
});
