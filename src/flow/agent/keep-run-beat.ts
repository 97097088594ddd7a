import { messageOf } from "../../base/index.ts";
import type { Repository, RunTree } from "../../repo/index.ts";
import type { Prepared } from "../../sandbox/index.ts";
import { requirementIds } from "../../scan/requirement/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { type KeptBeats, keepBeat, type SeenStatus } from "../beat/keep-beat.ts";
import { workspaceHash } from "../beat/workspace-hash.ts";
import type { ExecEnvironment } from "../exec/exec-environment.ts";
import { taskIn } from "./prompt-for.ts";
import type { AgentOutcome, AgentRequest } from "./run-agent.ts";
import type { TaskBuses } from "./task-buses.ts";

const GOALS_MAX = 40;
const BYTES_A_MEGABYTE = 1 << 20;

/** What there is to see of one run. */
export interface SeenRun {
  readonly buses: TaskBuses;
  readonly info: RunInfo;
  readonly prepared: Prepared;
  readonly tree: RunTree;
  readonly environment: ExecEnvironment;
  readonly repository: Repository;
  readonly beatMs: number | undefined;
}

/** The beats of a run, until it is over. */
export interface RunBeats {
  /** Says how it ended, for the beat in which it did. */
  end(outcome: AgentOutcome): Promise<void>;
  stop(): void;
}

/**
 * Keeps the beats of an agent's run on its task's bus. Everything in a status is what the runtime
 * sees: processes, the workspace, the environment. The agent's notes go along as notes.
 */
export async function keepRunBeat(request: AgentRequest, run: SeenRun): Promise<RunBeats> {
  const onFault = (error: unknown) =>
    request.onStep(`the status of ${run.info.agent}: ${messageOf(error)}`);
  try {
    const kept = await begin(request, run, onFault);
    return {
      stop: () => kept.stop(),
      end: (outcome) => end(request, run, kept, outcome).catch(onFault),
    };
  } catch (error) {
    // Nobody's work waits for a beat.
    onFault(error);
    return { stop: () => {}, end: async () => {} };
  }
}

async function begin(
  request: AgentRequest,
  run: SeenRun,
  onFault: (error: unknown) => void,
): Promise<KeptBeats> {
  const { buses, info, prepared, tree, beatMs } = run;
  const voice = await buses.voiceOf(info.task_id);
  const observe = () => [
    { ...commonOf(request, run, workspaceHash(tree.folder)), ...livingOf(prepared) },
  ];
  return keepBeat({ voice, phase: "work", beatMs, onFault, observe });
}

async function end(
  request: AgentRequest,
  run: SeenRun,
  kept: KeptBeats,
  { saved, info }: AgentOutcome,
): Promise<void> {
  const { tree } = await run.repository.commitFacts(saved?.commit ?? run.tree.base);
  const state = info?.status === "completed" ? "completed" : "failed";
  await kept.end([{ ...commonOf(request, run, tree), state }]);
}

/** An agent is alive because a process of it is there, whatever it says. */
function livingOf(prepared: Prepared): Pick<SeenStatus, "state" | "resources"> {
  const usage = prepared.usage();
  if (usage === undefined || usage.processes.length === 0) return { state: "idle" };
  const { peakBytes } = usage;
  const memory =
    peakBytes === undefined ? {} : { memory_mb: Math.ceil(peakBytes / BYTES_A_MEGABYTE) };
  return { state: "executing", resources: memory };
}

function commonOf(
  { prompt }: AgentRequest,
  { buses, info, environment }: SeenRun,
  workspace: string,
): Omit<SeenStatus, "state"> {
  const notes = buses.noteOf(info.run_id);
  return {
    agent_id: info.agent,
    task_id: info.task_id,
    ...(notes === undefined ? {} : { notes }),
    metadata: {
      run_id: info.run_id,
      image_digest: environment.digest,
      workspace_manifest_hash: workspace,
      goal_ids: goalsOf(prompt, info.task_id),
    },
  };
}

/** The requirements that its task names; where it names none, the task itself. */
function goalsOf(prompt: string, task: string): string {
  // What every agent is told names requirements as examples.
  const lines = taskIn(prompt).split("\n");
  const ids = new Set(lines.flatMap((line) => requirementIds(line)));
  return ids.size === 0 ? task : [...ids].slice(0, GOALS_MAX).join(" ");
}
