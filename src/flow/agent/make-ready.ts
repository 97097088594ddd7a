import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as aMoment } from "node:timers/promises";
import type { AgentCommand } from "../../agent/index.ts";
import { messageOf } from "../../base/index.ts";
import type { RunTree } from "../../repo/index.ts";
import type { RunEnd, RunFiles } from "../../run/files/index.ts";
import { markKept, type RunFolder } from "../../run/index.ts";
import { type Engine, ownerOf, type Prepared, type Task } from "../../sandbox/index.ts";
import type { ExecRecord } from "../exec/exec-record.ts";
import type { RunnerScene } from "./agent-runner.ts";
import type { RunVoice } from "./end-children.ts";
import { instructionFiles } from "./instruction-files.ts";
import type { AgentRequest } from "./run-agent.ts";
import { openRunFiles } from "./watch-agent.ts";

/** What is allowed and about to begin. */
export interface ReadyRequest {
  readonly toolingFolder: string | undefined;
  readonly tree: RunTree;
  readonly task: Task;
  readonly command: AgentCommand;
  /** Writes down that it may begin. */
  readonly admitted: () => Promise<void>;
}

/** Where a run is made ready, and what is written about it. */
interface ReadyScene extends Pick<RunnerScene, "place" | "engine" | "buses"> {
  readonly folder: RunFolder;
  readonly record: ExecRecord;
}

/** A run that only has to be told to begin. */
interface Ready {
  readonly prepared: Prepared;
  readonly tooling: RunVoice | undefined;
  readonly files: RunFiles;
}

/**
 * All that comes before an agent may do something: that it may is on record, the run is said to begin,
 * can speak, and its sandbox stands. Where some of it fails, the run is over, and nothing of it stays open.
 */
export async function makeReady(
  request: AgentRequest,
  { place, engine, folder, record, buses }: ReadyScene,
  { toolingFolder, tree, task, command, admitted }: ReadyRequest,
): Promise<Ready> {
  const { argv, stdin } = command;
  let tooling: RunVoice | undefined;
  let preparing: Promise<Prepared> | undefined;
  let files: RunFiles | undefined;
  try {
    // First, because it takes longest; nothing in it begins before it is told to.
    preparing = prepare(engine, task, () => inputOf(stdin, folder));
    // Whatever went wrong with it is heard where it is waited for.
    preparing.catch(() => {});
    // Its programs are started in this moment, and build it while we write.
    await aMoment();
    await admitted();
    files = openRunFiles(request, place, { trace: record.trace, tree, argv });
    const { info } = files;
    markKept(folder, {
      ...{ store: place.store, task: request.task, run_id: info.run_id, agent: request.agent },
      ...{ trace: record.trace, base: tree.base, since: request.since },
      ...{ keeps: request.keeps, owner: ownerOf() },
    });
    await buses.started(info);
    for (const { path, text } of instructionFiles(tree.folder)) {
      await buses.askAboutOverrides(request.task, path, text);
    }
    request.onStarted?.(info);
    if (toolingFolder !== undefined) tooling = await request.openTooling?.(info, toolingFolder);
    return { prepared: await preparing, tooling, files };
  } catch (error) {
    await tooling?.close();
    await takeDown(preparing);
    // What went wrong first is what is told; a run that is not said to be over here is so by recoverRuns.
    if (files) await endUnstarted(files, { place, buses }, messageOf(error)).catch(() => {});
    throw error;
  }
}

async function takeDown(preparing: Promise<Prepared> | undefined): Promise<void> {
  const prepared = await preparing?.catch(() => undefined);
  prepared?.stop("it was not started");
  prepared?.release();
  await prepared?.end;
}

/** The sandbox has its own copy of the input's descriptor; ours is done with, whatever comes of it. */
async function prepare(
  engine: Engine,
  task: Task,
  input: () => number | undefined,
): Promise<Prepared> {
  const stdin = input();
  if (stdin === undefined) return engine.prepare(task);
  try {
    return await engine.prepare({ ...task, stdin });
  } finally {
    closeSync(stdin);
  }
}

/** A file without a name, because nothing may be able to answer through it. */
function inputOf(text: string | undefined, folder: RunFolder): number | undefined {
  if (text === undefined) return undefined;
  const path = join(folder.private("stdin"), "prompt");
  writeFileSync(path, text, { mode: 0o444 });
  const opened = openSync(path, "r");
  rmSync(path);
  return opened;
}

async function endUnstarted(
  files: RunFiles,
  { place, buses }: Pick<ReadyScene, "place" | "buses">,
  why: string,
): Promise<void> {
  const info = files.finish(notStarted(place.clock(), why));
  await buses.settled(info, `it was not started: ${why}`);
}

function notStarted(wallMs: number, why: string): RunEnd {
  return {
    exitCode: undefined,
    status: "failed",
    wallMs,
    output: undefined,
    fallback: "",
    more: { error_summary: `it was not started: ${why}` },
  };
}
