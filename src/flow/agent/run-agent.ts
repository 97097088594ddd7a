import { closeSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { admit } from "../../admit/index.ts";
import type { ProgramDriver } from "../../agent/index.ts";
import { messageOf, SwornError, ulid } from "../../base/index.ts";
import type { SaidWork } from "../../claim/index.ts";
import { loadPolicies, type Policies } from "../../policy/index.ts";
import { Repository, type RunTree, type SavedTree } from "../../repo/index.ts";
import type { RunEnd } from "../../run/files/index.ts";
import { RunFolder, reapRunFolders } from "../../run/index.ts";
import { BwrapEngine, type EngineRefusal, type Task } from "../../sandbox/index.ts";
import type { AgentEvent, AgentLimits } from "../../schema/agent.ts";
import { Limits } from "../../schema/execution.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { Reconciled } from "../../verify/observed/index.ts";
import { findExecEnvironment } from "../exec/exec-environment.ts";
import { factsOf, recordable } from "../exec/exec-facts.ts";
import { type ExecRefusal, refusalOf } from "../exec/exec-outcome.ts";
import { ExecRecord } from "../exec/exec-record.ts";
import { fixedEnvironment } from "../exec/fixed-environment.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy-source.ts";
import { setScene } from "./agent-scene.ts";
import { concludeAgent } from "./conclude-agent.ts";
import { openRunFiles, watchAgent } from "./watch-agent.ts";

/** One run of one agent. */
export interface AgentRequest {
  readonly agent: string;
  readonly driver: ProgramDriver;
  readonly limits: AgentLimits;
  readonly prompt: string;
  readonly task: string;
  readonly folder: string;
  readonly at?: string | undefined;
  readonly parent?: RunInfo | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly signal: AbortSignal;
  readonly placeFor: (root: string) => Place;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStep: (words: string) => void;
}

/** What came of it: the agent's word, and what was seen. */
export interface AgentOutcome {
  readonly trace: string;
  readonly refused: ExecRefusal | undefined;
  readonly info: RunInfo | undefined;
  readonly saved: SavedTree | undefined;
  readonly said: readonly (Reconciled & { readonly claim: SaidWork })[];
}

/** What a run needs while it lasts. */
interface Setting {
  readonly place: Place;
  readonly engine: BwrapEngine;
  readonly refusals: readonly EngineRefusal[];
  readonly repository: Repository;
  readonly policies: Policies;
  readonly folder: RunFolder;
  readonly record: ExecRecord;
  /** From the moment on that an agent may have done something, until that is saved. */
  isAtRisk: boolean;
}

/**
 * Runs an agent in a tree of its own, sealed off and watched from outside. Its tree ends on a
 * reference and its streams in its run's folder, however it ends; what it says it did is held
 * against what was seen.
 *
 * @throws SwornError `STORE_UNREADABLE` when its work could not be saved; it says where that still is.
 */
export async function runAgent(request: AgentRequest): Promise<AgentOutcome> {
  const engine = new BwrapEngine();
  const refusals = await engine.examine();
  // Not with the signal: whoever calls a run off wants its work saved.
  const repository = await Repository.open(request.folder, { env: request.env });
  const place = request.placeFor(repository.root);
  reapRunFolders(place.clock());
  const policies = await loadPolicies(policySource(place.state, [repository.root]));
  const folder = new RunFolder(engine.owner, true);
  const record = new ExecRecord(place);
  const setting: Setting = {
    ...{ place, engine, refusals, repository, policies, folder, record },
    isAtRisk: false,
  };
  let tree: RunTree | undefined;
  try {
    const commit = await repository.resolveCommit(request.at ?? "HEAD");
    const own = folder.shared("tree");
    tree = await repository.openRunTree({ folder: own, commit, env: request.env });
    return await decideAndWork(request, setting, tree);
  } catch (error) {
    await record.failed(messageOf(error), []).catch(() => {});
    throw setting.isAtRisk ? keptIn(folder.path, error) : error;
  } finally {
    record.close();
    await policies.close();
    repository.close();
    // What could not be saved stays where it is.
    if (!setting.isAtRisk) {
      tree?.remove();
      folder.remove();
    }
  }
}

async function decideAndWork(
  request: AgentRequest,
  setting: Setting,
  tree: RunTree,
): Promise<AgentOutcome> {
  const { place, record, policies } = setting;
  const { task, facts, stdin } = await planned(request, setting, tree);
  const start = { moment: "start", ...facts };
  const decision = await admit(start, policies, [], place.clock);
  await record.asked(`${request.agent}: ${request.prompt}`, recordable(start), []);
  await record.decided(decision);
  if (decision.decision !== "allow") {
    await record.ended("the policies refuse it");
    const refused = refusalOf(decision);
    return { trace: record.trace, refused, info: undefined, saved: undefined, said: [] };
  }
  await record.began();
  return work(request, setting, tree, task, stdin);
}

/** What is going to run and what is known about it, before anything of it does. */
async function planned(request: AgentRequest, setting: Setting, tree: RunTree) {
  const { place, engine, repository, refusals, folder } = setting;
  const { seconds } = await repository.commitFacts(tree.base);
  const { command, mounts, cwd, home } = setScene(request, folder, engine, tree.folder);
  const limits = limitsOf(request.limits);
  const environment = await findExecEnvironment("host", "bwrap", place.state);
  const fixed = fixedEnvironment({ seed: "0", sourceDateEpoch: seconds });
  const env = { ...fixed, HOME: home, ...command.env };
  const facts = factsOf({
    task: request.task,
    request: { argv: command.argv, engine: "bwrap", env: request.env, home: request.home },
    refusals,
    environment,
    env,
    mounts,
    pullHosts: undefined,
    limits,
    // Not asked yet: what an agent costs is known once its model can be reached.
    deniedLicences: [],
    budget: { spent_thousandths: 0, ceiling_thousandths: 0 },
    state: place.state,
  });
  const id = `agent-${ulid(place.clock()).toLowerCase()}`;
  const task: Task = { id, root: environment.root, argv: command.argv, cwd, env, mounts, limits };
  return { task, facts, stdin: command.stdin };
}

async function work(
  request: AgentRequest,
  setting: Setting,
  tree: RunTree,
  task: Task,
  input: string | undefined,
): Promise<AgentOutcome> {
  const { place, engine, folder, record } = setting;
  const { limits } = task;
  const files = openRunFiles(request, place, { trace: record.trace, tree, argv: task.argv });
  const stdin = inputOf(input, folder);
  const prepared = await engine
    .prepare({ ...task, ...(stdin === undefined ? {} : { stdin }) })
    .catch((error: unknown) => {
      files.finish(notStarted(place.clock(), messageOf(error)));
      throw error;
    })
    .finally(() => stdin !== undefined && closeSync(stdin));
  try {
    setting.isAtRisk = true;
    const heard = await watchAgent(request, { place, prepared, files, limits });
    const copies = folder.private("copies");
    const ending = { place, record, prepared, tree, files, limits, copies, heard };
    const outcome = await concludeAgent(request, ending);
    setting.isAtRisk = false;
    return outcome;
  } finally {
    files.close();
    prepared.stop("it is over");
    prepared.release();
    await prepared.end;
  }
}

function keptIn(folder: string, cause: unknown): SwornError {
  const what = `the run's work could not be saved: ${messageOf(cause)}`;
  return new SwornError("STORE_UNREADABLE", `${what}; it is still in ${folder}`, { cause });
}

function limitsOf({ seconds, output_bytes }: AgentLimits): Limits {
  return Limits.parse({ step_seconds: seconds, job_seconds: seconds, stream_bytes: output_bytes });
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
