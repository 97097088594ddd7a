import type { Json } from "../../base/index.ts";
import { type Limits, WORKSPACE } from "../../schema/execution.ts";
import type { Mount, Task } from "../engine.ts";
import type { EngineKind } from "./engine-facts.ts";

/** Marks what is ours, and says which task and which process it belongs to. */
export const LABELS = { task: "sworn.task", owner: "sworn.owner" } as const;

/** The user that tasks are in every environment; its group has the same number. */
export const TASK_UID = 1_000;

/** Where a container finds the program that looks around before the task begins. */
export const LAUNCHER_AT = "/run/sworn/launch";

/** Microseconds over which processor time is shared out, and the least that the kernel gives. */
const PERIOD_US = 100_000;
const QUOTA_US_MIN = 1_000;
const NANO_CPUS_PER_QUOTA_US = 1_000_000_000 / PERIOD_US;
/**
 * The limit of processes goes by user and counts those of the host's user 1000 too, who may be
 * sitting at this machine. The pids controller is what holds; this only keeps it from being endless.
 */
const USER_PROCESSES_MAX = 32_768;

/** Everything that a container is made from. */
export interface ContainerPlan {
  readonly task: Task;
  readonly kind: EngineKind;
  /** The id of the image: its content decides it. */
  readonly image: string;
  /** The path of the launcher on this machine. */
  readonly launcher: string;
  /** The seccomp rules as the engine takes them: the profile itself, or the path of a file. */
  readonly seccomp: string;
  readonly owner: string;
}

/** One mount as the engine is asked for it, and as it must report it. */
export interface PlannedMount {
  readonly Type: "bind";
  readonly Source: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

/** The folders of the host that the container sees, and the launcher. */
export function plannedMounts({ task, launcher }: ContainerPlan): PlannedMount[] {
  const own: Mount = { source: launcher, target: LAUNCHER_AT, isWritable: false };
  return [...task.mounts, own].map(({ source, target, isWritable }) => ({
    Type: "bind",
    Source: source,
    Target: target,
    ReadOnly: !isWritable,
  }));
}

/** Podman makes these by itself beside a read-only root, as large as memory; so they are asked for, small. */
const PODMAN_TMPFS = {
  "/run": "rw,nosuid,nodev,mode=0755,size=65536",
  "/var/tmp": "rw,nosuid,nodev,mode=0755,size=65536",
};

/** Processor time within each period, in microseconds. */
export function quotaUs(cpuThousandths: number): number {
  return Math.max(QUOTA_US_MIN, Math.round((cpuThousandths * PERIOD_US) / 1_000));
}

/**
 * Everything that a task writes is in memory, each folder with its size, and gone with it. A folder
 * of the host in its place could not be bounded, only watched.
 */
function plannedTmpfs({ task: { limits }, kind }: ContainerPlan): Record<string, string> {
  // The runtime gives a folder the mode that it has in the image, so it has to be the task's own.
  // Podman does not know owners here; its images need folders that everybody may write to.
  const owner = kind === "docker" ? `mode=0755,uid=${TASK_UID},gid=${TASK_UID}` : "mode=1777";
  const own = `rw,nosuid,nodev,exec,${owner}`;
  const { tmp_bytes, data_bytes, output_bytes, output_files } = limits;
  // How many files there are is counted once more when they are collected.
  const files = kind === "docker" ? `,nr_inodes=${output_files}` : "";
  return {
    "/tmp": `${own},size=${tmp_bytes}`,
    [WORKSPACE.data]: `${own},size=${data_bytes}`,
    [WORKSPACE.output]: `${own},size=${output_bytes}${files}`,
    ...(kind === "podman" ? PODMAN_TMPFS : {}),
  };
}

/** The limits of each process, soft and hard alike. */
function plannedUlimits(limits: Limits): { Name: string; Soft: number; Hard: number }[] {
  const all = {
    core: 0,
    fsize: limits.file_bytes,
    memlock: 0,
    msgqueue: 0,
    nofile: limits.open_files,
    nproc: USER_PROCESSES_MAX,
  };
  return Object.entries(all).map(([Name, value]) => ({ Name, Soft: value, Hard: value }));
}

/** What the engine must enforce on the container, as it is asked for and as it must be read back. */
export function hostConfig(plan: ContainerPlan) {
  const { limits } = plan.task;
  return {
    NetworkMode: "none",
    ReadonlyRootfs: true,
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges", `seccomp=${plan.seccomp}`],
    PidsLimit: limits.pids,
    Memory: limits.memory_bytes,
    // Both together: as much as memory alone means that there is no swap.
    MemorySwap: limits.memory_bytes,
    NanoCpus: quotaUs(limits.cpu_thousandths) * NANO_CPUS_PER_QUOTA_US,
    Ulimits: plannedUlimits(limits),
    Tmpfs: plannedTmpfs(plan),
    ShmSize: limits.tmp_bytes,
    // Nobody answers there; the machine's own list would tell the task where it is.
    Dns: ["127.0.0.1"],
    DnsSearch: ["."],
    IpcMode: "private",
    CgroupnsMode: "private",
    // The launcher is the first process itself; the engine's would be the task's to change.
    Init: false,
    // What a task prints goes to us and nowhere else.
    LogConfig: { Type: "none", Config: {} },
    RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
  };
}

/** What the container itself is, apart from what is enforced on it. */
export function containerConfig({ task, image, owner }: ContainerPlan) {
  return {
    Image: image,
    Hostname: "sandbox",
    User: `${TASK_UID}:${TASK_UID}`,
    Entrypoint: [LAUNCHER_AT],
    Cmd: [] as string[],
    WorkingDir: task.cwd,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    // When our end of the connection goes away, so does the task's input.
    StdinOnce: true,
    Tty: false,
    Labels: { [LABELS.task]: task.id, [LABELS.owner]: owner },
    // An image may bring a command that the engine would run now and then.
    Healthcheck: { Test: ["NONE"] },
  };
}

/** The body of the call that makes the container. */
export function createBody(plan: ContainerPlan): Json {
  return {
    ...containerConfig(plan),
    HostConfig: { ...hostConfig(plan), Mounts: plannedMounts(plan).map((mount) => ({ ...mount })) },
  };
}
