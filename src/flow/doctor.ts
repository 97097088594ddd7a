import { loadPolicies } from "../policy/index.ts";
import type { EngineRefusal } from "../sandbox/index.ts";
import { ENGINES, type EngineName } from "../schema/execution.ts";
import { openEngine } from "./exec/engine-choice.ts";
import type { Place } from "./place.ts";
import { policySource } from "./policy-source.ts";

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
}

/** Asks every engine what it can enforce; nothing is started but the questions. */
export async function examineMachine(
  place: Place,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Health> {
  const engines: EngineHealth[] = [];
  for (const engine of ENGINES) {
    engines.push({
      engine,
      refusals: await (await openEngine({ engine, env }, place.state)).examine(),
    });
  }
  const policies = await loadPolicies(policySource(place.state, []));
  try {
    return { engines, policies: { digest: policies.digest, rules: policies.rules.size } };
  } finally {
    await policies.close();
  }
}
