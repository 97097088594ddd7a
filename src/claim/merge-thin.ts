import type { Finding } from "../schema/finding.ts";
import { isSameFile } from "./citations.ts";
import type { UnreadList } from "./unread-list.ts";

/** A finding and the nonce of the wrapper around it. */
export interface Sourced {
  readonly finding: Finding;
  readonly nonce: string | undefined;
}

/**
 * Says a finding once that a report says twice under one id: in an overview and in full, or in
 * Markdown and in JSON. The full one stays; only what it lacks is taken from the other.
 */
export function mergeThin(
  written: readonly Sourced[],
  fenced: readonly Finding[],
  unread: UnreadList,
): Sourced[] {
  const merged: Sourced[] = [];
  const byId = new Map<string, number>();
  for (const sourced of written) {
    const at = byId.get(sourced.finding.id);
    const known = at === undefined ? undefined : merged[at];
    if (at !== undefined && known !== undefined && isSaidTwice(known.finding, sourced.finding)) {
      merged[at] = isThin(sourced.finding) ? filled(known, sourced) : filled(sourced, known);
    } else {
      byId.set(sourced.finding.id, merged.push(sourced) - 1);
    }
  }
  for (const [index, finding] of fenced.entries()) addFenced(merged, byId, finding, index, unread);
  return merged;
}

function addFenced(
  merged: Sourced[],
  byId: Map<string, number>,
  finding: Finding,
  index: number,
  unread: UnreadList,
): void {
  const known = merged[byId.get(finding.id) ?? -1];
  if (known === undefined) {
    byId.set(finding.id, merged.push({ finding, nonce: undefined }) - 1);
  } else if (!isOnePlace(known.finding, finding)) {
    const why = `[${finding.id}] is about another file in the fenced JSON than in the text`;
    unread.add(index + 1, finding.title, why);
  }
}

function isSaidTwice(one: Finding, other: Finding): boolean {
  return (isThin(one) || isThin(other)) && isOnePlace(one, other);
}

function isThin(finding: Finding): boolean {
  return finding.fix === undefined && finding.citations.every((cited) => cited.quote === undefined);
}

function isOnePlace(one: Finding, other: Finding): boolean {
  return isSameFile(one.citations[0]?.file ?? "", other.citations[0]?.file ?? "");
}

function filled(full: Sourced, thin: Sourced): Sourced {
  return { finding: { ...thin.finding, ...full.finding }, nonce: full.nonce };
}
