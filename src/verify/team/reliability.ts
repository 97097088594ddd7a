import type { CheckedFinding } from "../../schema/finding.ts";
import type { ReviewerFindings } from "./reviewer-findings.ts";

const ACCEPT_POINTS = 85;
const SPOT_CHECK_POINTS = 70;
/** Below this, nothing that a reviewer said is relied on. */
const RELIABLE_POINTS = 50;

/** What a second agent should look at: nothing more than a sample, one or two P1, or every P1. */
export type Band = "accept" | "spot-check" | "all-p1";

/** How far one reviewer can be relied on, and why not further. */
export interface Reliability {
  readonly reviewer: string;
  /** One made-up finding, or too little evidence, and the whole output is in doubt. */
  readonly reliable: boolean;
  /** Points computed from what was seen; null where there is nothing to compute them from. */
  readonly confidence: number | null;
  /** Null where there are no findings to look at. */
  readonly band: Band | null;
  readonly notes: readonly string[];
}

/** How far one reviewer's output can be relied on. Its own estimate can only lower the points. */
export function reliability(reviewer: ReviewerFindings): Reliability {
  const { name, findings, ownConfidence } = reviewer;
  const invented = findings.filter(({ verdict }) => verdict === "HALLUCINATED").length;
  const confidence = confidencePoints(reviewer);
  const isWeak = confidence !== null && confidence < RELIABLE_POINTS;
  const notes: string[] = [];
  if (invented > 0) notes.push(`${invented} of ${findings.length} findings are not in the source`);
  if (isWeak) notes.push(`confidence is ${confidence}, expected at least ${RELIABLE_POINTS}`);
  if (findings.length > 0 && confidence === null)
    notes.push("nobody watched which files it opened");
  return {
    reviewer: name,
    reliable: invented === 0 && !isWeak,
    confidence,
    band: findings.length === 0 ? null : bandOf(confidence, ownConfidence ?? 100),
    notes,
  };
}

/**
 * Share of findings with evidence, times share of files opened, times a factor for the second look,
 * in whole points rounded down.
 */
export function confidencePoints(reviewer: ReviewerFindings): number | null {
  const { findings, filesGiven, filesRead } = reviewer;
  if (findings.length === 0 || filesRead === null || filesGiven === 0) return null;
  const read = Math.min(filesRead, filesGiven);
  const backed = findings.filter(hasEvidence).length;
  return Math.floor((backed * read * selfReviewFactor(reviewer)) / (findings.length * filesGiven));
}

/** Whether it quotes something that the source has; what was not compared is no evidence. */
export function hasEvidence({ finding, verdict }: CheckedFinding): boolean {
  const compared = verdict === "CONFIRMED" || verdict === "INACCURATE";
  return compared && finding.citations[0]?.quote !== undefined;
}

/** A log shows the second look, a word only says it. A program needs none: it would say the same. */
function selfReviewFactor({ kind, log, selfReviewed }: ReviewerFindings): 100 | 80 | 60 {
  if (kind === "analyser" || log.length > 0) return 100;
  return selfReviewed ? 80 : 60;
}

/** Unknown is treated as low: nobody is spared a look because nobody watched. */
function bandOf(confidence: number | null, ownConfidence: number): Band {
  const points = Math.min(confidence ?? 0, ownConfidence);
  if (points >= ACCEPT_POINTS) return "accept";
  return points >= SPOT_CHECK_POINTS ? "spot-check" : "all-p1";
}
