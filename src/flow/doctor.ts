import { loadPolicies } from "../policy/index.ts";
import { BwrapEngine, type EngineRefusal, isObservable } from "../sandbox/index.ts";
import { ENGINES, type EngineName } from "../schema/execution.ts";
import type { AgentSearch } from "./agent/choose-agent.ts";
import { type AgentHealth, examineAgents } from "./agent/examine-agents.ts";
import {
  type RoleAgent,
  roleAgents,
  type UnknownAgent,
  unknownAgents,
} from "./agent/role-agents.ts";
import { openEngine } from "./exec/engine-choice.ts";
import type { Place } from "./place.ts";
import { policySource } from "./policy/policy-source.ts";

/** What one engine can do here. */
export interface EngineHealth {
  readonly engine: EngineName;
  /** What it cannot enforce; empty when it can run tasks. */
  readonly refusals: readonly EngineRefusal[];
}

/** What is available on this machine. */
export interface Health {
  readonly engines: readonly EngineHealth[];
  readonly policies: { readonly digest: string; readonly rules: number };
  readonly agents: readonly AgentHealth[];
  /** Who is named to do what in this project. */
  readonly roles: readonly RoleAgent[];
  /** Who is named there although nobody of that name is configured. */
  readonly unknown: readonly UnknownAgent[];
  /** Whether every program that an agent starts is seen, or only what runs for a while. */
  readonly observes: boolean;
}

/** Asks every engine what it can enforce and every agent what it is; nothing else is started. */
export async function examineMachine(place: Place, search: AgentSearch): Promise<Health> {
  const { env } = search;
  const engines: EngineHealth[] = [];
  for (const engine of ENGINES) {
    engines.push({
      engine,
      refusals: await (await openEngine({ engine, env }, place.state)).examine(),
    });
  }
  const policies = await loadPolicies(policySource(place.state, []));
  try {
    const { digest, rules } = policies;
    // Agents are started in this one, whatever else there is.
    const bwrap = engines.find(({ engine }) => engine === "bwrap");
    const agents = await examineAgents(search, bwrap?.refusals);
    const observes = await isObservable(new BwrapEngine().owner);
    const roles = roleAgents(search.root);
    const unknown = unknownAgents(search.root);
    return { engines, policies: { digest, rules: rules.size }, agents, roles, unknown, observes };
  } finally {
    await policies.close();
  }
}
