import { readFileSync } from "node:fs";
import { messageOf, SwornError } from "../../base/index.ts";
import { loadPolicies, type Policies } from "../../policy/index.ts";
import { Repository } from "../../repo/index.ts";
import { reapFolders } from "../../run/index.ts";
import { BwrapEngine, type EngineRefusal, isObservable } from "../../sandbox/index.ts";
import { RUN_DEPTH_MAX } from "../../schema/limits.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { beatMsOf } from "../beat/beat-config.ts";
import { type ExecEnvironment, findExecEnvironment } from "../exec/exec-environment.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy/policy-source.ts";
import type { OpenMcp } from "../tooling/run-socket.ts";
import { readConfig } from "../workflow-config.ts";
import { openAgentTooling } from "./agent-tooling.ts";
import { type Asked, Children } from "./children.ts";
import { chooseAgent, roleOfAgent } from "./choose-agent.ts";
import { isPassing, ModelPace } from "./model-pace.ts";
import { promptFor } from "./prompt-for.ts";
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
  /** Whether agents can speak to the runtime while they work, and how those that speak MCP do. */
  readonly tooling?: { readonly openMcp?: OpenMcp | undefined } | undefined;
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
  /** How many runs can be above one. */
  readonly depthMax: number;
  /** How many runs one that a person asked for may lead to, whoever asks for them. */
  readonly delegatedMax: number;
  /** How long beats last, where the project says so. */
  readonly beatMs: number | undefined;
  readonly env: RunnerOptions["env"];
  readonly home: string;
}

/** A run that a person asked for, and all that it led to. */
interface Family {
  count: number;
}

const DELEGATED_MAX = 100;
/** A shorter wait for a model is over before anybody has read of it. */
const TOLD_SECONDS = 5;

/** Runs agents on one repository, as many at a time as it is asked to. */
export class AgentRunner {
  readonly scene: RunnerScene;
  readonly #pace: ModelPace;
  readonly #tooling: RunnerOptions["tooling"];

  private constructor(scene: RunnerScene, { pace, tooling }: RunnerOptions) {
    this.scene = scene;
    this.#pace = pace ?? new ModelPace();
    this.#tooling = tooling;
  }

  /** @throws SwornError when there is no repository, or a policy cannot be read. */
  static async open(options: RunnerOptions): Promise<AgentRunner> {
    const { folder, env, home, placeFor } = options;
    const engine = new BwrapEngine();
    // Not with a signal: whoever calls a run off wants its work saved.
    const repository = await Repository.open(folder, { env });
    try {
      const place = placeFor(repository.root);
      // Before anything is loaded that would have to be closed where these cannot be read.
      const { depth: depthMax = RUN_DEPTH_MAX, delegated: delegatedMax = DELEGATED_MAX } =
        readConfig(repository.root).runs ?? {};
      const beatMs = beatMsOf(repository.root);
      reapFolders(place.clock());
      // What is tried runs in programs of its own, while this one reads the policies. Whether a sandbox can
      // be observed is remembered where it is tried, for the first run.
      const trying = Promise.all([engine.examine(), isObservable(engine.owner)]);
      const reading = Promise.all([
        findExecEnvironment("host", "bwrap", place.state),
        loadPolicies(policySource(place.state, [repository.root])),
      ]);
      const [[refusals], [environment, policies]] = await Promise.all([trying, reading]);
      const buses = new TaskBuses(place);
      const shared = {
        place,
        beatMs,
        buses,
        depthMax,
        delegatedMax,
        engine,
        refusals,
        environment,
        repository,
        policies,
      };
      return new AgentRunner({ ...shared, env, home }, options);
    } catch (error) {
      repository.close();
      throw error;
    }
  }

  /** One run of one agent, when its model may be asked; see {@link runAgent}. */
  run(request: AgentRequest): Promise<AgentOutcome> {
    return this.#run(request, { count: 0 });
  }

  async #run(request: AgentRequest, family: Family): Promise<AgentOutcome> {
    const { service } = request;
    const host = service && new URL(service.endpoint).host;
    if (host !== undefined) await this.#waitFor(host, request);
    const outcome = await runAgent(this.#withTooling(request, family), this.scene);
    if (host === undefined) return outcome;
    if (isPassing(outcome)) this.#pace.turnedAway(host, outcome.leaveAloneMs);
    else this.#pace.answered(host);
    return outcome;
  }

  async #waitFor(host: string, { agent, onStep, signal }: AgentRequest): Promise<void> {
    const seconds = Math.ceil(this.#pace.waitMs(host) / 1_000);
    if (seconds >= TOLD_SECONDS) onStep(`${agent} waits: ${host} is left alone for ${seconds} s`);
    await this.#pace.ready(host, signal);
  }

  #withTooling(request: AgentRequest, family: Family): AgentRequest {
    const { scene } = this;
    if (this.#tooling === undefined) return request;
    const { openMcp } = this.#tooling;
    const { signal, onStep } = request;
    const onFault = (error: unknown) =>
      onStep(`a request of ${request.agent}: ${messageOf(error)}`);
    return {
      ...request,
      openTooling: (info, folder) => {
        const children = new Children((asked, ...rest) => {
          this.#assertFew(asked, family);
          return this.#runChild({ ...request, parent: info }, family, asked, ...rest);
        });
        const setting = { scene, children, openMcp, onFault, signal };
        return openAgentTooling(info, folder, setting);
      },
    };
  }

  /** Each may ask for others, and these for more: without a bound, one run is a bomb of them. */
  #assertFew({ agent }: Asked, family: Family): void {
    const { delegatedMax } = this.scene;
    if (family.count >= delegatedMax) {
      throw new SwornError(
        "LIMIT_EXCEEDED",
        `${agent} was not started: ${family.count} runs were asked for by other runs already, at most ${delegatedMax} (runs.delegated in sworn.yaml); do this yourself`,
      );
    }
    family.count += 1;
  }

  /** A run that another one asked for: of the same task, from the same commit, one deeper. */
  async #runChild(
    { task, signal: parentSignal, onStep, parent }: AgentRequest & { readonly parent: RunInfo },
    family: Family,
    { agent, prompt }: Asked,
    signal: AbortSignal,
    onStarted: (info: RunInfo) => void,
  ): Promise<AgentOutcome> {
    const { repository, env, home, buses } = this.scene;
    const chosen = await chooseAgent(agent, { root: repository.root, env, home });
    const { limits } = chosen.config;
    const request = {
      ...{ agent, driver: chosen.driver, service: chosen.service, limits, task, parent },
      prompt: promptFor(prompt, { limits, isRoot: false, hasTooling: true }),
      at: parent.base,
      role: roleOfAgent(agent, repository.root),
      signal: AbortSignal.any([signal, parentSignal]),
      ...{ onStarted, onStep, onEvent: () => {} },
    };
    const outcome = await this.#run(request, family);
    const { info } = outcome;
    if (info) await buses.tellResult(info, readFileSync(info.output_path, "utf8"));
    return outcome;
  }

  async close(): Promise<void> {
    const { buses, policies, repository } = this.scene;
    await buses.close();
    await policies.close();
    repository.close();
  }
}
