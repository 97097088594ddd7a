import { countFindings, type DeliveredReport } from "./delivered-report.ts";

const ID = /^[A-Z]{2,5}-\d{1,6}$/;

/**
 * What is wrong with an agent's log of its second look. Every P1 and P2 that is still there has one
 * row that keeps it, and whatever a row deleted is gone.
 */
export function logProblems({ findings, selfReview }: DeliveredReport): string[] {
  const serious = findings.filter(({ priority }) => priority !== "P3").map(({ id }) => fold(id));
  const kept = selfReview.filter(({ action }) => action !== "deleted");
  const { p1, p2 } = countFindings(findings);
  const problems: string[] = [];
  if (kept.length !== p1 + p2) {
    problems.push(
      `the Self-Review Log keeps ${kept.length} findings, counted ${p1 + p2} P1 and P2`,
    );
  }
  const logged = new Set(kept.map(({ finding }) => firstId(finding)));
  // Rows may name findings by title; only a log that names ids throughout can be held to them.
  if (kept.length > 0 && !logged.has(undefined)) {
    const missed = serious.filter((id) => ID.test(id) && !logged.has(id));
    if (missed.length > 0) problems.push(`not in the Self-Review Log: ${list(missed)}`);
  }
  const present = new Set(findings.map(({ id }) => fold(id)));
  const deleted = selfReview.filter(({ action }) => action === "deleted");
  const back = deleted
    .map(({ finding }) => firstId(finding))
    .filter((id) => id !== undefined && present.has(id));
  if (back.length > 0) problems.push(`logged as deleted and still there: ${list(back)}`);
  return problems;
}

const fold = (id: string): string => id.toUpperCase();

/** The row's own finding; further ids in it are what it is compared with. */
function firstId(text: string): string | undefined {
  return text
    .split(/[^A-Za-z0-9-]/)
    .map(fold)
    .find((word) => ID.test(word));
}

function list(ids: readonly (string | undefined)[]): string {
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : "";
  return `${ids.slice(0, 5).join(", ")}${more}`;
}
