import { availableParallelism } from "node:os";
import { later, SwornError } from "../../base/index.ts";
import { dataBlock } from "../../plan/index.ts";
import type { Repository } from "../../repo/index.ts";
import type { Profile } from "../../schema/index.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import { type ChosenAgent, chooseAgent } from "../agent/choose-agent.ts";
import { agentFor } from "../agent/role-agents.ts";
import { readConfig } from "../workflow-config.ts";
import { agentJudge } from "./agent-judge.ts";
import { agentReplanner } from "./agent-replanner.ts";
import { AgentWorker } from "./agent-worker.ts";
import { type EarlierWork, onEarlierWork } from "./earlier-work.ts";
import { agentReview, builtInReview, type Reviewed } from "./reviewer-gate.ts";
import { SealedProver } from "./sealed-prover.ts";
import { ProjectStaging } from "./staging.ts";
import { testGate } from "./test-gate.ts";
import { Unheard } from "./unheard.ts";
import type { WorkSetup } from "./work.ts";
import type { Seen, Worker } from "./work-parts.ts";
import type { Weakened, WorkEvent } from "./work-scene.ts";
import { workSeats } from "./work-seats.ts";

const comparing = later(() => import("../change/weakened-between.ts"));
const extracting = later(() => import("./output-from-prose.ts"));

const PARALLEL_MAX = 4;
const RETRIES = 2;
/** A strict work asks for a plan that needs no more. */
const RETRIES_STRICT = 1;
/** What runs of those who look at a work are filed under. */
const LOOKING = "work-gates";

/** How a work is to be done, where somebody says. */
export interface WorkOptions {
  readonly agent?: string | undefined;
  readonly parallel?: number | undefined;
  readonly profile: Profile;
  /** What was wrong with an earlier work on the same plan; every worker is told. */
  readonly feedback?: readonly string[] | undefined;
  /** That work, where this one goes on from what it left. */
  readonly earlier?: EarlierWork | undefined;
  /** Whether nothing but this plan may be worked on: in a session another one has to be agreed on first. */
  readonly isPlanFixed?: boolean | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkEvent) => void;
}

/** Somebody for every part of a work. Close it after use. */
export interface OpenedWork {
  readonly setup: WorkSetup;
  /** Whether somebody can be asked for a check that nothing else can make. */
  readonly hasJudge: boolean;
  close(): Promise<void>;
}

/**
 * Finds who works, judges and reviews: whom `sworn.yaml` names under roles, by the role or as the
 * default, or whom the caller names.
 *
 * @throws SwornError `INPUT_INVALID` when nobody is named to work, or the profile wants somebody else to
 * look at it; `NOT_FOUND` when one is not here.
 */
export async function openWork(runner: AgentRunner, options: WorkOptions): Promise<OpenedWork> {
  const { scene } = runner;
  const { place, repository, env, home } = scene;
  const { root } = repository;
  const config = readConfig(root);
  const { work = {} } = config;
  const choose = (name: string | undefined): Promise<ChosenAgent> | undefined =>
    name === undefined ? undefined : chooseAgent(name, { root, env, home });
  const worker = await choose(options.agent ?? agentFor("worker", config));
  if (worker === undefined) throw nobody();
  const [reviewer, judge, planner] = [
    await choose(agentFor("reviewer", config, worker.name)),
    await choose(agentFor("judge", config, worker.name)),
    await choose(agentFor("planner", config)),
  ];
  const seats = workSeats({ worker, reviewer, judge }, options.profile);
  const onStep = (words: string) => options.onEvent({ about: "gates", words });
  const prover = new SealedProver(
    scene,
    judge && ((signal) => agentJudge({ runner, chosen: judge, task: LOOKING, signal, onStep })),
  );
  const maker = repository.commitMaker();
  const goingOn = async (one: Worker): Promise<Worker> =>
    options.earlier === undefined
      ? one
      : onEarlierWork(one, options.earlier, { place, repository, maker });
  const setup: WorkSetup = {
    ...{ place, repository, prover, maker, profile: options.profile },
    staging: new ProjectStaging(root),
    worker: await goingOn(told(new AgentWorker(runner, worker), options.feedback)),
    ...{ workerName: worker.name, seats },
    gates: {
      review: (seen) =>
        reviewer === undefined
          ? builtInReview({ ...seen, repository })
          : heard(agentReview(seen, repository, { runner, chosen: reviewer, task: LOOKING }), seen),
      tests: (seen) => testGate(seen, { prover, repository, argv: work.tests }),
    },
    replanner:
      planner === undefined || options.isPlanFixed
        ? undefined
        : agentReplanner({ runner, chosen: planner, task: LOOKING, onStep }, options.profile),
    weakenedBy: (before, after) => weakenedBy(repository, before, after),
    extract: async (...answer) => (await extracting()).outputFromProse(...answer),
    environment: scene.environment.reference,
    parallel: options.parallel ?? work.parallel ?? Math.min(PARALLEL_MAX, availableParallelism()),
    triesMax: 1 + (work.retries ?? (options.profile === "strict" ? RETRIES_STRICT : RETRIES)),
    ...{ signal: options.signal, onEvent: options.onEvent },
  };
  return { setup, hasJudge: judge !== undefined, close: () => prover.close() };
}

/** Silence ends nothing: the gate stays to be passed. What was called off is no silence. */
async function heard(reviewing: Promise<Reviewed>, { signal }: Seen) {
  const { isUnheard, ...word } = await reviewing;
  if (isUnheard && !signal.aborted) throw new Unheard("the reviewer", word.reasons.join("; "));
  return word;
}

/** Others' words about the last work stand in the prompt as data. */
function told(worker: Worker, feedback: readonly string[] = []): Worker {
  if (feedback.length === 0) return worker;
  const words = dataBlock("why the last work on this plan was not accepted", feedback.join("\n"));
  return {
    work: (order) => worker.work({ ...order, prompt: `${order.prompt}\n${words}\n` }),
    recover: async (...about) => worker.recover?.(...about),
  };
}

async function weakenedBy(
  repository: Repository,
  before: string,
  after: string,
): Promise<Weakened> {
  const { weakenedBetween } = await comparing();
  const found = await weakenedBetween(repository, before, after);
  const words = (severity: "weakened" | "note") =>
    found
      .filter((one) => one.severity === severity)
      .map(
        ({ path, line, message }) => `${path}${line === undefined ? "" : `:${line}`}: ${message}`,
      );
  return { weakened: words("weakened"), notes: words("note") };
}

function nobody(): SwornError {
  return new SwornError(
    "INPUT_INVALID",
    "nobody is named to work: expected --agent <name>, or in sworn.yaml roles: { worker: <name> }; sworn agents ls lists whom you could name",
  );
}
