import { messageOf, SwornError } from "../../base/index.ts";
import {
  type CgroupParents,
  type Controller,
  findCgroupParents,
  type Parent,
} from "../cgroup-parents.ts";
import type { Engine, EngineRefusal, HostOwner, Prepared, Task } from "../engine.ts";
import { expectMove } from "../expect-move.ts";
import { hostUser } from "../host-user.ts";
import { LauncherWriter } from "../launcher.ts";
import { writeProbe } from "../probe.ts";
import { TaskGroup } from "../task-group.ts";
import { namespaceProblems } from "./namespace-problems.ts";
import { CHANNEL, spawnBwrap, startBwrap, type WaitingBwrap } from "./start.ts";
import { takeReport } from "./take-report.ts";
import { tryProgram } from "./trial.ts";

/** Uids that belong to nobody on any machine. */
const LENT_UIDS = { from: 1_500_000_000, count: 65_536 } as const;
/** The uid that tasks have inside, as the rules ask. */
const TASK_UID = 1_000;
const SAID_CHARS_MAX = 300;

/**
 * Runs tasks with bubblewrap: no daemon, no image, as root or as a plain user. Everything that the
 * task writes is in memory and gone when it ends, however it ends.
 */
export class BwrapEngine implements Engine {
  readonly name = "bwrap";
  readonly owner = lentOwner();
  #groups: CgroupParents | undefined;

  async examine(): Promise<readonly EngineRefusal[]> {
    const groups = findCgroupParents();
    const [problems, trial] = await Promise.all([programProblems(), namespaceProblems(this.owner)]);
    return [
      // What is not there, or too old, only fails once more.
      ...(problems.length > 0 ? problems : trial),
      ...("missing" in groups
        ? groups.missing.map((control) => ({ control, reason: groups.reason }))
        : []),
    ];
  }

  /** Says that a sandbox is wanted soon, so that its start has less to wait for. */
  expectTask(): void {
    expectMove();
  }

  async prepare(task: Task): Promise<Prepared> {
    expectMove();
    // Looked for once: trying them costs as much as a fifth of a start.
    this.#groups ??= findCgroupParents();
    const groups = this.#groups;
    if ("missing" in groups) throw new SwornError("SANDBOX_FAILED", groups.reason);
    // First: all that is made ready here is ready while bubblewrap loads.
    const waiting = await spawnBwrap(task, TASK_UID, this.owner);
    try {
      return await this.#fill(waiting, task, groups.parents);
    } catch (error) {
      waiting.child.kill("SIGKILL");
      throw error;
    }
  }

  async #fill(
    waiting: WaitingBwrap,
    task: Task,
    parents: ReadonlyMap<Controller, Parent>,
  ): Promise<Prepared> {
    const writer = new LauncherWriter();
    const expected = { limits: task.limits, uid: TASK_UID, channel: CHANNEL };
    const readProbe = writeProbe(writer, expected);
    const ends = writer.printIntoPipes();
    const { program, reportBytes } = writer.finish(task, CHANNEL);
    const group = TaskGroup.create(task.id, parents, task.limits);
    try {
      const sandbox = await startBwrap(waiting, task, program, group);
      try {
        const coming = takeReport(sandbox.channel, reportBytes, sandbox.exited);
        // While the sandbox is being built: its first process is under the limits already.
        const limited = group.controls(sandbox.pid, task.limits);
        const report = await coming;
        const controls = [...limited, hostUser(sandbox.pid), ...readProbe(report)];
        if (!ends.areIn(report)) throw new Error("the task would have nothing to print into");
        return sandbox.prepared(controls, ends);
      } catch (error) {
        sandbox.stop("it could not be looked at from inside");
        await sandbox.end;
        throw new SwornError("SANDBOX_FAILED", `${messageOf(error)}${await sandbox.complaint()}`, {
          cause: error,
        });
      }
    } catch (error) {
      await group.remove();
      throw error;
    }
  }

  /** Nothing of a sandbox outlives the process that made it, but its empty control groups. */
  async reap(): Promise<number> {
    const groups = findCgroupParents();
    return "missing" in groups ? 0 : TaskGroup.reap(groups.parents);
  }
}

/** For a caller who is root: somebody whom no file of the machine belongs to. */
function lentOwner(): HostOwner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const uid = LENT_UIDS.from + Math.floor(Math.random() * LENT_UIDS.count);
  return { uid, gid: uid };
}

async function programProblems(): Promise<EngineRefusal[]> {
  const control = "engine";
  if (process.platform !== "linux" || process.arch !== "x64") {
    const here = `${process.platform} on ${process.arch}`;
    return [{ control, reason: `bubblewrap is supported on linux on x64 only; this is ${here}` }];
  }
  const help = await tryProgram("bwrap", ["--help"]);
  if (help.isMissing) {
    const reason = 'bubblewrap is not installed; install the package "bubblewrap"';
    return [{ control, reason }];
  }
  if (help.code !== 0) {
    const said = (help.why || help.stderr.trim()).slice(0, SAID_CHARS_MAX);
    return [{ control, reason: `bubblewrap cannot be started by this user: ${said}` }];
  }
  const text = help.stdout + help.stderr;
  return ["--info-fd", "--size", "--perms", "--as-pid-1", "--clearenv"]
    .filter((option) => !text.includes(option))
    .map((option) => ({ control, reason: `this bubblewrap is too old: it has no ${option}` }));
}
