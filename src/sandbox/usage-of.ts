import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Usage } from "./engine.ts";

/** What the kernel counts processor time in, on every machine that Linux runs on today. */
const TICK_MS = 10;
/** Behind the name in `/proc/<pid>/stat`: own and waited-for children's time, user and system. */
const TIMES = { from: 11, to: 15 } as const;
const PROCESSES_MAX = 10_000;
const COMMAND_BYTES_MAX = 100_000;
const PEAKS = ["memory.max_usage_in_bytes", "memory.peak"];

/** The control groups of one sandbox and of nothing else. */
export interface OwnGroups {
  readonly pids: string | undefined;
  readonly memory: string | undefined;
}

/**
 * What is in a sandbox and what it has used, by its control groups: the number of a process that
 * ended may be somebody else's already. Undefined when the groups are gone.
 */
export function usageOf(groups: OwnGroups): Usage | undefined {
  try {
    const pids = readFileSync(join(groups.pids ?? "", "cgroup.procs"), "utf8")
      .split("\n")
      .flatMap((line) => (Number(line) > 0 ? [Number(line)] : []))
      .slice(0, PROCESSES_MAX);
    const seen = pids.flatMap((one) => look(one) ?? []);
    return {
      cpuMs: seen.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      peakBytes: peakOf(groups.memory),
      processes: seen.map(({ pid: one, argv }) => ({ pid: one, argv })),
    };
  } catch {
    // It ended while it was looked at.
    return undefined;
  }
}

/** Undefined for one that is just ending. */
function look(pid: number): { pid: number; cpuMs: number; argv: string[] } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(TIMES.from, TIMES.to).reduce((sum, one) => sum + Number(one), 0);
    const command = readFileSync(`/proc/${pid}/cmdline`);
    const argv = command.subarray(0, COMMAND_BYTES_MAX).toString("utf8").split("\0").slice(0, -1);
    return { pid, cpuMs: ticks * TICK_MS, argv };
  } catch {
    return undefined;
  }
}

function peakOf(folder: string | undefined): number | undefined {
  if (folder === undefined) return undefined;
  for (const file of PEAKS) {
    try {
      return Number(readFileSync(join(folder, file), "utf8"));
    } catch {
      // Another kind of control group; the next name.
    }
  }
  return undefined;
}
