// Loaded before a program: writes the program's peak memory, in kilobytes, when it ends.
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

if (isMainThread)
  process.on("exit", () =>
    writeFileSync(process.env.BENCH_PEAK_FILE, `${process.resourceUsage().maxRSS}`),
  );
