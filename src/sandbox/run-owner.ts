import { readFileSync, readlinkSync } from "node:fs";

/**
 * Names the process that a container belongs to, in a way that outlives it: the boot, the process
 * namespace, the number, and when it began, because numbers are given out again.
 */
export function ownerOf(pid = process.pid): string {
  return [bootId(), namespaceOf("self"), String(pid), beginOf(pid) ?? "gone"].join("/");
}

/**
 * Whether the process that a container belongs to is gone for certain. One in another process
 * namespace of the same boot cannot be looked at, and its containers are left alone.
 */
export function isOwnerGone(owner: string): boolean {
  const [boot, namespace, pid, begin] = owner.split("/");
  if (boot !== bootId()) return true;
  if (namespace !== namespaceOf("self") || !/^\d{1,10}$/.test(pid ?? "")) return false;
  return beginOf(Number(pid)) !== begin;
}

function bootId(): string {
  return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
}

function namespaceOf(pid: string): string {
  return readlinkSync(`/proc/${pid}/ns/pid`).replace(/\D/g, "");
}

/** The 22nd field of a process's stat line; the second may hold anything but ends with the last bracket. */
const BEGIN_AFTER_NAME = 19;

function beginOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(BEGIN_AFTER_NAME);
  } catch {
    // No such process: it has no beginning.
    return undefined;
  }
}
