import { readFileSync } from "node:fs";
import { SwornError } from "../../../base/index.ts";
import type { AgentEvent } from "../../../schema/agent.ts";
import type { RunInfo } from "../../../schema/run-info.ts";
import type { AgentRunner } from "../../agent/agent-runner.ts";
import type { ChosenAgent } from "../../agent/choose-agent.ts";
import { whyFailed } from "../../agent/complaint.ts";
import type { AgentOutcome } from "../../agent/run-agent.ts";
import { runPatiently } from "../../agent/run-patiently.ts";
import type { Ask, Asked, Heard } from "./ask.ts";

/** Whose agent plans, and who watches. */
export interface PlannerAgent {
  readonly runner: AgentRunner;
  readonly chosen: ChosenAgent;
  readonly task: string;
  /** The commit that is planned from. */
  readonly at: string;
  /** The commit that whoever answers blind sees: an earlier plan may lie in the other one. */
  readonly blindAt: string;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStep: (words: string) => void;
}

/**
 * Asks an agent, each time in a run of its own that knows nothing of the others: its tree is the
 * commit, and it has no way to speak to the runtime or to read the board. The runtime counts its uses
 * of tools, or the programs of an agent that tells of none, and ends it at the ceiling.
 */
export function agentAsk(planner: PlannerAgent): Ask {
  return async (asked) => {
    let answer = "";
    const began = planner.runner.scene.place.clock();
    const outcome = await runPatiently(planner.runner, {
      ...requestOf(planner, asked),
      onEvent: (event) => {
        if (event.kind === "answer") answer = event.text;
        planner.onEvent(event);
      },
    });
    const ms = planner.runner.scene.place.clock() - began;
    return { ...heardOf(outcome, answer), ms };
  };
}

function requestOf(
  { chosen, task, onStep, ...planner }: PlannerAgent,
  { step, prompt, toolCalls, signal }: Asked,
) {
  const at = step === "answer" ? planner.blindAt : planner.at;
  const { name, driver, service, config } = chosen;
  const limits = { ...config.limits, tool_calls: toolCalls };
  return { agent: name, driver, service, limits, prompt, task, at, signal, onStep };
}

/**
 * @throws SwornError `SANDBOX_REFUSED` when the policies do not let it begin: asking again changes nothing.
 * @throws DOMException `AbortError` when somebody called it off: that was meant for the planning, and not for one try.
 */
function heardOf(outcome: AgentOutcome, answer: string): Omit<Heard, "ms"> {
  const { refused, info, use, troubles } = outcome;
  if (refused !== undefined || info === undefined) {
    const why = refused === undefined ? "it has no run" : `${refused.rule}: ${refused.reason}`;
    throw new SwornError("SANDBOX_REFUSED", `the agent that plans was not started: ${why}`);
  }
  if (info.status === "cancelled") {
    throw new DOMException("the planning was called off", "AbortError");
  }
  const isWell = info.status === "completed" && troubles.length === 0;
  return {
    text: info.output_origin === "agent" ? readFileSync(info.output_path, "utf8") : answer,
    toolCalls: use?.toolCalls ?? 0,
    countedBy: use?.toolCallsBy ?? "nothing",
    failure: isWell ? undefined : whyNot(info),
    run: info.run_id,
  };
}

function whyNot(info: RunInfo): string {
  const why = whyFailed(info);
  return `the run ${info.status}${why === undefined ? "" : `: ${why}`}`;
}
