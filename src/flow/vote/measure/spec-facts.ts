import type { Environment, Repository } from "../../../repo/index.ts";
import { requirementIds } from "../../../scan/requirement/index.ts";
import { type DoneFacts, isImmutableAddress } from "../../../vote/index.ts";
import type { Place } from "../../place.ts";
import { traceRequirements } from "../../requirement/trace-requirements.ts";
import { OPERATOR } from "../../talk/bus.ts";
import { findTalkTrace } from "../../talk/talk-trace.ts";
import { type Decision, decisionsIn, walkBack } from "../decisions.ts";

const COMMITS_MAX = 1_000;
const IDS_MAX = 100;
const LINKS_MAX = 100;
const PATCH_BYTES_MAX = 16 << 20;

/** A change that is held against what was asked for. */
export interface AskedChange {
  readonly place: Place;
  readonly trace: string;
  readonly task: string | undefined;
  readonly repository: Repository;
  readonly before: string;
  readonly after: string;
  readonly changed: readonly string[];
  /** Requirements that somebody names beside those of the change. */
  readonly requirements: readonly string[];
  /** Who made it: what they decided themselves was not asked of them. */
  readonly authors: readonly string[];
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** What the change goes back to, and where that is written. */
export interface SpecFacts {
  readonly facts: Pick<DoneFacts, "spec" | "unknown">;
  readonly links: readonly string[];
}

/**
 * What a change goes back to: the requirements that its commits and lines name, as far as something
 * defined them before, and the decisions of others about the files it touches.
 */
export async function specFacts(change: AskedChange): Promise<SpecFacts> {
  const { place, task, repository, before, env, signal } = change;
  const ids = await idsIn(change);
  const decisions = decisionsAbout(change);
  if (ids.length + decisions.length === 0) return { facts: { unknown: UNASKED }, links: [] };
  // As it was before: a change that writes its own requirement was not asked for by it.
  const files = { repository: repository.root, at: before, env, signal };
  const rows =
    ids.length === 0 ? [] : (await traceRequirements({ place, task, files })).requirements;
  const known = rows.filter(({ id }) => ids.includes(id));
  const defined = known.filter(({ defined: at, decisions: by }) => at.length + by.length > 0);
  const isDefined = new Set(defined.map(({ id }) => id));
  const unmet = ids
    .filter((id) => !isDefined.has(id))
    .map((id) => `${id}, which nothing defined before`);
  const words = [
    ...ids.map((id) => `requirement ${id}`),
    ...decisions.map(({ decision_id, by }) => `decision ${decision_id} of ${by}`),
  ];
  const links = [...new Set(defined.flatMap((row) => row.links))].filter(isImmutableAddress);
  return {
    facts: { spec: { summary: words.join(", "), unmet } },
    links: links.slice(0, LINKS_MAX),
  };
}

const UNASKED = {
  spec: "nothing says what asked for it; name a requirement (PROJ-CAT-000) in the commit or with --requirement, or record who decided it: sworn decide '…' --context '…' --file <changed file>",
};

async function idsIn(change: AskedChange): Promise<string[]> {
  const { repository, before, after, requirements } = change;
  const ids = new Set(requirements);
  for await (const { subject } of repository.commitSubjects(after, COMMITS_MAX, before)) {
    for (const id of requirementIds(subject)) ids.add(id);
  }
  const patch = (await repository.patchText(before, after, PATCH_BYTES_MAX)) ?? "";
  for (const line of patch.split("\n")) {
    if (!line.startsWith("+") || line.startsWith("+++")) continue;
    for (const id of requirementIds(line)) ids.add(id);
  }
  return [...ids].slice(0, IDS_MAX);
}

function decisionsAbout({ place, trace, changed, authors }: AskedChange): Decision[] {
  const project = findTalkTrace({ place });
  const traces = [...new Set([trace, ...(project === undefined ? [] : [project])])];
  const all = decisionsIn(place, traces).filter(
    ({ by }) => by === OPERATOR.agent || !authors.includes(by),
  );
  const found = new Set(
    changed.flatMap((path) => walkBack(all, path).map(({ decision }) => decision)),
  );
  return [...found].filter(({ replaced_by }) => replaced_by.length === 0).slice(0, IDS_MAX);
}
