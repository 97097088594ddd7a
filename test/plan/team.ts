import type { MadeContract } from "../../src/plan/index.ts";
import { makeContract } from "../../src/plan/index.ts";
import type { TeamAgent } from "../../src/schema/config.ts";

export const NONCE = "0123456789abcdef0123456789abcdef";
export const REQUEST = {
  outputDir: "tmp/reviews/142/",
  timestamp: "2026-02-11T10:30:00Z",
  nonce: NONCE,
} as const;

export const AGENTS: TeamAgent[] = [
  { name: "forge", role: "Backend code review", area: "backend", scope: ["src/**"] },
  { name: "ward", role: "Security review", area: "security" },
  { name: "scribe", role: "Documentation review", area: "docs", scope: ["**/*.md"] },
  { name: "weaver", role: "Frontend review", area: "frontend", scope: ["web/**"] },
  { name: "fifth", role: "Fifth review" },
];

export const team = (size: number): TeamAgent[] => AGENTS.slice(0, size);

/** The contract, where one is expected. */
export function contractOf(made: MadeContract) {
  if (made.kind !== "contract") throw new Error(made.reason);
  return made.contract;
}

export const reviewContract = () =>
  contractOf(makeContract({ ...REQUEST, workflow: "review", agents: team(3) }));
