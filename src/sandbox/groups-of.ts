import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the control groups of a process lie, by controller; that of the unified tree has no name. */
export function groupsOf(pid: number): Map<string, string> {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => /^\S+ \S+ \S+ \S+ (\S+) .* - (cgroup2?) \S+ (\S+)$/.exec(line));
  const mountOf = (name: string): string | undefined =>
    mounts.find((mount) =>
      name === "" ? mount?.[2] === "cgroup2" : mount?.[3]?.split(",").includes(name),
    )?.[1];
  const groups = new Map<string, string>();
  for (const line of readFileSync(`/proc/${pid}/cgroup`, "utf8").split("\n")) {
    const [, names, path = ""] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const name of names?.split(",") ?? []) {
      const mount = mountOf(name);
      if (mount !== undefined) groups.set(name, join(mount, path));
    }
  }
  return groups;
}
