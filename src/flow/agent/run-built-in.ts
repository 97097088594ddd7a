import { join } from "node:path";
import { later, messageOf } from "../../base/index.ts";
import { RunFiles } from "../../run/files/index.ts";
import { ownerOf } from "../../sandbox/index.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { RunnerScene } from "./agent-runner.ts";

const reviewing = later(() => import("./builtin-agent.ts"));

/** The built-in reviewers, asked to look at a commit or a change. */
export interface BuiltInRun {
  readonly agent: string;
  readonly config: Extract<AgentConfig, { driver: "builtin" }>;
  readonly task: string;
  /** A range such as `main..change`; without one, all of a commit. */
  readonly range?: string | undefined;
  readonly at?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs the built-in reviewers as an agent's run: with a folder, on the task's bus, and with a report
 * that counts like anybody's. They are our own code and read git's objects; no sandbox, no tree.
 */
export async function runBuiltInReviewers(
  { agent, config, task, range, at, signal }: BuiltInRun,
  { place, repository, buses }: Pick<RunnerScene, "place" | "repository" | "buses">,
): Promise<RunInfo> {
  const base = await repository.resolveCommit(at ?? "HEAD");
  const what = range === undefined ? `the tree of ${base}` : range;
  const files = RunFiles.create(
    join(place.store, "tasks", task, "runs"),
    {
      project_id: place.store,
      task_id: task,
      parent_run_id: null,
      previous_run_id: null,
      depth: 0,
      agent,
      cwd: repository.root,
      pid: process.pid,
      runner: ownerOf(),
      base,
    },
    `Review ${what}.\n`,
    place.clock(),
  );
  const look = async (): Promise<Looked> => {
    await buses.started(files.info);
    const wanted =
      range === undefined
        ? ({ kind: "tree", at: base } as const)
        : ({ kind: "change", range } as const);
    // One at least: with none nobody would look at anything.
    const threads = Math.max(1, place.threads);
    const { runBuiltInAgent } = await reviewing();
    const work = await runBuiltInAgent({ config, repository, wanted, threads, signal });
    const { status } = work.report;
    const isDone = status !== "failed" && status !== "cancelled";
    return { output: work.output, error: isDone ? undefined : `the review ${status}` };
  };
  try {
    const looked = await look().catch(async (error: unknown) => {
      await finish(files, buses, place.clock(), { error: messageOf(error) });
      throw error;
    });
    // Once, whoever can be told of it or not: what was done does not fail afterwards.
    return await finish(files, buses, place.clock(), looked);
  } finally {
    files.close();
  }
}

/** What the reviewers came to. */
interface Looked {
  readonly output?: string;
  readonly error?: string | undefined;
}

async function finish(
  files: RunFiles,
  buses: RunnerScene["buses"],
  wallMs: number,
  { output, error }: Looked,
): Promise<RunInfo> {
  const info = files.finish({
    exitCode: error === undefined ? 0 : 1,
    status: error === undefined ? "completed" : "failed",
    wallMs,
    output,
    fallback: "",
    ...(error === undefined ? {} : { more: { error_summary: error } }),
  });
  await buses.ended(info, error ?? "the built-in reviewers looked at it");
  return info;
}
