import { assert } from "../../base/index.ts";
import { saysNoProblem } from "../../claim/index.ts";
import type { CheckedFinding } from "../../schema/finding.ts";
import type { Gap } from "../../schema/review.ts";
import {
  type AskedQuestion,
  askedQuestions,
  checkDeliverable,
  checkTeam,
  type Deliverable,
  type Ended,
  hasEnded,
  type InlineResult,
  NOT_LOOKED,
} from "../../verify/contract/index.ts";
import type { Breakers } from "./breaker-memory.ts";
import { checkFiles } from "./check-files.ts";
import type { OpenedContract } from "./contract-file.ts";
import type { Delivered } from "./deliveries.ts";
import { type Uncovered, uncoveredScopes } from "./uncovered.ts";

/** The form of a team's files, before anything they say is held against the source. */
export interface JudgedTeam {
  readonly deliveries: readonly Delivered[];
  readonly deliverables: readonly Deliverable[];
  /** By teammate: whether it has ended, and who says so. */
  readonly ended: ReadonlyMap<string, Ended>;
  readonly inline: readonly InlineResult[];
  readonly questions: readonly AskedQuestion[];
  /** What nobody was going to read is told apart from what went wrong since. */
  readonly gaps: readonly Gap[];
  readonly lateGaps: readonly Gap[];
  readonly notes: readonly string[];
}

/** Judges each file by the contract, then what is missing. */
export function judgeTeam(
  { contract }: OpenedContract,
  found: readonly Delivered[],
  unassigned: readonly Uncovered[],
  { breakers, nowMs }: { readonly breakers: Breakers; readonly nowMs: number },
): JudgedTeam {
  const { teammates, nonce } = contract;
  const onTrial = () => breakers.remember();
  const files = checkFiles(found, contract, breakers.layer0, { nowMs, onTrial });
  const byName = new Map(files.deliveries.map((one) => [one.teammate.name, one]));
  const missing = new Set(
    found
      .filter(({ teammate, delivery }) => isMissing(checkDeliverable(teammate, delivery, nonce)))
      .map(({ teammate }) => teammate.name),
  );
  const scopes = uncoveredScopes(teammates, missing);
  const team = checkTeam({
    contract,
    waiting: NOT_LOOKED,
    deliver: ({ name }) => byName.get(name)?.delivery ?? { kind: "missing" },
    uncovered: [...scopes, ...unassigned],
  });
  assert(team.kind === "checked", "a team without any file is not judged");
  const asked = found.map(({ teammate, report }) =>
    askedQuestions(teammate.name, report?.questions ?? []),
  );
  return {
    deliveries: files.deliveries,
    deliverables: team.deliverables,
    ended: new Map(found.map((one) => [one.teammate.name, endedOf(one)])),
    inline: files.inline,
    questions: asked.flatMap((one) => one.asked),
    gaps: [...team.gaps, ...files.gaps],
    lateGaps: [...team.gaps.slice(0, team.gaps.length - unassigned.length), ...files.gaps],
    notes: asked.flatMap((one) => one.notes),
  };
}

const isMissing = ({ status }: Deliverable): boolean => status === "missing";

/** Nobody watched these agents and no task list came along: the Seal speaks, else the file. */
function endedOf({ delivery, report }: Delivered): Ended {
  const isSealed = report?.seal !== undefined && "seal" in report.seal;
  return hasEnded({ seal: isSealed, file: delivery.kind === "file" });
}

/** Findings that could not be held against the source: what was not checked is a gap. */
export function unverifiedGaps(checked: ReadonlyMap<string, readonly CheckedFinding[]>): Gap[] {
  return [...checked].flatMap(([who, findings]) => {
    const open = findings.filter(({ verdict }) => verdict === "UNVERIFIED");
    if (open.length === 0) return [];
    const what = `${open.length} of ${findings.length} findings`;
    return [{ what, who, why: `not checkable: ${open[0]?.reason ?? ""}`.slice(0, 1_000) }];
  });
}

/** Parts that look like findings and are in no form that is known: nobody held them against the source. */
export function unreadGaps(deliveries: readonly Delivered[]): Gap[] {
  return deliveries.flatMap(({ teammate, report }) => {
    const unread = report?.unread.filter((part) => !saysNoProblem(part)) ?? [];
    const [first, ...more] = unread;
    if (first === undefined) return [];
    const what = more.length === 0 ? "1 part" : `${more.length + 1} parts`;
    const why = `not readable as a finding, line ${first.line}: ${first.why}`.slice(0, 1_000);
    return [{ what, who: teammate.name, why }];
  });
}
