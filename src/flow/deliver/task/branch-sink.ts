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
  if (!Publisher.isBranch(name)) return noBranch(name, "here");
  const found = await publisher.branchAt(name);
  if (found !== commit && (await publisher.checkedOut()).has(name)) {
    return { rule: "U.6", reason: `${name} is checked out; a delivery has a branch of its own` };
  }
  const where = { where: `branch ${name}`, branch: name };
  if (found !== undefined) return standing(found, commit, where, "name another, or remove it");
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
  if (!Publisher.isBranch(name)) return noBranch(name, "there");
  const where = { where: `${target.url} branch ${name}`, branch: name };
  // Without --send nobody is asked: even a question leaves the machine.
  if (!isSent) return { status: "planned", ...where };
  const found = await publisher.remoteAt(target, name);
  const next = "look at what is there, and deliver to another branch";
  if (found !== undefined) return standing(found, commit, where, next);
  await publisher.push(target, name, commit);
  return { status: "sent", ...where };
}

function noBranch(name: string, where: "here" | "there"): ExecRefusal {
  return { rule: "U.2", reason: `${JSON.stringify(name)} can be no branch ${where}` };
}

/** A branch that stands already: where it is to go, or somebody else's. */
function standing(
  found: string,
  commit: string,
  at: Required<Pick<SinkEffect, "where" | "branch">>,
  next: string,
): SinkEffect | ExecRefusal {
  if (found === commit) return { status: "present", ...at };
  const reason = `${at.where} is at ${found}, not at ${commit}, and nothing is moved by force; ${next}`;
  return { rule: "U.6", reason };
}
