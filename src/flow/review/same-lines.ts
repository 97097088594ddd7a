import type { CheckedFinding } from "../../schema/finding.ts";
import type { MergedFinding } from "../../verify/team/index.ts";

/** Others that are named at one finding; who floods a line with findings is not repeated for ever. */
const OTHERS_MAX = 10;

interface Span {
  readonly file: string;
  readonly by: string;
  readonly label: string;
  readonly identity: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Who else points at the lines of a finding, by its identity: `security SEC-001`. It is a hint for
 * a person: two reviewers at one line may speak of two things, so it lends no support.
 */
export function sameLines(findings: readonly MergedFinding[]): ReadonlyMap<string, string[]> {
  const byFile = new Map<string, Span[]>();
  for (const span of findings.flatMap(toSpan)) {
    const here = byFile.get(span.file) ?? [];
    here.push(span);
    byFile.set(span.file, here);
  }
  const others = new Map<string, string[]>();
  const note = (of: Span, other: Span) => {
    const named = others.get(of.identity) ?? [];
    if (named.length < OTHERS_MAX) others.set(of.identity, [...named, other.label]);
  };
  for (const spans of byFile.values()) {
    for (const [a, b] of overlapping(spans.toSorted((x, y) => x.from - y.from))) {
      if (a.by === b.by) continue;
      note(a, b);
      note(b, a);
    }
  }
  return others;
}

/** Pairs that share a line; expects them sorted by their first one. Each meets a bounded number. */
function* overlapping(sorted: readonly Span[]): Generator<readonly [Span, Span]> {
  for (const [index, a] of sorted.entries()) {
    for (const b of sorted.slice(index + 1, index + 1 + OTHERS_MAX)) {
      if (b.from > a.to) break;
      yield [a, b];
    }
  }
}

function toSpan({ finding, found, identity, by }: MergedFinding): Span[] {
  const [cited] = finding.citations;
  const from = found?.line ?? cited?.line;
  if (from === undefined) return [];
  const to = from + lengthOf({ finding });
  const label = `${by} ${finding.id}`;
  return [{ file: found?.file ?? cited?.file ?? "", by, label, identity, from, to }];
}

function lengthOf({ finding }: Pick<CheckedFinding, "finding">): number {
  const [cited] = finding.citations;
  return Math.max(0, (cited?.end_line ?? cited?.line ?? 0) - (cited?.line ?? 0));
}
