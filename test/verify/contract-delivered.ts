import type { Contract, Seal, SelfReviewRow, Teammate } from "../../src/schema/contract.ts";
import type { Finding, Priority } from "../../src/schema/finding.ts";
import type { DeliveredReport, Delivery } from "../../src/verify/contract/index.ts";

export const NONCE = "0123456789abcdef0123456789abcdef";
const SECTIONS = ["P1 (Critical)", "P2 (High)", "P3 (Medium)", "Self-Review Log", "Summary"];

export const teammate = (name: string, role: string): Teammate => ({
  name,
  output_file: `${name}.md`,
  required_sections: SECTIONS,
  role,
});

export const WARD = teammate("ward", "Security review");

export const CONTRACT: Contract = {
  workflow: "rune-review",
  timestamp: "2026-02-11T10:30:00Z",
  output_dir: "tmp/reviews/142/",
  nonce: NONCE,
  teammates: [teammate("forge", "Backend code review"), WARD],
  aggregator: { name: "runebinder", output_file: "TOME.md" },
  verification: {
    enabled: true,
    layer_0_circuit: { failure_threshold: 3, recovery_seconds: 60 },
    layer_2_circuit: { failure_threshold: 2, recovery_seconds: 120 },
    max_reverify_agents: 2,
  },
};

export const finding = (id: string, priority: Priority, quote = "x = 1"): Finding => ({
  id,
  title: "A title",
  priority,
  citations: [{ file: "a.py", line: 3, quote }],
});

export const row = (finding: string, action: SelfReviewRow["action"]): SelfReviewRow => ({
  finding,
  action,
  notes: "",
});

export const SEAL: Seal = {
  findings: 3,
  evidence_verified: true,
  confidence: 85,
  self_reviewed: true,
  self_review_actions: "confirmed: 1, revised: 1, deleted: 1",
  nonce: NONCE,
};

/** A report in order: a P1, a P2, a P3, and a fourth finding that its author took out. */
export const REPORT: DeliveredReport = {
  sections: SECTIONS.map((title) => ({ title, words: 11 })),
  seal: { seal: SEAL, isLast: true },
  selfReview: [row("SEC-001", "confirmed"), row("SEC-002", "revised"), row("SEC-004", "deleted")],
  findings: [finding("SEC-001", "P1"), finding("SEC-002", "P2"), finding("SEC-003", "P3")],
  unread: [],
  nonces: [undefined, NONCE, undefined],
};

export const sealed = (seal: Partial<Seal>): DeliveredReport => ({
  ...REPORT,
  seal: { seal: { ...SEAL, ...seal }, isLast: true },
});

export const file = (report: DeliveredReport, text = "x".repeat(101)): Delivery => ({
  kind: "file",
  text,
  report,
});
