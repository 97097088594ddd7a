import {
  type CheckedFinding,
  PRIORITIES,
  type Priority,
  type Verdict,
} from "../../schema/finding.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

/** One reviewer's saying of a finding. */
export interface Saying {
  readonly by: string;
  readonly checked: CheckedFinding;
}

/** The same thing, said by one reviewer or by several, once. */
export interface MergedFinding extends CheckedFinding {
  readonly by: string;
  readonly also_by: string[];
  /** Everything that was merged, so that nobody's words are lost. */
  readonly sayings: readonly Saying[];
}

/** A team's findings, each said once, and what the source refutes. */
export interface Merged {
  readonly findings: readonly MergedFinding[];
  /** What the source refutes. It is not merged: a made-up finding must not lend its priority. */
  readonly refuted: readonly Saying[];
}

/** How well the source bears a saying out; the best one speaks for all. */
const VERDICT_ORDER: readonly Verdict[] = ["CONFIRMED", "INACCURATE", "UNVERIFIED", "HALLUCINATED"];

/**
 * Says each finding once. The same identity is the same finding; different ones stay apart, also on
 * the same lines. The highest priority wins, the best confirmed wording speaks, everybody is named.
 */
export function mergeFindings(reviewers: readonly ReviewerFindings[]): Merged {
  const sayings = reviewers.flatMap(({ name, findings }) =>
    findings.map((checked): Saying => ({ by: name, checked })),
  );
  const groups = new Map<string, Saying[]>();
  for (const saying of sayings) {
    if (saying.checked.verdict === "HALLUCINATED") continue;
    const group = groups.get(saying.checked.identity) ?? [];
    group.push(saying);
    groups.set(saying.checked.identity, group);
  }
  return {
    findings: [...groups.values()].map(mergeGroup).toSorted(byUrgency),
    refuted: sayings.filter(({ checked }) => checked.verdict === "HALLUCINATED"),
  };
}

function mergeGroup(sayings: readonly Saying[]): MergedFinding {
  const ranked = sayings.toSorted(
    (a, b) =>
      verdictRank(a.checked) - verdictRank(b.checked) ||
      rankOf(a.checked.finding.priority) - rankOf(b.checked.finding.priority) ||
      compare(a.by, b.by),
  );
  const speaker = ranked[0] as Saying;
  const priority = PRIORITIES.find((one) =>
    sayings.some(({ checked }) => checked.finding.priority === one),
  ) as Priority;
  const others = new Set(sayings.map(({ by }) => by).filter((by) => by !== speaker.by));
  return {
    ...speaker.checked,
    finding: { ...speaker.checked.finding, priority },
    by: speaker.by,
    also_by: [...others].toSorted(),
    sayings,
  };
}

const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);
const verdictRank = ({ verdict }: CheckedFinding): number => VERDICT_ORDER.indexOf(verdict);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Most urgent first, then by place; the identity decides what is left, so the order is fixed. */
function byUrgency(a: MergedFinding, b: MergedFinding): number {
  const [placeA, placeB] = [placeOf(a), placeOf(b)];
  return (
    rankOf(a.finding.priority) - rankOf(b.finding.priority) ||
    compare(placeA.file, placeB.file) ||
    placeA.line - placeB.line ||
    compare(a.identity, b.identity)
  );
}

/** Where a finding really is: the place the source gave, else the cited one; line 0 for none. */
export function placeOf({ finding, found }: CheckedFinding): { file: string; line: number } {
  const cited = finding.citations[0];
  return found ?? { file: cited?.file ?? "", line: cited?.line ?? 0 };
}
