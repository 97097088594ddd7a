import type { Seal } from "../../schema/contract.ts";
import { countFindings, type DeliveredReport } from "./delivered-report.ts";

const ACTIONS =
  /^\s*confirmed: {0,3}(\d{1,6}), {0,3}revised: {0,3}(\d{1,6}), {0,3}deleted: {0,3}(\d{1,6})\s*$/i;

/**
 * What is wrong with a report's Seal. It must be the run's own, end the file, and say nothing that
 * counting again does not say too.
 */
export function sealProblems(report: DeliveredReport, nonce: string | undefined): string[] {
  if (report.seal === undefined) return ["no Seal"];
  if ("problem" in report.seal)
    return [`no Seal that can be read: ${report.seal.problem.slice(0, 200)}`];
  const { seal, isLast } = report.seal;
  const problems = isLast ? [] : ["something follows the Seal"];
  if (nonce !== undefined && seal.nonce !== nonce) {
    problems.push(`the Seal carries ${seal.nonce === undefined ? "no nonce" : "another nonce"}`);
  }
  const foreign = report.nonces.some((other) => other !== undefined && other !== nonce);
  if (nonce !== undefined && foreign) {
    problems.push("parts of it carry the nonce of another run");
  }
  return [...problems, ...countProblems(seal, report), ...reviewProblems(seal, report)];
}

function countProblems(seal: Seal, { findings, unread }: DeliveredReport): string[] {
  const problems: string[] = [];
  if (seal.findings !== findings.length) {
    const rest = unread.length === 0 ? "" : `, and ${unread.length} could not be read`;
    problems.push(`the Seal says ${seal.findings} findings, counted ${findings.length}${rest}`);
  }
  const bare = findings.filter(({ citations }) => citations[0]?.quote === undefined).length;
  if (seal.evidence_verified && bare > 0) {
    problems.push(`the Seal says all evidence is verified, ${bare} findings quote nothing`);
  }
  return problems;
}

function reviewProblems(seal: Seal, { findings, selfReview }: DeliveredReport): string[] {
  const { p1, p2 } = countFindings(findings);
  const problems: string[] = [];
  if (seal.self_reviewed && selfReview.length === 0 && p1 + p2 > 0) {
    problems.push("the Seal says it was self-reviewed, nothing is logged");
  }
  if (seal.self_review_actions === undefined) return problems;
  const said = ACTIONS.exec(seal.self_review_actions)?.slice(1).map(Number);
  const logged = (["confirmed", "revised", "deleted"] as const).map(
    (action) => selfReview.filter((row) => row.action === action).length,
  );
  if (said === undefined) problems.push("the Seal's self_review_actions cannot be read");
  else if (said.some((count, index) => count !== logged[index])) {
    problems.push(
      `the Seal says ${said.join(", ")} confirmed, revised, deleted; the log has ${logged.join(", ")}`,
    );
  }
  return problems;
}
