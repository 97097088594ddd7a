import type { SessionOutcome } from "../flow/session/run-session.ts";
import { counted } from "./counted.ts";
import type { Answer } from "./io.ts";

const EXITS = {
  delivered: 0,
  rehearsed: 0,
  waits: 3,
  failed: 3,
  aborted: 3,
  open: 1,
} as const;

/** A session that came to its end, or as far as it can. */
export function sessionAnswer({ report, folder }: SessionOutcome): Answer {
  const { session, status, reasons, delivery, unproven, agreed, votes, shared } = report;
  const colours = votes.map(({ agent, vote }) => `${agent} ${vote}`).join(", ");
  const words = [
    `session ${session}: ${status}`,
    ...reasons,
    ...report.proposals
      .filter((one) => one.status !== "approved")
      .map((one) => `${one.id.toUpperCase()} ${one.status}: ${one.rationale}`),
    `claims that stand: ${report.proven.length}${report.rounds === 0 ? "" : `, after ${counted(report.rounds, "round")} of rework`}`,
    ...unproven.map((what) => `not proven: ${what}`),
    ...(agreed === "no" ? [] : [`agreed by ${agreed}${colours === "" ? "" : `: ${colours}`}`]),
    ...shared.map((one) => `not independent: ${one}`),
    ...(delivery === null ? [] : [`${delivery.status}: ${delivery.where}`]),
    `report ${folder}/report.md`,
    `verify: sworn verify ${report.trace}`,
    ...(status === "open" || status === "waits" ? ["Next: sworn resume"] : []),
  ].join("\n");
  return { exit: EXITS[status], json: report, words, isAnswered: true };
}
