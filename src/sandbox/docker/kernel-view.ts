import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { messageOf } from "../../base/index.ts";
import type { Control } from "../engine.ts";

/** That of control groups is not among them: podman has none with the older ones, and it hides only names. */
const NAMESPACES = ["ipc", "mnt", "net", "pid", "uts"] as const;
/** Files of the kernel that say too much; something else has to lie over each of them. */
const MASKED = ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/sys/firmware"];
/** Settings of the kernel that are the machine's, not the task's. */
const LOCKED = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/sys"];

/** What a process sees of the kernel, as the kernel tells it: an engine's word is not asked. */
export function kernelView(pid: number): Control[] {
  return [
    judged("namespaces", "a namespace of its own of each kind", () => sharedNamespaces(pid)),
    judged("kernel_files", "the kernel's own files hidden or locked", () => openFiles(pid)),
  ];
}

function judged(name: string, expected: string, find: () => string[]): Control {
  try {
    const wrong = find();
    const seen = wrong.length === 0 ? expected : `expected ${expected}, found ${wrong.join("; ")}`;
    return { name, holds: wrong.length === 0, seen };
  } catch (error) {
    return { name, holds: false, seen: `it cannot be looked at: ${messageOf(error)}` };
  }
}

function sharedNamespaces(pid: number): string[] {
  const linkOf = (of: string | number, kind: string) => readlinkSync(`/proc/${of}/ns/${kind}`);
  return NAMESPACES.filter((kind) => linkOf(pid, kind) === linkOf("self", kind)).map(
    (kind) => `the host's ${kind}`,
  );
}

/** The last mount on a path is the one that is seen. */
function openFiles(pid: number): string[] {
  const mounts = new Map<string, string>();
  for (const line of readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n")) {
    const [, , , , target, options] = line.split(" ");
    if (target !== undefined && options !== undefined) mounts.set(target, options);
  }
  const isReadOnly = (path: string) => mounts.get(path)?.split(",").includes("ro") === true;
  return [
    ...MASKED.filter((path) => existsSync(path) && !mounts.has(path)).map((path) => `${path} open`),
    ...LOCKED.filter((path) => existsSync(path) && !isReadOnly(path)).map(
      (path) => `${path} writable`,
    ),
  ];
}
