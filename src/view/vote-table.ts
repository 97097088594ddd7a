import type { Role, Vote } from "../schema/index.ts";

/** What votes lead to once there are enough of them. */
export type VoteVerdict = "pass" | "pass-with-decision" | "no" | "blocked";

/** From which side a reviewer looks: at what the work is for, or at how well it is made. */
export type Seat = "domain" | "quality";

export type VoteCounts = Readonly<Record<Vote, number>>;

/** Fewer votes than these decide nothing. */
const QUORUM_VOTES_MIN = 3;

/** Three votes without a red one. With more of them, the row with as many greens counts. */
const TABLE = [
  { green: 0, yellow: 3, verdict: "no" },
  { green: 1, yellow: 2, verdict: "pass-with-decision" },
  { green: 2, yellow: 1, verdict: "pass" },
  { green: 3, yellow: 0, verdict: "pass" },
] as const;

/** What counted votes lead to, a quorum given. Any red blocks, whatever the others say. */
export function verdictOf({ green, red }: VoteCounts): VoteVerdict {
  if (red > 0) return "blocked";
  return TABLE.find((row) => row.green === Math.min(green, QUORUM_VOTES_MIN))?.verdict ?? "no";
}

/** The side a role looks from. It comes from the registered role, so that nobody chooses a seat. */
export function seatOf(role: Role): Seat {
  return role === "auditor" || role === "runtime" ? "quality" : "domain";
}

export function countVotes(votes: Iterable<{ readonly vote: Vote }>): VoteCounts {
  const counts = { green: 0, yellow: 0, red: 0 };
  for (const { vote } of votes) counts[vote] += 1;
  return counts;
}

/** What is missing to a quorum, each in words; nothing when there is one. */
export function quorumGaps(
  votes: readonly { readonly role: Role }[],
  least: number = QUORUM_VOTES_MIN,
): string[] {
  const missing = least - votes.length;
  const seats = new Set(votes.map(({ role }) => seatOf(role)));
  return [
    ...(missing > 0 ? [`${missing} more ${missing === 1 ? "vote" : "votes"}`] : []),
    ...(["domain", "quality"] as const)
      .filter((seat) => !seats.has(seat))
      .map((seat) => `a ${seat} reviewer`),
  ];
}
