import { closeSync } from "node:fs";
import { admit } from "../../admit/index.ts";
import { messageOf, ulid } from "../../base/index.ts";
import type { PullKind } from "../../egress/index.ts";
import { loadPolicies, type Policies } from "../../policy/index.ts";
import {
  type Executed,
  execute,
  fixedEnvironment,
  RunFolder,
  reapFolders,
} from "../../run/index.ts";
import type { Engine, Mount, Prepared } from "../../sandbox/index.ts";
import type { AdmissionDecision } from "../../schema/admission.ts";
import { type ExecutionPlan, Limits, WORKSPACE } from "../../schema/execution.ts";
import { type FoundException, findExceptions, standing } from "../exception/standing-exceptions.ts";
import { tellOf } from "../exception/tell-of.ts";
import type { Place } from "../place.ts";
import { policySource } from "../policy/policy-source.ts";
import { assertAskable } from "./assert-askable.ts";
import { concludeRun } from "./conclude-run.ts";
import { openEngine } from "./engine-choice.ts";
import { type ExecEnvironment, findExecEnvironment } from "./exec-environment.ts";
import { factsOf, recordable } from "./exec-facts.ts";
import { type ExecInput, takeInput } from "./exec-input.ts";
import {
  type ExecOutcome,
  type ExecRefusal,
  instantOf,
  refusalOf,
  refused,
} from "./exec-outcome.ts";
import { ExecRecord, json } from "./exec-record.ts";
import { PLAN_NAME, planOf } from "./execution-plan.ts";
import { reapHeld } from "./held-output.ts";
// The file itself is loaded by runs that pull: its proxy is a tenth of all that a command loads.
import type { PullPhase } from "./pull-phase.ts";
import { SPEND_NAME } from "./run-budget.ts";
import { gatesOf } from "./run-gates.ts";
import { isSocket, taskInput } from "./task-input.ts";
import { inTree } from "./work-copy.ts";

/** What a person asked to have run. */
export interface ExecRequest {
  readonly argv: readonly string[];
  readonly folder: string;
  /** The commit whose files are the input; the current one by default. */
  readonly at?: string | undefined;
  /** The folder of the repository that the command starts in; where its caller stands by default. */
  readonly start?: string | undefined;
  readonly environment: string;
  /** Why that environment, in words; it stands in the plan. */
  readonly rationale: string;
  /** What the task is about, where somebody said so. */
  readonly description?: string | undefined;
  /** What the task is called; a name for this run alone by default. Exceptions go by it. */
  readonly task?: string | undefined;
  readonly engine: "bwrap" | "docker";
  readonly pull: readonly PullKind[];
  /** Only what the commit's lockfile pins can be pulled. */
  readonly isPinned: boolean;
  /** Only an installation before the command may pull, and the command itself nothing. */
  readonly installs: boolean;
  /** Where the output is copied to; must not exist or be empty. */
  readonly out: string | undefined;
  readonly limits: Partial<Limits>;
  /** What it may cost, in thousandths of a unit; a ceiling must allow it. */
  readonly spendThousandths: number;
  readonly seed: string;
  readonly stdin: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The user's state folder. */
  readonly state: string;
  readonly signal: AbortSignal;
  readonly placeFor: (root: string) => Place;
  readonly onStep: (words: string) => void;
  readonly onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void;
}

/** Everything that one run holds while it lasts. */
export interface ExecScene {
  readonly request: ExecRequest;
  readonly place: Place;
  readonly policies: Policies;
  readonly engine: Engine;
  readonly environment: ExecEnvironment;
  readonly input: ExecInput;
  readonly inputFolder: string;
  readonly folder: RunFolder;
  readonly limits: Limits;
  /** This run, among all. */
  readonly run: string;
  readonly task: string;
  readonly exceptions: readonly FoundException[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly pull: PullPhase | undefined;
  readonly facts: ReturnType<typeof factsOf>;
  readonly record: ExecRecord;
}

/**
 * Runs one command sealed off: the policies decide first, the sandbox is looked at from inside, and
 * only then the command begins. What it leaves behind is judged before it counts.
 */
export function exec(request: ExecRequest): Promise<ExecOutcome> {
  return withScene(request, decideAndRun);
}

/** What a run would do and whether the policies would let it, without starting or recording anything. */
export function dryRun(
  request: ExecRequest,
): Promise<{ plan: ExecutionPlan; refused: ExecRefusal | undefined }> {
  return withScene(request, async (scene) => {
    const { facts, policies, exceptions, place } = scene;
    const start = { moment: "start", ...facts };
    const decision = await admit(start, policies, standing(exceptions), place.clock);
    const refusal = decision.decision === "allow" ? undefined : refusalOf(decision);
    return { plan: planOf(scene), refused: refusal };
  });
}

async function withScene<T>(
  request: ExecRequest,
  use: (scene: ExecScene) => Promise<T>,
): Promise<T> {
  assertAskable(request);
  const engine = await openEngine(request, request.state);
  const refusals = await engine.examine();
  const folder = new RunFolder(engine.owner);
  let pull: PullPhase | undefined;
  let policies: Policies | undefined;
  let record: ExecRecord | undefined;
  try {
    const inputFolder = folder.shared("input");
    const input = await takeInput(request, inputFolder);
    const place = request.placeFor(input.root);
    reapFolders(place.clock());
    reapHeld(place);
    // What others left behind is no reason not to run; an engine that is not there says so itself.
    await engine.reap().catch(() => 0);
    const environment = await findExecEnvironment(request.environment, request.engine, place.state);
    const limits = Limits.parse(request.limits);
    if (request.pull.length > 0) {
      const { preparePull } = await import("./pull-phase.ts");
      pull = await preparePull(folder.shared("pull"), {
        kinds: request.pull,
        lockfile: input.lockfile,
        installs: request.installs,
        env: request.env,
        home: request.home,
        jobSeconds: limits.job_seconds,
        clock: place.clock,
      });
    }
    const run = `run-${ulid(place.clock()).toLowerCase()}`;
    const task = request.task ?? run;
    const env = {
      ...fixedEnvironment({ seed: request.seed, sourceDateEpoch: input.seconds }),
      ...pull?.env,
    };
    const inputMount = { source: inputFolder, target: WORKSPACE.input, isWritable: false };
    const facts = factsOf({
      task,
      request,
      refusals,
      environment,
      env,
      mounts: [
        { ...inputMount, kind: "input" },
        ...(pull ? [{ ...pull.mount, kind: "proxy" as const }] : []),
      ],
      pullHosts: pull?.hosts,
      limits,
      ...gatesOf(place, { environment, input, inputFolder, request }),
      state: place.state,
    });
    policies = await loadPolicies(policySource(place.state, [input.root]));
    record = new ExecRecord(place);
    return await use({
      request,
      place,
      policies,
      engine,
      environment,
      input,
      inputFolder,
      folder,
      limits,
      run,
      task,
      exceptions: await findExceptions(place),
      env,
      mounts: [inputMount, ...(pull ? [pull.mount] : [])],
      pull,
      facts,
      record,
    });
  } finally {
    record?.close();
    await pull?.close();
    await policies?.close();
    folder.remove();
  }
}

async function decideAndRun(scene: ExecScene): Promise<ExecOutcome> {
  const { record, facts, request, policies, place } = scene;
  const start = { moment: "start", ...facts };
  const decision = await admit(start, policies, standing(scene.exceptions), place.clock);
  tellOf(scene.exceptions, decision, request.onStep);
  await record.asked(request.argv.join(" "), recordable(start), besides(scene));
  await record.decided(decision);
  if (decision.decision !== "allow") {
    await record.ended("the policies refuse it");
    return refused(scene, refusalOf(decision));
  }
  request.onStep(`admitted by the policies ${decision.policy_digest.slice(0, 12)}`);
  await record.began();
  try {
    return await runAdmitted(scene, decision);
  } catch (error) {
    await record.failed(messageOf(error), []).catch(() => {});
    throw error;
  }
}

/** What else is known before anything is made, where there is any. */
function besides(scene: ExecScene) {
  const { exceptions, request } = scene;
  const thousandths = request.spendThousandths;
  return [
    json(PLAN_NAME, planOf(scene)),
    ...(exceptions.length === 0 ? [] : [json("exceptions.json", exceptions)]),
    ...(thousandths === 0 ? [] : [json(SPEND_NAME, { thousandths })]),
  ];
}

async function runAdmitted(scene: ExecScene, decision: AdmissionDecision): Promise<ExecOutcome> {
  const { request, engine, environment, limits, env, mounts, pull } = scene;
  const { folder } = scene.input;
  const startedAt = instantOf(scene.place);
  const stdin = taskInput(request.stdin, scene.folder.private("stdin"));
  if (stdin === undefined && isSocket(request.stdin)) {
    request.onStep("standard input is a socket, which no task is given; use a pipe or a file");
  }
  const task = {
    id: scene.run,
    root: environment.root,
    ...(pull?.command(request.argv, folder) ?? { argv: inTree(request.argv, { folder }) }),
    cwd: WORKSPACE.data,
    env,
    mounts,
    limits,
    ...(stdin === undefined ? {} : { stdin }),
  };
  const prepared = await engine.prepare(task).finally(() => {
    // The task has its own by now.
    if (stdin !== undefined && stdin !== request.stdin) closeSync(stdin);
  });
  try {
    request.onStep(`${prepared.controls.length} controls looked at from inside`);
    await pull?.attach();
    const ran = await execute(prepared, { ...request, limits, between: pull?.between });
    await pull?.close();
    if (didNotInstall(ran)) request.onStep("the installation failed, so the command was not run");
    if (ran.kind === "not-begun") return await notBegun(scene, ran, prepared);
    const outcome = await concludeRun(scene, { decision, prepared, ran, startedAt });
    return didNotInstall(ran) ? { ...outcome, isNotInstalled: true } : outcome;
  } finally {
    prepared.release();
    await prepared.end;
  }
}

function didNotInstall(ran: Executed): boolean {
  return ran.kind === "ran" && ran.before !== undefined && ran.before.code !== 0;
}

async function notBegun(
  scene: ExecScene,
  { broken }: Extract<Executed, { kind: "not-begun" }>,
  { controls }: Prepared,
): Promise<ExecOutcome> {
  const [first] = broken;
  const rule = `X.${first?.name ?? "controls"}`;
  const reason = `the sandbox does not hold: ${broken.map(({ name, seen }) => `${name} (${seen})`).join("; ") || "it reported nothing"}`;
  await scene.record.failed(reason, [json("controls.json", controls)]);
  return refused(scene, { rule, reason });
}
