// Loaded before a command: writes what its process used itself, without its children, when it ends.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  writeFileSync(process.env.SWORN_BENCH_OWN, String((userCPUTime + systemCPUTime) / 1_000));
});
