import type { Readable } from "node:stream";
import type { EngineName, Limits } from "../schema/execution.ts";

/** A folder of the host that a task sees. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly isWritable: boolean;
}

/** The files a task sees as its root. */
export type RootFiles =
  /** The machine's own programs, read-only: nothing has to be built for the first run. */
  | { readonly kind: "host" }
  /** A folder that was built from packages; the digest was computed from it. */
  | { readonly kind: "folder"; readonly path: string; readonly digest: string }
  /** An image of the engine, by the id that its content gives it. */
  | { readonly kind: "image"; readonly id: string; readonly digest: string };

/** A command that runs before a task's own one. */
export interface StepBefore {
  readonly argv: readonly string[];
  /**
   * A socket that the inside sees, where the launcher tells how this command ended and waits for
   * leave to go on. Whoever listens there can change the surroundings in between.
   */
  readonly gate: string;
}

/** One command that is to run sealed off. */
export interface Task {
  /** Names everything that belongs to the run, so that a later start can tidy up after a crash. */
  readonly id: string;
  readonly root: RootFiles;
  /** The program, looked up on the task's own PATH, and its arguments. */
  readonly argv: readonly string[];
  /** What has to be done first, in the same place. */
  readonly before?: StepBefore | undefined;
  readonly cwd: string;
  /** All of its environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly limits: Limits;
  /** A descriptor that the task reads from; without one it reads nothing. Never a terminal. */
  readonly stdin?: number;
  /** Whether every program that it starts is to be seen from outside, where this machine can do that. */
  readonly isObserved?: boolean;
}

/** What strace writes about a sandbox while it lives. It has to be read, or everything inside waits. */
export interface ProcessTrace {
  readonly lines: Readable;
  /** The program whose start is the beginning of the task; what comes before builds the sandbox. */
  readonly launcher: string;
  /** Where the task begins. */
  readonly cwd: string;
}

/** One thing that the sandbox must enforce, and what was seen of it from inside. */
export interface Control {
  readonly name: string;
  readonly holds: boolean;
  /** What was expected and what was found, in words. */
  readonly seen: string;
}

/** Why an engine cannot run a task: which control it cannot enforce here, and what would help. */
export interface EngineRefusal {
  readonly control: string;
  readonly reason: string;
}

/** How a task ended. */
export interface TaskEnd {
  /** The exit code; undefined when a signal or a limit ended it. */
  readonly code: number | undefined;
  readonly signal: string | undefined;
  /** The limit that ended it, where one did: `memory`, `step_seconds`, `stream_bytes`. */
  readonly limit: string | undefined;
}

/** What a sandbox has used so far, and what runs in it now, as the kernel tells it to the host. */
export interface Usage {
  /** Of everything that ran in it, as far as it was buried. */
  readonly cpuMs: number;
  /** Undefined where this kernel does not keep it. */
  readonly peakBytes: number | undefined;
  readonly processes: readonly { readonly pid: number; readonly argv: readonly string[] }[];
}

/** A sandbox that stands, was looked at from inside, and waits for the word to start its task. */
export interface Prepared {
  readonly controls: readonly Control[];
  /** Lets the task begin. Only to be called when all controls hold. */
  begin(): void;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * The task's `/workspace/output` as seen from the host, for reading what it left there. It stays
   * readable after the end, until {@link release}.
   */
  readonly output: string;
  /** Lets go of the output, which removes it. */
  release(): void;
  /** Looks at it from outside; undefined once it is gone. */
  usage(): Usage | undefined;
  /** Undefined when the task is not observed: it was not asked for, or this machine cannot. */
  readonly trace?: ProcessTrace | undefined;
  /**
   * Ends everything in the sandbox, whatever it is doing. With a time of grace, every process is
   * asked to end first (SIGTERM) and has that long to do so; an engine that cannot ask does not wait.
   */
  stop(why: string, graceMs?: number): void;
  /** Settles when nothing of the sandbox is left. */
  readonly end: Promise<TaskEnd>;
}

/** A user of the host. */
export interface HostOwner {
  readonly uid: number;
  readonly gid: number;
}

/** What runs tasks: the one interface of all engines. */
export interface Engine {
  readonly name: EngineName;
  /**
   * Who the task is on the host, where that is somebody else than the caller: folders that it is to
   * see must be his, and reachable by him.
   */
  readonly owner: HostOwner | undefined;
  /** What this engine cannot enforce on this machine; empty when it can run tasks. */
  examine(): Promise<readonly EngineRefusal[]>;
  /**
   * Builds the sandbox and looks at it from inside; the task has not begun yet.
   *
   * @throws SwornError when the sandbox cannot be made; nothing of it is left then.
   */
  prepare(task: Task): Promise<Prepared>;
  /** Removes what runs that are gone have left behind. */
  reap(): Promise<number>;
}
