// Runs the command with the given arguments and says on stderr how much memory it took at most.
import { writeSync } from "node:fs";

process.on("exit", () => {
  writeSync(2, `\nmaxrss ${process.resourceUsage().maxRSS} KiB\n`);
});
await import("../../dist/cli/bin.js");
