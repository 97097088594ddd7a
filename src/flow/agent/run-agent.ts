import { admit } from "../../admit/index.ts";
import type { ModelService, ProgramDriver } from "../../agent/index.ts";
import { later, messageOf, SwornError } from "../../base/index.ts";
import type { RunTree, SavedTree } from "../../repo/index.ts";
import { RunFolder } from "../../run/index.ts";
import { redact } from "../../scan/classify/index.ts";
import type { AgentEvent, AgentLimits } from "../../schema/agent.ts";
import type { RequestedArtifact } from "../../schema/index.ts";
import type { RunInfo, RunRole } from "../../schema/run-info.ts";
import { recordable } from "../exec/exec-facts.ts";
import { type ExecRefusal, refusalOf } from "../exec/exec-outcome.ts";
import { ExecRecord } from "../exec/exec-record.ts";
import { readConfig } from "../workflow-config.ts";
import { type AgentBudget, agentBudget } from "./agent-budget.ts";
import type { RunnerScene } from "./agent-runner.ts";
import { type AgentUse, Ceiling } from "./ceiling.ts";
import { childNotes, endChildren, type RunVoice } from "./end-children.ts";
import type { JudgedClaim } from "./judge-said.ts";
import { keepRunBeat } from "./keep-run-beat.ts";
import { type Ended, keepEnding } from "./kept-ending.ts";
import { makeReady, type ReadyRequest } from "./make-ready.ts";
import type { ModelPhase } from "./model-phase.ts";
import { planRun } from "./plan-run.ts";
import { taskIn } from "./prompt-for.ts";
import { watchAgent } from "./watch-agent.ts";

const concluding = later(() => import("./conclude-agent.ts"));

/** What shows a run: what is known of it, and what was seen. */
const EVIDENCE = ["run-info.json", "observation.json"];

/** One run of one agent. */
export interface AgentRequest {
  readonly agent: string;
  readonly driver: ProgramDriver;
  /** The model that it talks to; without one it talks to nobody. */
  readonly service?: ModelService | undefined;
  readonly limits: AgentLimits;
  readonly prompt: string;
  readonly task: string;
  /** What it judges others' work as, so that it can vote; without one it does work itself. */
  readonly role?: RunRole | undefined;
  /** The commit that it begins with. */
  readonly at?: string | undefined;
  /** A folder of its tree that it finds there, and that is saved whatever the project has git ignore. */
  readonly keeps?: string | undefined;
  readonly parent?: RunInfo | undefined;
  /** The run that it goes on from. */
  readonly previous?: RunInfo | undefined;
  /** The commit that the first run of its chain began with: what it says may be about all of them. */
  readonly since?: string | undefined;
  readonly signal: AbortSignal;
  /** How long it may take to end by itself when it is called off. */
  readonly graceMs?: number | undefined;
  /** It has an id and a folder, and is about to begin. */
  readonly onStarted?: ((info: RunInfo) => void) | undefined;
  /** Opens its way to speak to the runtime, in a folder that only its sandbox sees. */
  readonly openTooling?: ((info: RunInfo, folder: string) => Promise<RunVoice>) | undefined;
  readonly onEvent: (event: AgentEvent) => void;
  readonly onStep: (words: string) => void;
}

/** What came of it: the agent's word, and what was seen. */
export interface AgentOutcome {
  readonly trace: string;
  readonly refused: ExecRefusal | undefined;
  readonly info: RunInfo | undefined;
  readonly saved: SavedTree | undefined;
  readonly said: readonly JudgedClaim[];
  readonly use: AgentUse | undefined;
  /** What the agent says went wrong with its model, the last first; empty when it answered all the same. */
  readonly troubles: readonly Extract<AgentEvent, { kind: "error" }>[];
  /** Whether the agent asks for no further run: it left a file called DONE. */
  readonly isDone: boolean;
  /** What else is to be known of its tests, whatever it says of them. */
  readonly notes?: readonly string[];
  /** How long its model's service asked to be left alone, where the last thing that it said was that. */
  readonly leaveAloneMs?: number | undefined;
}

/** What a run needs while it lasts. */
interface Setting extends RunnerScene {
  readonly folder: RunFolder;
  readonly record: ExecRecord;
  readonly ceiling: Ceiling;
  readonly model: ModelPhase | undefined;
  readonly budget: AgentBudget["facts"];
  /** From the moment on that an agent may have done something, until that is saved. */
  isAtRisk: boolean;
  /** The reference that its work is on, from the moment on that it is. */
  savedOn: string | undefined;
}

/**
 * Runs an agent in a tree of its own, sealed off and watched from outside. Its tree ends on a
 * reference and its streams in its run's folder, however it ends; what it says it did is held
 * against what was seen.
 *
 * @throws SwornError `STORE_UNREADABLE` when its work could not be saved or its end not be recorded; it
 * says where the work still is.
 */
export async function runAgent(request: AgentRequest, scene: RunnerScene): Promise<AgentOutcome> {
  assertDepth(request, scene);
  await scene.buses.assertRole(request.task, request.agent, request.role);
  scene.engine.expectTask();
  const { spend } = readConfig(scene.repository.root).runs ?? {};
  const billed = { limits: request.limits, hasModel: request.service !== undefined };
  const { facts: budget, microUsdMax } = agentBudget(billed, spend, scene.place);
  const ceiling = new Ceiling(request.limits, microUsdMax);
  const folder = new RunFolder(scene.engine.owner, true);
  const record = new ExecRecord(scene.place);
  let setting: Setting | undefined;
  let tree: RunTree | undefined;
  try {
    const model = await modelOf(request, scene, folder, ceiling);
    setting = {
      ...scene,
      folder,
      record,
      ceiling,
      model,
      budget,
      isAtRisk: false,
      savedOn: undefined,
    };
    const commit = await scene.repository.resolveCommit(request.at ?? "HEAD");
    const own = folder.shared("tree");
    const { env, repository } = scene;
    const { owner } = scene.engine;
    const { keeps } = request;
    tree = await repository.openRunTree({ folder: own, commit, env, owner, keeps });
    return await decideAndWork(request, setting, tree);
  } catch (error) {
    await record.failed(messageOf(error), []).catch(() => {});
    throw setting?.isAtRisk ? keptIn(folder.path, error, setting) : error;
  } finally {
    record.close();
    await setting?.model?.close();
    // What could not be saved stays where it is.
    if (!setting?.isAtRisk) {
      tree?.remove();
      folder.remove();
    }
  }
}

/** From the chain of runs that the runtime knows, and from nothing that an agent says. */
function assertDepth({ agent, parent }: AgentRequest, { depthMax }: RunnerScene): void {
  if (parent === undefined || parent.depth < depthMax) return;
  throw new SwornError(
    "LIMIT_EXCEEDED",
    `${agent} was not started: ${parent.run_id} is ${parent.depth} runs deep already, at most ${depthMax}; let it do this itself`,
  );
}

async function modelOf(
  { service }: AgentRequest,
  { env, home, place }: RunnerScene,
  folder: RunFolder,
  ceiling: Ceiling,
): Promise<ModelPhase | undefined> {
  if (service === undefined) return undefined;
  // The proxy is a tenth of all that a run loads, and only those who reach a model need it.
  const { prepareModel } = await import("./model-phase.ts");
  const onRequest = () => ceiling.seeRequest();
  const options = { service, env, home, clock: place.clock, onRequest };
  return prepareModel(folder.shared("model"), options);
}

async function decideAndWork(
  request: AgentRequest,
  setting: Setting,
  tree: RunTree,
): Promise<AgentOutcome> {
  const { place, record, policies } = setting;
  const toolingFolder = request.openTooling && setting.folder.shared("tooling");
  const { task, facts, command } = await planRun(request, setting, tree, toolingFolder);
  const start = { moment: "start", ...facts };
  const decision = await admit(start, policies, [], place.clock);
  const asked = `${request.agent}: ${taskIn(request.prompt)}`;
  const about = { besides: [promptOf(request)], evidence: EVIDENCE };
  const admitted = () => record.admitted(asked, recordable(start), decision, about);
  if (decision.decision !== "allow") {
    await admitted();
    await record.ended("the policies refuse it");
    return refusedOutcome(record.trace, refusalOf(decision));
  }
  return work(request, setting, { toolingFolder, tree, task, command, admitted });
}

/** All that it was told. A record is handed on for years, so secrets leave it, as they do an entry. */
function promptOf({ prompt }: AgentRequest): RequestedArtifact {
  return {
    name: "prompt.md",
    text: redact(prompt.toWellFormed()).text,
    media_type: "text/markdown",
  };
}

function refusedOutcome(trace: string, refused: ExecRefusal | undefined): AgentOutcome {
  return {
    trace,
    refused,
    info: undefined,
    saved: undefined,
    said: [],
    use: undefined,
    troubles: [],
    isDone: false,
  };
}

async function work(
  request: AgentRequest,
  setting: Setting,
  asked: ReadyRequest,
): Promise<AgentOutcome> {
  const { place, engine, folder, record, ceiling, model, buses, beatMs } = setting;
  const { repository, env, environment } = setting;
  const { tree, task } = asked;
  const { limits } = task;
  const { prepared, tooling, files } = await makeReady(request, setting, asked);
  const { info } = files;
  const seen = { buses, info, prepared, tree, environment, repository, beatMs };
  // It never throws: the sandbox stands, and has to be taken down whatever happens.
  const beats = await keepRunBeat(request, seen);
  try {
    setting.isAtRisk = true;
    await model?.attach();
    const heard = await watchAgent(request, { place, prepared, files, limits, ceiling });
    noteEnding(request, folder, { heard, egress: model?.log ?? [], limits }, prepared.output);
    // From here on it can say nothing more, and what it said is all there.
    await endChildren(tooling, files, heard.ran);
    const copies = folder.private("copies");
    const egress = model?.log ?? [];
    const { concludeAgent } = await concluding();
    const outcome = await concludeAgent(request, {
      ...{ place, buses, record, prepared, tree, files, limits, copies, heard, egress },
      onSaved: (ref) => {
        setting.savedOn = ref;
      },
      again: {
        ...{ engine, repository, env, root: environment.root, id: `${task.id}-again` },
        base: request.since ?? tree.base,
      },
    });
    setting.isAtRisk = false;
    await beats.end(outcome);
    const notes = [...(outcome.notes ?? []), ...childNotes(tooling?.asked ?? [])];
    return { ...outcome, notes, leaveAloneMs: model?.leaveAloneMs() };
  } finally {
    beats.stop();
    files.close();
    prepared.stop("it is over");
    prepared.release();
    await prepared.end;
    await tooling?.close();
  }
}

/** Only who comes after a killed runtime reads it: where it cannot be written, the run goes on without. */
function noteEnding(
  { agent, onStep }: AgentRequest,
  folder: RunFolder,
  ended: Ended,
  output: string,
): void {
  try {
    keepEnding(folder, ended, output);
  } catch (error) {
    onStep(`that ${agent} has ended could not be written down: ${messageOf(error)}`);
  }
}

function keptIn(
  folder: string,
  cause: unknown,
  { savedOn: ref }: Pick<Setting, "savedOn">,
): SwornError {
  const why = messageOf(cause);
  const words =
    ref === undefined
      ? `the run could not be brought to its end: ${why}; what it left is still in ${folder}, and "sworn resume" goes on with it`
      : `the work of the run is saved on ${ref}, but the run could not be recorded to its end: ${why}; "sworn resume" ends it with what is in ${folder}`;
  return new SwornError("STORE_UNREADABLE", words, { cause });
}
