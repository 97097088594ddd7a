import type { Review } from "../flow/vote/read-reviews.ts";
import { STEP_WORDS } from "../vote/index.ts";
import { table } from "./table.ts";

/** Where a review stands, for a person: its votes, what blocks it, and what comes next. */
export function reviewWords(review: Review): string[] {
  const { completion_id, phase, counts, votes, blockers, notes, next } = review;
  const tally = `${counts.green} green, ${counts.yellow} yellow, ${counts.red} red`;
  return [
    `${completion_id}: ${phase}, ${tally}`,
    ...(votes.length === 0 ? [] : [votesTable(review)]),
    ...blockers.map((blocker) => `blocked: ${blocker}`),
    ...notes.map((note) => `note: ${note}`),
    `next: ${STEP_WORDS[next]}`,
  ];
}

function votesTable({ votes }: Review): string {
  const rows = votes.map(({ agent, seat, counts, body }) => [
    body.check === undefined ? agent : `${agent} (check: ${body.check})`,
    counts ? seat : `${seat} (does not count)`,
    body.vote,
    body.anchors.map(({ place }) => place).join(" "),
    body.rationale.replaceAll("\n", " "),
  ]);
  return table(["VOTER", "SEAT", "VOTE", "LOOKED AT", "WHY"], rows);
}
