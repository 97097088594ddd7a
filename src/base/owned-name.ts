import { readlinkSync } from "node:fs";

const OWNED = /^(\d{1,10})-(\d{1,20})-/;
let namespace: string | undefined;

/**
 * How the name of something goes on that is gone with this process: a later one can tell whose it was.
 * Numbers of processes mean nothing in another process namespace, where a container looks at the
 * same folders.
 */
export function ownedBy(pid = process.pid): string {
  return `${pid}-${processNamespace()}-`;
}

/** Whether a name that goes on like this belongs to a process that is gone for certain. */
export function isOwnerDead(rest: string): boolean {
  const [, pid, within] = OWNED.exec(rest) ?? [];
  return pid !== undefined && within === processNamespace() && !isAlive(Number(pid));
}

function processNamespace(): string {
  namespace ??= lookUpNamespace();
  return namespace;
}

function lookUpNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "") || "0";
  } catch {
    // A system without such namespaces has one for all.
    return "0";
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
