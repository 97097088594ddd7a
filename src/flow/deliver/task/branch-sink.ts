import { Publisher, type Repository } from "../../../repo/index.ts";
import type { ExecRefusal } from "../../exec/exec-outcome.ts";
import type { SinkEffect } from "./task-sink.ts";

/**
 * Leaves a commit on a branch of the user's own repository. A branch that somebody has checked out is
 * never touched, and one that is there is never moved.
 */
export async function toBranch(
  repository: Repository,
  name: string,
  commit: string,
  isSent: boolean,
): Promise<SinkEffect | ExecRefusal> {
  const publisher = repository.publisher();
  if (!Publisher.isBranch(name)) {
    return { rule: "U.2", reason: `${JSON.stringify(name)} can be no branch here` };
  }
  const found = await publisher.branchAt(name);
  const where = { where: `branch ${name}`, branch: name };
  if (found === commit) return { status: "present", ...where };
  if ((await publisher.checkedOut()).has(name)) {
    return { rule: "U.6", reason: `${name} is checked out; a delivery has a branch of its own` };
  }
  if (found !== undefined) {
    const reason = `the branch ${name} is at ${found}, not at ${commit}, and nothing is moved by force; name another, or remove it`;
    return { rule: "U.6", reason };
  }
  if (isSent) await publisher.create(name, commit);
  return { status: isSent ? "sent" : "planned", ...where };
}

/** Pushes a commit to a listed remote, on a branch that is new there or at this commit already. */
export async function toRemote(
  repository: Repository,
  target: { readonly url: string; readonly token?: string | undefined },
  name: string,
  commit: string,
  isSent: boolean,
): Promise<SinkEffect | ExecRefusal> {
  const publisher = repository.publisher();
  if (!Publisher.isBranch(name)) {
    return { rule: "U.2", reason: `${JSON.stringify(name)} can be no branch there` };
  }
  const where = `${target.url} branch ${name}`;
  // Without --send nobody is asked: even a question leaves the machine.
  if (!isSent) return { status: "planned", where, branch: name };
  const found = await publisher.remoteAt(target, name);
  if (found === commit) return { status: "present", where, branch: name };
  if (found !== undefined) {
    const reason = `${where} is at ${found}, not at ${commit}, and nothing is moved by force; look at what is there, and deliver to another branch`;
    return { rule: "U.6", reason };
  }
  await publisher.push(target, name, commit);
  return { status: "sent", where, branch: name };
}
