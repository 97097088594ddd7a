import { chmodSync, existsSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import type { Control, Prepared, Task, TaskEnd } from "../engine.ts";
import { hostUser } from "../host-user.ts";
import { LauncherWriter } from "../launcher.ts";
import { writeProbe } from "../probe.ts";
import { ownerOf } from "../run-owner.ts";
import { seccompProfile } from "../seccomp-profile.ts";
import { assertContainer } from "./assert-container.ts";
import { type ContainerPlan, createBody, TASK_UID } from "./container-spec.ts";
import type { EngineClient } from "./engine-client.ts";
import type { EngineKind } from "./engine-facts.ts";
import { kernelLimits } from "./kernel-limits.ts";
import { kernelView } from "./kernel-view.ts";
import { containerPath, RunningContainer, removeContainer, sameNode } from "./running-container.ts";

const Created = z.object({
  Id: z.string().regex(/^[0-9a-f]{64}$/),
  Warnings: z.array(z.string()).nullish(),
});
/** A container has three streams and no more, so the launcher borrows two before the task gets them. */
const CHANNEL = { report: 1, word: 0 } as const;
/** What engines take in the name of a container. */
const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** What a container is to be made from. */
export interface Preparation {
  readonly task: Task;
  readonly image: string;
  readonly kind: EngineKind;
  /** A private folder for the launcher, which stays until the container is gone. */
  readonly folder: string;
}

/**
 * Makes the container, reads back what was made, starts it, and looks at it from inside and outside.
 *
 * @throws SwornError `SANDBOX_REFUSED`, `SANDBOX_FAILED`; nothing of the container is left then.
 */
export async function prepareContainer(
  client: EngineClient,
  { task, image, kind, folder }: Preparation,
): Promise<{ prepared: Prepared; end: Promise<TaskEnd> }> {
  if (!TASK_ID.test(task.id)) {
    throw new SwornError("INPUT_INVALID", `the task's id ${JSON.stringify(task.id)} is no name`);
  }
  assertNoLinks(task);
  const writer = new LauncherWriter();
  const readProbe = writeProbe(writer, { limits: task.limits, uid: TASK_UID, channel: CHANNEL });
  const { program, reportBytes } = writer.finish(task, CHANNEL);
  const launcher = join(folder, "launcher");
  writeFileSync(launcher, program);
  chmodSync(launcher, 0o555);
  const seccomp = seccompFor(kind, folder);
  const plan = { task, kind, image, launcher, seccomp, owner: ownerOf() };
  const container = await startContainer(client, plan, reportBytes);
  try {
    const [{ Pid: pid }, report] = await Promise.all([container.state(), container.stdout.head]);
    const controls = [...lookAt(pid, plan), ...readProbe(report)];
    return { prepared: container.prepared(pid, controls, task.stdin), end: container.end };
  } catch (cause) {
    container.stop("it could not be looked at");
    await container.end.catch(() => undefined);
    const message = `the container of ${task.id} could not be looked at: ${messageOf(cause)}`;
    throw new SwornError("SANDBOX_FAILED", message, { cause });
  }
}

/** Docker takes the rules themselves, podman the path of a file that holds them. */
function seccompFor(kind: EngineKind, folder: string): string {
  const profile = JSON.stringify(seccompProfile());
  if (kind === "docker") return profile;
  const path = join(folder, "seccomp.json");
  writeFileSync(path, profile);
  return path;
}

async function startContainer(
  client: EngineClient,
  plan: ContainerPlan,
  reportBytes: number,
): Promise<RunningContainer> {
  const query = { name: `sworn-${plan.task.id}` };
  const create = { method: "POST", path: "/containers/create", query, body: createBody(plan) };
  const { body } = await client.call({ ...create, method: "POST" });
  const { Id, Warnings } = Created.parse(body);
  const path = containerPath(Id);
  try {
    // A warning is how engines say that they leave a limit out.
    if (Warnings?.length) {
      throw new SwornError("SANDBOX_REFUSED", `the engine warns: ${Warnings.join("; ")}`);
    }
    const inspected = await client.call({ method: "GET", path: `${path}/json` });
    assertContainer(inspected.body, plan);
    return await RunningContainer.start(client, path, reportBytes);
  } catch (error) {
    await removeContainer(client, path);
    throw error;
  }
}

/** What can be seen from outside, whatever the engine says. */
function lookAt(pid: number, { task, launcher }: ContainerPlan): Control[] {
  return [
    sameNode(pid, launcher),
    hostUser(pid),
    ...kernelView(pid),
    ...kernelLimits(pid, task.limits),
  ];
}

/**
 * The engine looks paths up when it mounts, which is later than anybody judged them: a link on the
 * way could lead to something else by then.
 */
function assertNoLinks({ mounts }: Task): void {
  for (const { source } of mounts) {
    const found = existsSync(source) ? realpathSync(source) : "nothing";
    if (found === source) continue;
    const why = found === "nothing" ? "does not exist" : `is reached through a link, from ${found}`;
    throw new SwornError("SANDBOX_REFUSED", `the folder ${source} ${why}; name the real one`);
  }
}
