import { expect } from "vitest";

/** Ten times the size may cost so much more; what looks at everything each time costs a hundred. */
const GROWTH_MAX = 25;
const ROUNDS_MAX = 12;

/**
 * Shows that ten times the size costs about ten times as much: in processor time, because other
 * processes have no part in it, and by the cheapest of several rounds, because the collector and
 * the compiler have. A fault stays a fault in every round, a busy machine does not.
 */
export function expectLinear(run: (times: 1 | 10) => unknown): void {
  const best = { 1: Number.POSITIVE_INFINITY, 10: Number.POSITIVE_INFINITY };
  run(10);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    for (const times of [1, 10] as const) {
      best[times] = Math.min(
        best[times],
        costOf(() => run(times)),
      );
    }
    if (best[10] / best[1] < GROWTH_MAX) return;
  }
  expect(best[10] / best[1]).toBeLessThan(GROWTH_MAX);
}

function costOf(run: () => unknown): number {
  const from = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(from);
  return user + system;
}

/** Milliseconds of processor time since a reading of it: a busy machine hardly lengthens them. */
export function processorMsSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}
