import { type Clock, ulid } from "../../base/index.ts";
import type { RunTree } from "../../repo/index.ts";
import { fixedEnvironment, type RunFolder } from "../../run/index.ts";
import type { Task } from "../../sandbox/index.ts";
import { TOOLING } from "../../schema/execution.ts";
import { factsOf } from "../exec/exec-facts.ts";
import { deniedLicences } from "../exec/run-licences.ts";
import { toolingMount } from "../tooling/run-tooling.ts";
import { readConfig } from "../workflow-config.ts";
import type { AgentBudget } from "./agent-budget.ts";
import type { RunnerScene } from "./agent-runner.ts";
import { setScene } from "./agent-scene.ts";
import type { ModelPhase } from "./model-phase.ts";
import type { AgentRequest } from "./run-agent.ts";
import { sandboxLimits } from "./sandbox-limits.ts";

interface Planned extends RunnerScene {
  readonly folder: RunFolder;
  readonly model: ModelPhase | undefined;
  readonly budget: AgentBudget["facts"];
}

/** What is going to run and what is known about it, before anything of it does. */
export async function planRun(
  request: AgentRequest,
  setting: Planned,
  tree: RunTree,
  toolingFolder: string | undefined,
) {
  const { place, engine, repository, refusals, environment, folder, model } = setting;
  const { seconds } = await repository.commitFacts(tree.base);
  const laid = setScene({ ...request, endpoint: model?.inside }, folder, engine, tree.folder);
  const { command, cwd, home } = laid;
  const mounts = [...laid.mounts, ...waysOut(model, toolingFolder)];
  const limits = sandboxLimits(request.limits);
  const fixed = fixedEnvironment({ seed: "0", sourceDateEpoch: seconds });
  const path = toolingFolder === undefined ? {} : { PATH: `${TOOLING.bin}:${fixed["PATH"]}` };
  const env = { ...fixed, ...path, HOME: home, ...command.env };
  const facts = factsOf({
    task: request.task,
    request: { argv: command.argv, engine: "bwrap", env: setting.env, home: setting.home },
    refusals,
    environment,
    env,
    mounts,
    pullHosts: undefined,
    limits,
    deniedLicences: await licencesIn(tree, setting),
    budget: setting.budget,
    state: place.state,
  });
  const egress = model && { egress: { mode: "model", hosts: [model.host] } };
  const task: Task = {
    id: taskId(place.clock),
    root: environment.root,
    // What observes and records an agent knows it by its own words; the relay before it is ours.
    argv: model === undefined ? command.argv : model.command(command.argv),
    ...{ cwd, env, mounts, limits },
    isObserved: true,
  };
  return { task, facts: { ...facts, ...egress }, command };
}

/** What the commit's lockfiles pin and `sworn.yaml` denies; where it denies nothing, nobody looks. */
async function licencesIn(tree: RunTree, setting: Planned): Promise<string[]> {
  const { repository, environment } = setting;
  const { licences } = readConfig(repository.root).runs ?? {};
  if (licences === undefined || licences.deny.length === 0) return [];
  const paths: string[] = [];
  for await (const { path } of repository.listTree(tree.base)) paths.push(path);
  const input = { root: repository.root, paths };
  const request = { pull: [], isPinned: false };
  return deniedLicences({ environment, input, inputFolder: tree.folder, request }, licences);
}

function waysOut(model: ModelPhase | undefined, toolingFolder: string | undefined) {
  return [
    ...(model === undefined ? [] : [{ ...model.mount, kind: "proxy" as const }]),
    ...(toolingFolder === undefined ? [] : [toolingMount(toolingFolder)]),
  ];
}

function taskId(clock: Clock): string {
  return `agent-${ulid(clock()).toLowerCase()}`;
}
