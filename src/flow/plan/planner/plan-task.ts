import type { AgentEvent } from "../../../schema/agent.ts";
import type { AgentRunner } from "../../agent/agent-runner.ts";
import { agentAsk } from "./agent-ask.ts";
import { choosePlanner } from "./choose-planner.ts";
import {
  type PlanningOutcome,
  type PlanningRequest,
  planRequest,
  taskNameOf,
} from "./plan-request.ts";

/** What is to be planned, by whom, and who watches. */
export interface PlanTaskRequest extends PlanningRequest {
  /** The agent's name; by default the one that has the role. */
  readonly agent: string | undefined;
  /** The commit that is planned for; the last one of the branch where none is named. */
  readonly at?: string | undefined;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStep: (words: string) => void;
}

/**
 * Plans a request with an agent that runs in sandboxes, each phase on the same commit. The runner
 * must give agents no way to speak: whoever answers blind could otherwise ask for the plan.
 */
export async function planTask(
  asked: PlanTaskRequest,
  runner: AgentRunner,
): Promise<PlanningOutcome> {
  const { repository, place, env, home } = runner.scene;
  const { root } = repository;
  const chosen = await choosePlanner(asked.agent, { root, env, home });
  const at = await repository.resolveCommit(asked.at ?? "HEAD");
  // A program can be a script of the project, which it needs; any other agent brings its own.
  const isOfProject = chosen.config.driver === "command";
  const blindAt = isOfProject ? at : await repository.commitMaker().empty("Nothing to see");
  const files = new Set<string>();
  for await (const { path } of repository.listTree(at)) files.add(path);
  const task = asked.task ?? taskNameOf(asked.request);
  const { signal, onEvent, onStep } = asked;
  return planRequest(
    { ...asked, task },
    {
      ...{ place, root, signal, onStep },
      agent: chosen.name,
      commit: at,
      ask: agentAsk({ runner, chosen, task, at, blindAt, onEvent, onStep }),
      isFile: (path) => files.has(path),
    },
  );
}
