import { counted } from "../base/index.ts";
import type { SessionOutcome } from "../flow/session/run-session.ts";
import { nextFor } from "../flow/session/waits-for.ts";
import { weakenedWords } from "../view/index.ts";
import type { Answer } from "./io.ts";

const EXITS = {
  delivered: 0,
  rehearsed: 0,
  waits: 3,
  failed: 3,
  aborted: 3,
  open: 1,
} as const;

/** What to type next: what was handed to a branch of this repository is the user's to merge. */
function nextWords({ status, reasons, delivery, works }: SessionOutcome["report"]): string[] {
  if (status === "open" || status === "waits") return [`Next: ${nextFor(reasons)}`];
  if (status === "failed") {
    return ["Next: read the report, put right what it names, and run it again with sworn run"];
  }
  if (status === "rehearsed") {
    return [`Next: sworn deliver ${works.at(-1)?.work} --to ${delivery?.sink} --send`];
  }
  const branch = /^branch (\S+)$/.exec(delivery?.where ?? "")?.[1];
  return status === "delivered" && branch !== undefined ? [`Next: git merge ${branch}`] : [];
}

/** A session that came to its end, or as far as it can. */
export function sessionAnswer({ report, folder }: SessionOutcome): Answer {
  const { session, status, reasons, delivery, unproven, agreed, votes, shared } = report;
  const colours = votes.map(({ agent, vote }) => `${agent} ${vote}`).join(", ");
  const words = [
    `session ${session}: ${status}`,
    ...reasons,
    ...weakenedWords(report.weakened ?? []),
    ...report.proposals
      .filter((one) => one.status !== "approved")
      .map((one) => `${one.id.toUpperCase()} ${one.status}: ${one.rationale}`),
    `claims that stand: ${report.proven.length}${report.rounds === 0 ? "" : `, after ${counted(report.rounds, "round")} of rework`}`,
    ...unproven.map((what) => `not proven: ${what}`),
    ...(agreed === "no" ? [] : [`agreed by ${agreed}${colours === "" ? "" : `: ${colours}`}`]),
    ...shared.map((one) => `not independent: ${one}`),
    ...(delivery === null ? [] : [`${delivery.status}: ${delivery.where}`]),
    ...(delivery?.packet ? [`packet ${delivery.packet}`] : []),
    `report ${folder}/report.md`,
    `verify: sworn verify ${report.trace}`,
    ...nextWords(report),
  ].join("\n");
  return { exit: EXITS[status], json: report, words, isAnswered: true };
}
