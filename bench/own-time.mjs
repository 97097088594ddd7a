// Loaded before a command: when its process ends, writes what it used itself, without its children, and
// for how long none of its children was at work. A git that waits to be asked is not at work.
import { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";

const spans = [];
const start = ChildProcess.prototype.spawn;
ChildProcess.prototype.spawn = function spawnTimed(options) {
  const from = performance.now();
  if (!options.args?.includes("cat-file")) {
    this.once("exit", () => spans.push([from, performance.now()]));
  }
  return start.call(this, options);
};

process.on("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const processorMs = (userCPUTime + systemCPUTime) / 1_000;
  // Counted from the start of the process.
  const aloneMs = performance.now() - covered(spans);
  writeFileSync(process.env.SWORN_BENCH_OWN, JSON.stringify({ processorMs, aloneMs }));
});

/** How long at least one of some spans lasted. */
function covered(list) {
  let sum = 0;
  let reached = 0;
  for (const [from, to] of list.toSorted(([a], [b]) => a - b)) {
    if (to > reached) sum += to - Math.max(from, reached);
    reached = Math.max(reached, to);
  }
  return sum;
}
