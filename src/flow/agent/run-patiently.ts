import { setTimeout as wait } from "node:timers/promises";
import type { AgentRunner } from "./agent-runner.ts";
import { isWorthWaiting } from "./model-pace.ts";
import { REPEATS_MAX } from "./restart-loop.ts";
import type { AgentOutcome, AgentRequest } from "./run-agent.ts";

const PAUSE_MS = 1_000;

/**
 * One run, and the very same once more for as long as a busy model is all that came of it: nothing of
 * the run before is seen by the next one. The pace of the model is kept by the runner.
 */
export async function runPatiently(
  runner: Pick<AgentRunner, "run">,
  request: AgentRequest,
  pauseMs = PAUSE_MS,
): Promise<AgentOutcome> {
  const { agent, signal, onStep } = request;
  for (let repeats = 0; ; repeats += 1) {
    const outcome = await runner.run(request);
    const isOver = signal.aborted || outcome.info?.status === "cancelled";
    if (isOver || repeats === REPEATS_MAX || !isWorthWaiting(outcome)) return outcome;
    onStep(`${agent} is asked again: its model was busy or away`);
    await wait(pauseMs, undefined, { signal }).catch(() => {});
  }
}
