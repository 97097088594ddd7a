import type { GateQuestion } from "./gate-report.ts";

/** Names of questions that the gate itself asks; a plan's own are below these. */
const GATE_IDS = {
  design: "BQ-9001",
  promise: "BQ-9002",
  override: "BQ-9003",
  score: "BQ-9004",
} as const;

/** Whether a question of this name is the gate's own, so that no plan can answer it by naming one alike. */
export function isGateQuestion(id: string): boolean {
  return /^BQ-9\d{3}$/.test(id);
}

/** A question of the gate's own, about the whole plan. */
export function gateQuestion(
  kind: keyof typeof GATE_IDS,
  words: Pick<GateQuestion, "question" | "context" | "default">,
): GateQuestion {
  return { id: GATE_IDS[kind], ...words, blocks: null, by: "gate" };
}
