import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../base/index.ts";

const CONTROLLERS = ["memory", "pids", "cpu"] as const;
/** What tasks are limited in by the kernel's control groups. */
export type Controller = (typeof CONTROLLERS)[number];

/** A folder of the kernel's control groups in which groups for tasks can be made. */
export interface Parent {
  readonly folder: string;
  readonly version: 1 | 2;
}

/** Where groups can be made for each controller, or why not. */
export type CgroupParents =
  | { readonly parents: ReadonlyMap<Controller, Parent> }
  | { readonly missing: readonly Controller[]; readonly reason: string };

/** Finds the parents on this machine, as this user. */
export function findCgroupParents(): CgroupParents {
  const parents = new Map<Controller, Parent>();
  const reasons: string[] = [];
  for (const controller of CONTROLLERS) {
    const found = parentFor(controller);
    if (typeof found === "string") reasons.push(found);
    else parents.set(controller, found);
  }
  const missing = CONTROLLERS.filter((one) => !parents.has(one));
  return missing.length === 0 ? { parents } : { missing, reason: reasons.join("; ") };
}

function parentFor(controller: Controller): Parent | string {
  const tried: string[] = [];
  for (const parent of candidates(controller)) {
    const why = whyUnusable(parent, controller);
    if (why === undefined) return parent;
    tried.push(why);
  }
  return tried[0] ?? `there is no control group for ${controller} on this machine`;
}

/** Where this process is; of several kinds of groups, in one of each. */
export function ownGroupFolders(): string[] {
  const folders = CONTROLLERS.flatMap((controller) => candidates(controller).slice(0, 1));
  return folders.map(({ folder }) => folder);
}

/** Our own group first: what is above it may be somebody else's. */
function candidates(controller: Controller): Parent[] {
  const own = ownGroups();
  const mounts = cgroupMounts();
  const first = mounts.find((one) => one.version === 1 && one.options.includes(controller));
  const unified = mounts.find((one) => one.version === 2);
  const found: Parent[] = [];
  if (first) {
    const path = own.get(controller) ?? "/";
    found.push({ folder: join(first.folder, path), version: 1 });
  }
  if (unified) {
    const path = own.get("") ?? "/";
    const folder = join(unified.folder, path);
    // A group that holds processes cannot give controllers to groups below it; its parent may.
    found.push({ folder, version: 2 }, { folder: join(folder, ".."), version: 2 });
  }
  return found.filter(({ folder }) => existsSync(folder));
}

function ownGroups(): Map<string, string> {
  const groups = new Map<string, string>();
  for (const line of readFileSync("/proc/self/cgroup", "utf8").split("\n")) {
    const [, names = "", path = "/"] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    for (const name of names.split(",")) if (line !== "") groups.set(name, path);
  }
  return groups;
}

function cgroupMounts(): { folder: string; version: 1 | 2; options: string[] }[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => {
      const [before = "", after = ""] = line.split(" - ");
      const [type, , options = ""] = after.split(" ");
      const folder = before.split(" ")[4] ?? "";
      if (type !== "cgroup" && type !== "cgroup2") return [];
      return [{ folder, version: type === "cgroup" ? 1 : 2, options: options.split(",") } as const];
    });
}

/** Tries what a task needs: a group, with a limit, that can be removed again. */
function whyUnusable({ folder, version }: Parent, controller: Controller): string | undefined {
  const trial = join(folder, `sworn-trial-${process.pid}`);
  try {
    if (version === 2) {
      const offered = readFileSync(join(folder, "cgroup.controllers"), "utf8").trim().split(" ");
      if (!offered.includes(controller)) return `${folder} does not offer ${controller}`;
      writeFileSync(join(folder, "cgroup.subtree_control"), `+${controller}`);
    }
    mkdirSync(trial);
    try {
      return existsSync(join(trial, LIMIT_FILES[version][controller]))
        ? undefined
        : `${folder} has no limit for ${controller}`;
    } finally {
      rmdirSync(trial);
    }
  } catch (error) {
    return `no control group for ${controller} can be made in ${folder}: ${messageOf(error)}`;
  }
}

const LIMIT_FILES = {
  1: { memory: "memory.limit_in_bytes", pids: "pids.max", cpu: "cpu.cfs_quota_us" },
  2: { memory: "memory.max", pids: "pids.max", cpu: "cpu.max" },
} as const;
