import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Limits } from "../../schema/execution.ts";
import type { Control } from "../engine.ts";
import { groupsOf } from "../groups-of.ts";
import { quotaUs } from "./container-spec.ts";

const PAGE_BYTES = 4_096;

/** Files in which the kernel says what is in force, and the most that may stand there. */
interface LimitFile {
  readonly name: "memory" | "pids" | "cpu";
  readonly file: string;
  readonly most: number;
}

/**
 * What the kernel enforces on a process, read from its control groups: an engine's word that it set
 * a limit is not the limit.
 */
export function kernelLimits(pid: number, limits: Limits): Control[] {
  const groups = groupsOf(pid);
  const files = limitFiles(limits);
  return (["memory", "pids", "cpu"] as const).map((name) => {
    const first = groups.get(name);
    const folder = first ?? groups.get("");
    const own = files[first === undefined ? "unified" : "first"].filter((one) => one.name === name);
    const wrong = own.flatMap((one) => problemOf(folder, one) ?? []);
    const seen = wrong.length === 0 ? "read back from the kernel" : wrong.join("; ");
    return { name, holds: wrong.length === 0, seen };
  });
}

function limitFiles({ memory_bytes, pids, cpu_thousandths }: Limits) {
  const cpu = quotaUs(cpu_thousandths);
  const bytes = memory_bytes - (memory_bytes % PAGE_BYTES);
  const first: LimitFile[] = [
    { name: "memory", file: "memory.limit_in_bytes", most: bytes },
    { name: "memory", file: "memory.memsw.limit_in_bytes", most: bytes },
    { name: "pids", file: "pids.max", most: pids },
    { name: "cpu", file: "cpu.cfs_quota_us", most: cpu },
  ];
  const unified: LimitFile[] = [
    { name: "memory", file: "memory.max", most: bytes },
    { name: "memory", file: "memory.swap.max", most: 0 },
    { name: "pids", file: "pids.max", most: pids },
    { name: "cpu", file: "cpu.max", most: cpu },
  ];
  return { first, unified };
}

function problemOf(folder: string | undefined, { file, most }: LimitFile): string | undefined {
  const expected = `expected at most ${most} in ${file}`;
  try {
    const found = readFileSync(join(folder ?? "/", file), "utf8").trim();
    // `max`, and the -1 of a quota that is none, are no numbers that could be small enough.
    const value = /^\d+( \d+)?$/.test(found)
      ? Number.parseInt(found, 10)
      : Number.POSITIVE_INFINITY;
    return value <= most ? undefined : `${expected}, found ${found}`;
  } catch {
    // A machine without swap has no file about it, and nothing to limit.
    return hasNoSwap() && /swap|memsw/.test(file) ? undefined : `${expected}, found no such file`;
  }
}

function hasNoSwap(): boolean {
  return /^SwapTotal:\s+0 kB$/m.test(readFileSync("/proc/meminfo", "utf8"));
}
