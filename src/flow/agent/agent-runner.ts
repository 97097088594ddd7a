import { loadPolicies, type Policies } from "../../policy/index.ts";
import { Repository } from "../../repo/index.ts";
import { reapRunFolders } from "../../run/index.ts";
import { BwrapEngine, type EngineRefusal } from "../../sandbox/index.ts";
import { type ExecEnvironment, findExecEnvironment } from "../exec/exec-environment.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy-source.ts";
import { type AgentOutcome, type AgentRequest, runAgent } from "./run-agent.ts";

/** Whose agents run, and where. */
export interface RunnerOptions {
  /** A folder of the repository that they work on. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly placeFor: (root: string) => Place;
}

/** What all runs of one runtime share. */
export interface RunnerScene {
  readonly place: Place;
  readonly engine: BwrapEngine;
  readonly refusals: readonly EngineRefusal[];
  readonly environment: ExecEnvironment;
  readonly repository: Repository;
  readonly policies: Policies;
  readonly env: RunnerOptions["env"];
  readonly home: string;
}

/** Runs agents on one repository, as many at a time as it is asked to. */
export class AgentRunner {
  readonly scene: RunnerScene;

  private constructor(scene: RunnerScene) {
    this.scene = scene;
  }

  /** @throws SwornError when there is no repository, or a policy cannot be read. */
  static async open({ folder, env, home, placeFor }: RunnerOptions): Promise<AgentRunner> {
    const engine = new BwrapEngine();
    const refusals = await engine.examine();
    // Not with a signal: whoever calls a run off wants its work saved.
    const repository = await Repository.open(folder, { env });
    try {
      const place = placeFor(repository.root);
      reapRunFolders(place.clock());
      const environment = await findExecEnvironment("host", "bwrap", place.state);
      const policies = await loadPolicies(policySource(place.state, [repository.root]));
      const shared = { place, engine, refusals, environment, repository, policies };
      return new AgentRunner({ ...shared, env, home });
    } catch (error) {
      repository.close();
      throw error;
    }
  }

  /** One run of one agent; see {@link runAgent}. */
  run(request: AgentRequest): Promise<AgentOutcome> {
    return runAgent(request, this.scene);
  }

  async close(): Promise<void> {
    await this.scene.policies.close();
    this.scene.repository.close();
  }
}
