import type { SelfReviewRow } from "../../schema/contract.ts";
import type { SelfReviewHealth } from "../../schema/review.ts";

const GRADES = ["healthy", "warning", "rotted"] as const;
type Grade = (typeof GRADES)[number];

/** An agent's second look at its own findings. */
export interface SelfReview {
  readonly reviewer: string;
  readonly log: readonly SelfReviewRow[];
  /** How many P1 and P2 its report still has, counted and not claimed. */
  readonly serious: number;
  /** How many of those logged as revised were seen to change; null where nobody watched. */
  readonly editsSeen: number | null;
}

/** Judges the log by fixed bounds; the worst of four measures decides. */
export function selfReviewHealth({
  reviewer,
  log,
  serious,
  editsSeen,
}: SelfReview): SelfReviewHealth {
  const count = (action: SelfReviewRow["action"]) =>
    log.filter((row) => row.action === action).length;
  const [confirmed, revised, deleted] = [count("confirmed"), count("revised"), count("deleted")];
  // What was taken out was there before: the log owes a row for it too.
  const expected = serious + deleted;
  const graded = [
    ...(log.length === 0 ? [] : rates(confirmed, deleted, log.length)),
    completeness(log.length, expected),
    edits(revised, editsSeen),
  ];
  const worst = Math.max(...graded.map(({ grade }) => GRADES.indexOf(grade)));
  return {
    reviewer,
    confirmed,
    revised,
    deleted,
    logged: log.length,
    expected,
    health: GRADES[worst] ?? "rotted",
    notes: graded.flatMap(({ grade, note }) => (grade === "healthy" ? [] : [note])),
  };
}

interface Graded {
  readonly grade: Grade;
  readonly note: string;
}

/** Compared without division, so that 80 % is exactly 80 %. */
function rates(confirmed: number, deleted: number, logged: number): Graded[] {
  const kept = confirmed * 100;
  const gone = deleted * 100;
  return [
    {
      grade: kept > 80 * logged ? "healthy" : kept >= 50 * logged ? "warning" : "rotted",
      note: `${confirmed} of ${logged} confirmed, expected more than 80 %`,
    },
    {
      grade: gone < 10 * logged ? "healthy" : gone <= 25 * logged ? "warning" : "rotted",
      note: `${deleted} of ${logged} deleted, expected less than 10 %`,
    },
  ];
}

function completeness(logged: number, expected: number): Graded {
  const share = logged * 100;
  // More rows than findings is not complete either: something is logged that is not there.
  const grade = logged === expected ? "healthy" : share >= 80 * expected ? "warning" : "rotted";
  return { grade, note: `${logged} of ${expected} P1 and P2 logged` };
}

function edits(revised: number, seen: number | null): Graded {
  if (revised === 0) return { grade: "healthy", note: "" };
  if (seen === null) {
    return {
      grade: "warning",
      note: `${revised} revised, and nobody watched whether they changed`,
    };
  }
  const grade = seen >= revised ? "healthy" : seen > 0 ? "warning" : "rotted";
  return { grade, note: `${seen} of ${revised} revised findings were seen to change` };
}
