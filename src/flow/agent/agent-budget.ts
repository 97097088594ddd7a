import type { AdmissionFacts } from "../../schema/admission.ts";
import type { AgentLimits } from "../../schema/agent.ts";
import type { RunSettings } from "../../schema/config.ts";
import { budgetOf, leftMicroUsd } from "../exec/run-budget.ts";
import type { Place } from "../place.ts";

/** What an agent's run is, as far as its bill goes. */
interface Billed {
  readonly limits: AgentLimits;
  /** Whether somebody can send a bill for it. */
  readonly hasModel: boolean;
}

/** What the policies are told of a run's cost, and what it may come to before it is ended. */
export interface AgentBudget {
  readonly facts: AdmissionFacts["budget"];
  /** In millionths of a dollar; without one only the agent's own limit holds. */
  readonly microUsdMax: number | undefined;
}

/**
 * The ceilings under `runs.spend`, where a project has them, hold for its agents' models too: what
 * today's runs came to counts, and what is left ends a run. An agent whose price nobody named costs
 * what nobody knows, and the policies deny that.
 */
export function agentBudget(
  { limits, hasModel }: Billed,
  settings: RunSettings["spend"],
  place: Place,
): AgentBudget {
  if (settings === undefined || !hasModel) {
    return { facts: { spent_thousandths: 0, ceiling_thousandths: 0 }, microUsdMax: undefined };
  }
  const facts = budgetOf(place, toThousandths(limits.micro_usd ?? 0), settings);
  if (limits.price === undefined) {
    return { facts: { ...facts, spent_thousandths: null }, microUsdMax: 0 };
  }
  return { facts, microUsdMax: leftMicroUsd(place, settings) };
}

/** Rounded up, so that many small bills do not come to nothing. */
export function toThousandths(microUsd: number): number {
  return Math.ceil(microUsd / 1_000);
}
