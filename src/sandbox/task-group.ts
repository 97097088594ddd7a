import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isOwnerDead, messageOf, ownedBy, SwornError } from "../base/index.ts";
import type { Limits } from "../schema/execution.ts";
import type { Controller, Parent } from "./cgroup-parents.ts";
import type { Control } from "./engine.ts";
import type { OwnGroups } from "./usage-of.ts";

/** Microseconds over which processor time is shared out. */
const PERIOD_US = 100_000;
const REMOVE_TRIES_MAX = 2_000;
const REMOVE_WAIT_MS = 1;
const SWAP = /swap|memsw/;
/** Names a group after the process that made it, so that those of the dead can be told. */
const NAME = "sworn-";

/** The group of one task: made before it starts, gone after it has ended. */
export class TaskGroup {
  readonly #folders: ReadonlyMap<Controller, Parent>;

  private constructor(folders: ReadonlyMap<Controller, Parent>) {
    this.#folders = folders;
  }

  /** @throws SwornError `SANDBOX_FAILED` when a limit cannot be set; nothing is left then. */
  static create(id: string, parents: ReadonlyMap<Controller, Parent>, limits: Limits): TaskGroup {
    const folders = new Map<Controller, Parent>();
    for (const [controller, { folder, version }] of parents) {
      folders.set(controller, { folder: join(folder, `${NAME}${ownedBy()}${id}`), version });
    }
    const group = new TaskGroup(folders);
    try {
      for (const { folder } of group.#unique()) mkdirSync(folder);
      for (const [controller, { folder, version }] of folders) {
        for (const [file, value] of settings(controller, version, limits)) {
          // A machine without swap has no limit for it, and needs none.
          const isNeeded = !SWAP.test(file) || existsSync(join(folder, file));
          if (isNeeded) writeFileSync(join(folder, file), value);
        }
      }
    } catch (cause) {
      group.removeNow();
      throw new SwornError("SANDBOX_FAILED", `a limit could not be set: ${messageOf(cause)}`, {
        cause,
      });
    }
    return group;
  }

  /** Removes the groups of processes that are gone; says how many there were. */
  static reap(parents: ReadonlyMap<Controller, Parent>): number {
    const folders = [...new Set([...parents.values()].map(({ folder }) => folder))];
    const left = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.startsWith(NAME) && isOwnerDead(name.slice(NAME.length)))
        .map((name) => ({ folder: join(folder, name), version: 1 as const })),
    );
    return left.filter((one) => new TaskGroup(new Map([["pids", one]])).removeNow()).length;
  }

  /** Where the kernel says what is in it. */
  get folders(): OwnGroups {
    const [pids, memory] = (["pids", "memory"] as const).map(
      (name) => this.#folders.get(name)?.folder,
    );
    return { pids, memory };
  }

  #unique(): Parent[] {
    return [...new Map([...this.#folders.values()].map((one) => [one.folder, one])).values()];
  }

  /** Puts a process, and all that it starts from now on, under the limits. The kernel takes its time for each. */
  async add(pid: number): Promise<void> {
    await Promise.all(
      this.#unique().map(({ folder }) => writeFile(join(folder, "cgroup.procs"), String(pid))),
    );
  }

  /** What the kernel says is in force, and that the process is under it. */
  controls(pid: number, limits: Limits): Control[] {
    return [...this.#folders].map(([controller, { folder, version }]) => {
      const wrong = settings(controller, version, limits).filter(
        ([file, value]) => !isSet(join(folder, file), value),
      );
      const isIn = readFileSync(join(folder, "cgroup.procs"), "utf8")
        .split("\n")
        .includes(`${pid}`);
      const holds = wrong.length === 0 && isIn;
      const what = wrong.map(([file, value]) => `expected ${value} in ${file}`).join("; ");
      const seen = holds ? "read back from the kernel" : what || "the task is not in its group";
      return { name: controller, holds, seen };
    });
  }

  /** Ends whatever is in the group: what a task has changed about itself does not matter here. */
  killAll(): void {
    this.signalAll("SIGKILL");
  }

  /** Sends each process in the group a signal. */
  signalAll(signal: "SIGTERM" | "SIGKILL"): void {
    // A process is in all of the folders, and is told once.
    for (const pid of new Set(this.#unique().flatMap(({ folder }) => processesIn(folder)))) {
      try {
        process.kill(pid, signal);
      } catch {
        // Gone meanwhile.
      }
    }
  }

  /** Whether the kernel ended something because there was no more memory. */
  ranOutOfMemory(): boolean {
    const parent = this.#folders.get("memory");
    if (parent === undefined) return false;
    const file = parent.version === 1 ? "memory.oom_control" : "memory.events";
    try {
      const text = readFileSync(join(parent.folder, file), "utf8");
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
    } catch {
      return false;
    }
  }

  /** Removes the group once its last process is gone. */
  async remove(): Promise<void> {
    for (let tries = 0; tries < REMOVE_TRIES_MAX; tries += 1) {
      if (this.removeNow()) return;
      this.killAll();
      await new Promise((resolve) => setTimeout(resolve, REMOVE_WAIT_MS));
    }
  }

  removeNow(): boolean {
    let isGone = true;
    for (const { folder } of this.#unique()) {
      try {
        if (existsSync(folder)) rmdirSync(folder);
      } catch {
        // Processes that are ending still hold it.
        isGone = false;
      }
    }
    return isGone;
  }
}

function settings(
  controller: Controller,
  version: 1 | 2,
  { memory_bytes, pids, cpu_thousandths }: Limits,
): (readonly [string, string])[] {
  const quota = Math.max(1_000, Math.round((cpu_thousandths * PERIOD_US) / 1_000));
  if (controller === "pids") return [["pids.max", `${pids}`]];
  if (controller === "cpu") {
    return version === 1
      ? [
          ["cpu.cfs_period_us", `${PERIOD_US}`],
          ["cpu.cfs_quota_us", `${quota}`],
        ]
      : [["cpu.max", `${quota} ${PERIOD_US}`]];
  }
  // Memory is counted in whole pages.
  const bytes = `${memory_bytes - (memory_bytes % 4_096)}`;
  return version === 1
    ? [
        ["memory.limit_in_bytes", bytes],
        ["memory.memsw.limit_in_bytes", bytes],
      ]
    : [
        ["memory.max", bytes],
        ["memory.swap.max", "0"],
      ];
}

function isSet(file: string, value: string): boolean {
  try {
    return readFileSync(file, "utf8").trim() === value;
  } catch {
    return SWAP.test(file) && !existsSync(file);
  }
}

function processesIn(folder: string): number[] {
  try {
    const text = readFileSync(join(folder, "cgroup.procs"), "utf8");
    return text.split("\n").flatMap((line) => (Number(line) > 0 ? [Number(line)] : []));
  } catch {
    // The group is gone, and so is everything in it.
    return [];
  }
}
