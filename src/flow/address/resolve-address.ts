import { SwornError } from "../../base/index.ts";
import { type Address, ANY, printAddress, type When } from "../../schema/address.ts";
import type { Entry } from "../../schema/index.ts";
import type { Place } from "../place.ts";
import { entryAddress } from "./entry-address.ts";
import { fits, soughtThing } from "./fits-path.ts";
import { projectName } from "./project-name.ts";
import { type SignedEntry, signedEntries } from "./signed-entries.ts";
import { tracesOfTask } from "./task-traces.ts";

/** Most things that one address with `any` in it may name. */
const FOUND_MAX = 1_000;

/** One recorded thing that an address names. */
export interface ResolvedEntry {
  /** The address that names it and can never name anything else. */
  readonly address: string;
  readonly trace: string;
  readonly entry: Entry;
  readonly digest: string;
  /** The hash of the bytes that are meant, where it is not the entry itself. */
  readonly artifact?: string;
}

/**
 * Finds what an address of a recorded thing names: in each trace of its task at most one entry, the
 * one that its time picks among those that fit. Only what the runtime signed for is looked at.
 *
 * @param within The traces that may be looked at; all of them where nobody says.
 * @throws SwornError `NOT_FOUND` when it names nothing here, `INPUT_INVALID` for a question that
 * has no answer in a record, `LEDGER_CORRUPT` when a trace cannot be believed.
 */
export function resolveAddress(
  place: Place,
  address: Address,
  within?: readonly string[],
): ResolvedEntry[] {
  assertAnswerable(place, address);
  const { traces, unread } = tracesOfTask(place, address.task);
  const found = traces
    .filter((trace) => within?.includes(trace) ?? true)
    .flatMap((trace) => resolveIn(place, trace, address));
  if (found.length > FOUND_MAX) {
    throw new SwornError("LIMIT_EXCEEDED", `it names more than ${FOUND_MAX} things; name a task`);
  }
  if (found.length > 0) return found;
  const doubt = unread.length === 0 ? "" : `; ${unread.length} traces cannot be read`;
  throw new SwornError("NOT_FOUND", `nothing is recorded at ${printAddress(address)}${doubt}`);
}

function assertAnswerable(place: Place, { project, query, when, path }: Address): void {
  const own = projectName(place);
  if (project !== ANY && project !== own) {
    throw new SwornError("NOT_FOUND", `this project is ${own}, and the address is of ${project}`);
  }
  if (query !== undefined) {
    throw new SwornError("INPUT_INVALID", `nothing here answers a query: take ?${query} away`);
  }
  if (when.kind === "commit" || path[0] === "file") {
    throw new SwornError("INPUT_INVALID", "a commit has files: expected git:<commit>/file/<path>");
  }
}

function resolveIn(place: Place, trace: string, address: Address): ResolvedEntry[] {
  const sought = soughtThing(address.path);
  const all = signedEntries(place, trace);
  const fitting = all.filter(({ entry }) => isBy(entry, address) && fits(entry, sought));
  const one = picked(fitting, address.when);
  if (one === undefined) return [];
  const hash = one.entry.artifacts.find(
    ({ name, hash: own }) => sought.artifact !== undefined && [name, own].includes(sought.artifact),
  )?.hash;
  // A trace's own id finds it again even when its task gets another trace.
  const where = { project: projectName(place), task: trace };
  return [
    {
      ...{ trace, entry: one.entry, digest: one.digest },
      address: entryAddress(one.entry, one.digest, where, sought.artifact),
      ...(hash === undefined ? {} : { artifact: hash }),
    },
  ];
}

function isBy({ actor }: Entry, { agent, role }: Address): boolean {
  return (agent === ANY || actor.agent === agent) && (role === ANY || actor.role === role);
}

/** The one that is meant of those that fit, which stand in the order in which they were recorded. */
function picked(fitting: readonly SignedEntry[], when: When): SignedEntry | undefined {
  switch (when.kind) {
    case "latest":
      return fitting.at(-1);
    case "first":
      return fitting.at(0);
    case "back":
      return fitting.at(-1 - when.number);
    case "forward":
      return fitting.at(when.number);
    case "entry":
      return fitting.find(({ entry }) => entry.seq === when.number);
    case "digest":
      return fitting.find(({ digest }) => digest === when.digest);
    case "moment":
      return fitting.findLast(({ entry }) => Date.parse(entry.at) <= Date.parse(when.at));
    case "commit":
      return undefined;
  }
}
