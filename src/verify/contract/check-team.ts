import type { Contract, Teammate } from "../../schema/contract.ts";
import type { Gap } from "../../schema/review.ts";
import { checkDeliverable, type Deliverable, type Delivery } from "./check-deliverable.ts";
import { type WaitAnswer, type Waiting, waitForFiles } from "./wait-for-files.ts";

/** Longest cell of the table of gaps. */
const CELL_CHARS_MAX = 1_000;

/** One row of the table of incomplete deliverables. */
export interface GapRow {
  readonly teammate: string;
  readonly status: string;
  readonly impact: string;
}

/** What is to be judged. */
export interface TeamDelivery {
  readonly contract: Contract;
  readonly waiting: Waiting;
  /** Looks where a teammate owes its file; an error it throws is the caller's to turn into a value. */
  readonly deliver: (teammate: Teammate) => Delivery;
  /** Files that were to be looked at and were given to nobody. */
  readonly uncovered: readonly { readonly file: string; readonly why: string }[];
}

/** Look again later, give up, or everything that was found. */
export type TeamCheck =
  | Exclude<WaitAnswer, { kind: "proceed" }>
  | {
      readonly kind: "checked";
      readonly deliverables: readonly Deliverable[];
      readonly rows: readonly GapRow[];
      readonly gaps: readonly Gap[];
      readonly outcome: TeamOutcome;
    };

/** How a team's run ended, as its state file says it. */
export type TeamOutcome = "completed" | "completed_with_gaps" | "failed";

/** Judges a team in the fixed order: is anything there at all, each file, what is missing. */
export function checkTeam({ contract, waiting, deliver, uncovered }: TeamDelivery): TeamCheck {
  const { teammates, nonce } = contract;
  const deliverables = teammates.map((one) => checkDeliverable(one, deliver(one), nonce));
  const found = deliverables.filter(({ status }) => status !== "missing").length;
  const answer = waitForFiles(waiting, teammates.length, found);
  if (answer.kind !== "proceed") return answer;
  const gaps = [...deliverables.flatMap(gapOf), ...uncovered.map(uncoveredGap)];
  return {
    kind: "checked",
    deliverables,
    rows: deliverables.flatMap(rowOf),
    gaps,
    outcome: outcomeOf(deliverables, gaps.length),
  };
}

/** The end of a run: nothing delivered is a failure, anything short of everything has gaps. */
export function outcomeOf(
  deliverables: readonly Pick<Deliverable, "status">[],
  gaps: number,
): TeamOutcome {
  if (deliverables.every(({ status }) => status === "missing")) return "failed";
  const whole = deliverables.every(({ status }) => status === "complete");
  return whole && gaps === 0 ? "completed" : "completed_with_gaps";
}

/** A deliverable's row in the table of gaps: Teammate, Status, Impact; none when complete. */
function rowOf({ name, status, reasons, impact }: Deliverable): GapRow[] {
  if (status === "complete") return [];
  const word = status === "missing" ? "Missing" : "Partial";
  const cell = `${word} (${reasons.join("; ")})`.slice(0, CELL_CHARS_MAX);
  return [{ teammate: name, status: cell, impact: impact.slice(0, CELL_CHARS_MAX) }];
}

function gapOf({ name, status, reasons, impact }: Deliverable): Gap[] {
  if (status === "complete") return [];
  const why = reasons.join("; ").slice(0, CELL_CHARS_MAX);
  return [{ what: impact.slice(0, CELL_CHARS_MAX), who: name, why }];
}

function uncoveredGap({ file, why }: { file: string; why: string }): Gap {
  return { what: file.slice(0, CELL_CHARS_MAX), why: why.slice(0, CELL_CHARS_MAX) };
}
