import type { Json } from "../../base/index.ts";
import { type Limits, WORKSPACE } from "../../schema/execution.ts";
import type { Mount, Task } from "../engine.ts";

/** Marks what is ours, and says which task and which process it belongs to. */
export const LABELS = { task: "sworn.task", owner: "sworn.owner" } as const;

/** The user of every environment, and its group. */
export const TASK_USER = "1000:1000";

/** Where a container finds the program that looks around before the task begins. */
export const LAUNCHER_AT = "/.sworn-launcher";

const NANO_CPUS_PER_THOUSANDTH = 1_000_000;
/**
 * The limit of processes goes by user and counts those of the host's user 1000 too, who may be
 * sitting at this machine. The pids controller is what holds; this only keeps it from being endless.
 */
const USER_PROCESSES_MAX = 32_768;

/** Everything that a container is made from. */
export interface ContainerPlan {
  readonly task: Task;
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

/** Memory that looks like folders, each with its size; data only where no folder of the host stands for it. */
function plannedTmpfs({ limits, mounts }: Task): Record<string, string> {
  const of = (bytes: number, more = "") =>
    `rw,nosuid,nodev${more},size=${bytes},mode=0700,uid=1000,gid=1000`;
  const hasData = mounts.some(({ target }) => target === WORKSPACE.data);
  return {
    "/tmp": of(limits.tmp_bytes, ",exec"),
    ...(hasData ? {} : { [WORKSPACE.data]: of(limits.data_bytes, ",exec") }),
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
    NanoCpus: limits.cpu_thousandths * NANO_CPUS_PER_THOUSANDTH,
    Ulimits: plannedUlimits(limits),
    Tmpfs: plannedTmpfs(plan.task),
    ShmSize: limits.tmp_bytes,
    IpcMode: "private",
    CgroupnsMode: "private",
    Init: true,
    // What a task prints goes to us and nowhere else.
    LogConfig: { Type: "none", Config: {} },
    RestartPolicy: { Name: "no", MaximumRetryCount: 0 },
  };
}

/** What the container itself is, apart from what is enforced on it. */
export function containerConfig({ task, image, owner }: ContainerPlan) {
  return {
    Image: image,
    User: TASK_USER,
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
