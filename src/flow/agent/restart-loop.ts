import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { sha256Hex } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { AgentRunner } from "./agent-runner.ts";
import { isPassing, isWorthWaiting } from "./model-pace.ts";
import { CONTINUE } from "./prompt-for.ts";
import type { AgentOutcome, AgentRequest } from "./run-agent.ts";

const PAUSE_MS = 1_000;
/** So many runs in a row that change nothing and say the same are going nowhere. */
const IDLE_RUNS_MAX = 2;
/** How often a run is repeated because its model was busy, in a row: a limit by the minute is outlasted. */
export const REPEATS_MAX = 5;

export interface LoopOptions {
  /** The most runs, those aside that a busy model ended. */
  readonly roundsMax: number;
  readonly pauseMs?: number;
  readonly onRun?: (outcome: AgentOutcome) => void;
}

/** Why no further run was started. */
export type LoopEnd =
  | "done"
  /** All rounds are used up without it having said that it is done. */
  | "rounds"
  | "stagnation"
  | "refused"
  | "cancelled"
  /** Its model refuses it, or was busy for too long. */
  | "model";

/** What came of a chain of runs; the last one is what counts. */
export interface LoopOutcome {
  readonly end: LoopEnd;
  readonly runs: readonly AgentOutcome[];
  readonly last: AgentOutcome;
}

/**
 * Runs an agent again and again, each time on what the run before it left, until it says that it is
 * done. An exit code alone ends nothing; bounds do, and two runs that move nothing.
 */
export async function runUntilDone(
  runner: AgentRunner,
  request: AgentRequest,
  options: LoopOptions,
): Promise<LoopOutcome> {
  const count = new Count(options.roundsMax);
  const runs: AgentOutcome[] = [];
  for (;;) {
    const before = runs.at(-1);
    const since = runs[0]?.info?.base;
    const last = await runner.run(
      nextRequest({ ...request, since: request.since ?? since }, before),
    );
    runs.push(last);
    options.onRun?.(last);
    const end = endOf(last, request) ?? count.take(last, before);
    if (end !== undefined) return { end, runs, last };
    request.onStep(`${request.agent} is started again: ${whyAgain(last)}`);
    // The pace of a busy model is kept by the runner; this is for the agent itself.
    const pauseMs = options.pauseMs ?? PAUSE_MS;
    await wait(pauseMs, undefined, { signal: request.signal }).catch(() => {});
  }
}

function whyAgain({ troubles: [trouble], isDone }: AgentOutcome): string {
  if (trouble?.why === "busy") return "its model was busy";
  if (trouble?.why === "unavailable") return "its model could not be reached";
  if (trouble !== undefined) return "it ended without an answer";
  return isDone
    ? "it says that it is done, and did not end well"
    : "it has not said that it is done";
}

/** Counts runs, each for what it was: a round, a repetition, or one that moved nothing. */
class Count {
  readonly #roundsMax: number;
  #rounds = 0;
  #repeats = 0;
  #idle = 0;

  constructor(roundsMax: number) {
    this.#roundsMax = roundsMax;
  }

  /** Why there should be no further run, if so. */
  take(last: AgentOutcome, before: AgentOutcome | undefined): LoopEnd | undefined {
    const trouble = troubleOf(last);
    if (trouble === "refused") return "model";
    if (trouble === "repeat") {
      this.#repeats += 1;
      return this.#repeats > REPEATS_MAX ? "model" : undefined;
    }
    this.#repeats = 0;
    this.#rounds += 1;
    this.#idle = before !== undefined && isSame(before, last) ? this.#idle + 1 : 0;
    if (this.#idle >= IDLE_RUNS_MAX) return "stagnation";
    return this.#rounds >= this.#roundsMax ? "rounds" : undefined;
  }
}

function nextRequest(request: AgentRequest, before: AgentOutcome | undefined): AgentRequest {
  const { info, saved } = before ?? {};
  return info === undefined || saved === undefined
    ? request
    : continuing(request, info, saved.commit);
}

/** The same task once more, on what an earlier run left of it. */
export function continuing(request: AgentRequest, previous: RunInfo, at: string): AgentRequest {
  const prompt = request.prompt.startsWith(CONTINUE)
    ? request.prompt
    : `${CONTINUE}\n\n${request.prompt}`;
  return { ...request, prompt, at, previous, since: request.since ?? previous.base };
}

function endOf({ refused, info, isDone }: AgentOutcome, request: AgentRequest) {
  if (refused !== undefined) return "refused";
  if (info?.status === "cancelled" || request.signal.aborted) return "cancelled";
  return isDone && info?.status === "completed" ? "done" : undefined;
}

/** Whether its model is why it got nowhere, and whether that may pass. Exit codes do not tell. */
function troubleOf(outcome: AgentOutcome): "repeat" | "refused" | undefined {
  const why = outcome.troubles[0]?.why;
  if (why === "credential" || why === "quota") return "refused";
  if (!isPassing(outcome)) return undefined;
  return isWorthWaiting(outcome) ? "repeat" : "refused";
}

/** The same files, and the same words about them. */
function isSame(one: AgentOutcome, other: AgentOutcome): boolean {
  return one.saved?.commit === other.saved?.commit && wordsIn(one) === wordsIn(other);
}

function wordsIn({ info }: AgentOutcome): string {
  if (info === undefined) return "";
  // Its own id is in what the runner wrote; what counts is what the agent said.
  const path = info.output_origin === "agent" ? info.output_path : info.stdout_path;
  return sha256Hex(readFileSync(path));
}
