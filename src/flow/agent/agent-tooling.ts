import type { RunInfo } from "../../schema/run-info.ts";
import { ProjectVerbs } from "../tooling/project-verbs.ts";
import type { OpenMcp } from "../tooling/run-socket.ts";
import { openRunTooling } from "../tooling/run-tooling.ts";
import type { RunnerScene } from "./agent-runner.ts";
import type { Children } from "./children.ts";
import type { RunVoice } from "./end-children.ts";
import { roleOf } from "./task-buses.ts";

/** What stands behind a run's way to speak. */
export interface ToolingSetting {
  readonly scene: RunnerScene;
  readonly children: Children;
  readonly openMcp: OpenMcp | undefined;
  /** Told of failures that the agent hears nothing about. */
  readonly onFault: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens the way in which one run speaks to the runtime. Who it is was settled by the runner, before
 * it began; it ends with the run, and with everything that the run has asked for.
 */
export async function openAgentTooling(
  info: RunInfo,
  folder: string,
  { scene, children, openMcp, onFault, signal }: ToolingSetting,
): Promise<RunVoice> {
  const { place, repository, engine, env, buses } = scene;
  const verbs = new ProjectVerbs({
    place,
    source: { repository: repository.root, at: info.base, env, signal },
    delegate: async (asked) => ({ run_id: await children.delegate(asked) }),
    note: async ({ text }) => {
      buses.note(info.run_id, text);
      return { agent: info.agent, note: text };
    },
  });
  const speaker = {
    agent: info.agent,
    role: roleOf(info),
    task: info.task_id,
    run: info.run_id,
    depth: info.depth,
  } as const;
  const { functions } = verbs;
  const { owner } = engine;
  const tooling = await openRunTooling({ folder, speaker, functions, owner, openMcp, onFault });
  let closing: Promise<void> | undefined;
  const close = async () => {
    await tooling.close();
    await children.settle();
    await verbs.close();
  };
  return {
    asked: children.outcomes,
    close: (isStopped = false) => {
      if (isStopped) children.cancel();
      closing ??= close();
      return closing;
    },
  };
}
