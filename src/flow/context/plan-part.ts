import { parseJson } from "../../base/index.ts";
import { Plan } from "../../schema/plan.ts";
import { entryAddress } from "../address/entry-address.ts";
import { type SignedEntry, signedEntries } from "../address/signed-entries.ts";
import type { Place } from "../place.ts";
import { readArtifactText } from "../talk/artifact-text.ts";
import { artifactSidecars } from "./artifact-sidecars.ts";
import type { Quotable } from "./context-block.ts";

const PLAN_BYTES_MAX = 16 << 20;
/** How a plan is called among what a proposal carries. */
const PLAN_ARTIFACT = /^plan(?:\.[0-9]{1,3})?$/;

/**
 * The plan that holds, from the newest session that has one: what its last proposal carries, word
 * for word, or the steps of that proposal. Sessions are looked at from the last one backwards.
 */
export function planOf(
  place: Place,
  sessions: readonly string[],
  project: string,
): Quotable | undefined {
  for (const trace of sessions.toReversed()) {
    const proposed = signedEntries(place, trace).findLast(isFirstOfPlan);
    if (proposed !== undefined) return quoted(place, proposed, { project, task: trace });
  }
  return undefined;
}

/** A long plan takes several proposals, and the first of them carries it. */
function isFirstOfPlan({ entry }: SignedEntry): boolean {
  return entry.type === "proposal_created" && !/\.part-\d+$/.test(entry.body.proposal_id);
}

function quoted(
  place: Place,
  { entry, digest }: SignedEntry,
  where: { readonly project: string; readonly task: string },
): Quotable {
  const { at, actor } = entry;
  const carried = entry.artifacts.find(({ name = "" }) => PLAN_ARTIFACT.test(name));
  const own = { at, by: actor.agent };
  if (carried?.name === undefined) {
    const units = entry.type === "proposal_created" ? entry.body.units : [];
    const text = JSON.stringify(units, null, 2);
    const brief = units.map(({ objective }) => objective).join("\n");
    return { ...own, title: "proposal", text, brief, address: entryAddress(entry, digest, where) };
  }
  const text = readArtifactText(place, carried.hash);
  return {
    ...own,
    title: carried.name,
    text,
    brief: briefOf(text),
    address: entryAddress(entry, digest, where, carried.name),
    sidecars: artifactSidecars(place, entry, carried.hash),
  };
}

/** What a plan is for, and its subtasks by name; undefined for what is no plan of ours. */
function briefOf(text: string): string | undefined {
  const { data } = Plan.safeParse(jsonOf(text));
  if (data === undefined) return undefined;
  const names = data.subtasks.map(({ id, name }) => `${id}: ${name}`);
  return [data.verimapped_task, ...names].join("\n");
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text, PLAN_BYTES_MAX);
  } catch {
    // Shown as it is, like any other text.
    return undefined;
  }
}
