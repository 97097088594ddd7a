import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { SwornError } from "../base/index.ts";
import { Repository, type RepositoryOptions } from "../repo/index.ts";
import type { Place } from "./place.ts";

/** How a delivery ends the name of its branch: with the work's id, or with the trace of a session. */
const DELIVERED = /(?:^|\/)([0-9a-z]{26}|trace_[0-9A-Z]{26})$/;

/** A branch that something was delivered on, where it is now, and the packet that it was delivered with. */
export interface DeliveredBranch {
  readonly name: string;
  readonly commit: string;
  readonly packet: string;
}

/**
 * The branch that a word means. Which packet belongs to it is told by its name alone: that the packet is of
 * what stands on the branch is for whoever verifies it to hold against the commit.
 *
 * @returns undefined where the word means no branch here.
 * @throws SwornError `NOT_FOUND` where no packet of it lies here; what to do is said.
 */
export async function deliveredBranch(
  folder: string,
  word: string,
  openPlace: () => Promise<Place>,
  options: RepositoryOptions,
): Promise<DeliveredBranch | undefined> {
  const branch = await branchHere(folder, word, options);
  if (branch === undefined) return undefined;
  const { name } = branch;
  const id = DELIVERED.exec(name)?.[1];
  if (id === undefined) {
    const what = `${name} is a branch, and its name ends with no work's id, as one that sworn delivered does`;
    const next = `"sworn ci --head ${word}" judges what a change says; a packet is verified by its file`;
    throw new SwornError("NOT_FOUND", `${what}; ${next}`);
  }
  const place = await openPlace();
  const homes = ["work", "delivered"].map((kind) => join(place.store, kind, id));
  const packets = homes.map((home) => join(home, `${id}.packet.tar`));
  const packet = packets.find((path) => existsSync(path));
  if (packet !== undefined) return { ...branch, packet };
  throw new SwornError("NOT_FOUND", withoutPacket(place, { name, id, packets }));
}

async function branchHere(folder: string, word: string, options: RepositoryOptions) {
  const repository = await Repository.open(folder, options).catch(() => undefined);
  // Whoever verifies a file needs neither git nor a repository: without them a word is no branch.
  if (repository === undefined) return undefined;
  try {
    const name = await repository.branchCalled(word);
    return name === undefined ? undefined : { name, commit: await repository.resolveCommit(word) };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof SwornError && ["NOT_FOUND", "INPUT_INVALID"].includes(error.code)) {
      return undefined;
    }
    throw error;
  }
}

function withoutPacket(
  place: Place,
  { name, id, packets }: { readonly name: string; readonly id: string; readonly packets: string[] },
): string {
  const expected = packets.map((path) => relative(join(place.store, ".."), path)).join(" or ");
  const trace = id.startsWith("trace_") ? id : `trace_${id.toUpperCase()}`;
  const next = place.traces().includes(trace)
    ? `"sworn verify ${id}" verifies its record, and "sworn deliver ${id}" makes the packet again`
    : `ask whoever delivered it for ${id}.packet.tar, then "sworn verify ${id}.packet.tar"`;
  return `the packet of branch ${name} is not here: expected ${expected}; ${next}`;
}
