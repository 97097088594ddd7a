import { loadPolicies, type Policies } from "../../policy/index.ts";
import { Repository } from "../../repo/index.ts";
import { reapRunFolders } from "../../run/index.ts";
import { BwrapEngine, type EngineRefusal } from "../../sandbox/index.ts";
import { type ExecEnvironment, findExecEnvironment } from "../exec/exec-environment.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy-source.ts";
import { ModelPace } from "./model-pace.ts";
import { type AgentOutcome, type AgentRequest, runAgent } from "./run-agent.ts";
import { TaskBuses } from "./task-buses.ts";

/** Whose agents run, and where. */
export interface RunnerOptions {
  /** A folder of the repository that they work on. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly placeFor: (root: string) => Place;
  readonly pace?: ModelPace;
}

/** What all runs of one runtime share. */
export interface RunnerScene {
  readonly place: Place;
  readonly engine: BwrapEngine;
  readonly refusals: readonly EngineRefusal[];
  readonly environment: ExecEnvironment;
  readonly repository: Repository;
  readonly policies: Policies;
  readonly buses: TaskBuses;
  readonly env: RunnerOptions["env"];
  readonly home: string;
}

/** Runs agents on one repository, as many at a time as it is asked to. */
export class AgentRunner {
  readonly scene: RunnerScene;
  readonly #pace: ModelPace;

  private constructor(scene: RunnerScene, pace: ModelPace) {
    this.scene = scene;
    this.#pace = pace;
  }

  /** @throws SwornError when there is no repository, or a policy cannot be read. */
  static async open(options: RunnerOptions): Promise<AgentRunner> {
    const { folder, env, home, placeFor, pace = new ModelPace() } = options;
    const engine = new BwrapEngine();
    const refusals = await engine.examine();
    // Not with a signal: whoever calls a run off wants its work saved.
    const repository = await Repository.open(folder, { env });
    try {
      const place = placeFor(repository.root);
      reapRunFolders(place.clock());
      const environment = await findExecEnvironment("host", "bwrap", place.state);
      const policies = await loadPolicies(policySource(place.state, [repository.root]));
      const buses = new TaskBuses(place);
      const shared = { place, buses, engine, refusals, environment, repository, policies };
      return new AgentRunner({ ...shared, env, home }, pace);
    } catch (error) {
      repository.close();
      throw error;
    }
  }

  /** One run of one agent, when its model may be asked; see {@link runAgent}. */
  async run(request: AgentRequest): Promise<AgentOutcome> {
    const { service } = request;
    if (service === undefined) return runAgent(request, this.scene);
    const { host } = new URL(service.endpoint);
    await this.#pace.ready(host, request.signal);
    const outcome = await runAgent(request, this.scene);
    const why = outcome.troubles[0]?.why;
    if (why === "busy" || why === "unavailable") this.#pace.turnedAway(host);
    else this.#pace.answered(host);
    return outcome;
  }

  async close(): Promise<void> {
    const { buses, policies, repository } = this.scene;
    await buses.close();
    await policies.close();
    repository.close();
  }
}
