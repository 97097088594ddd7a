import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/index.ts";
import { saidWork } from "../../claim/index.ts";
import type { EgressLogLine } from "../../egress/index.ts";
import type { RunTree } from "../../repo/index.ts";
import { collectOutput } from "../../run/collect/index.ts";
import type { RunFiles } from "../../run/files/index.ts";
import { AGENT_TREE, DONE_NAME, type Executed, OUTPUT_NAME } from "../../run/index.ts";
import type { Prepared, TaskEnd } from "../../sandbox/index.ts";
import type { Limits } from "../../schema/execution.ts";
import type { Observation } from "../../schema/observation.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import { changedBetween } from "../change/changed-between.ts";
import { type ExecRecord, json } from "../exec/exec-record.ts";
import { SPEND_NAME } from "../exec/run-budget.ts";
import type { Place } from "../place.ts";
import { toThousandths } from "./agent-budget.ts";
import type { AgentUse } from "./ceiling.ts";
import { judgeSaid, withWords } from "./judge-said.ts";
import { type JudgedWords, judgeWords } from "./judge-words.ts";
import { observationOf } from "./observation-of.ts";
import type { RerunScene } from "./rerun-tests.ts";
import type { AgentOutcome, AgentRequest } from "./run-agent.ts";
import { runRef } from "./run-ref.ts";
import { withSeenTrouble } from "./seen-trouble.ts";
import type { TaskBuses } from "./task-buses.ts";
import { testNotes, testsOfRun } from "./tests-of-run.ts";
import type { Heard } from "./watch-agent.ts";
import { wholeTests } from "./whole-tests.ts";

/** Of a longer output the beginning and the end are taken, where people sum up. Less than what is read for claims. */
const OUTPUT_BYTES_MAX = 900_000;
const OUTPUT_END_BYTES = 300_000;
const SAID_MAX = 100;
const SAID_CHARS_MAX = 1_000;
/** What a limit of the sandbox is called in an agent's settings. */
const SETTINGS: Readonly<Record<string, string>> = {
  step_seconds: "seconds",
  job_seconds: "seconds",
  stream_bytes: "output_bytes",
};

interface Ending {
  readonly place: Place;
  readonly buses: TaskBuses;
  readonly record: ExecRecord;
  readonly prepared: Pick<Prepared, "output">;
  readonly tree: RunTree;
  readonly files: RunFiles;
  readonly limits: Limits;
  /** An empty folder of ours. */
  readonly copies: string;
  readonly heard: Heard;
  readonly egress: readonly EgressLogLine[];
  /** What it left is on this reference, whatever comes next. */
  readonly onSaved?: (ref: string) => void;
  /** What tests are run once more with; without it they are not. */
  readonly again?:
    | Pick<RerunScene, "engine" | "root" | "repository" | "env" | "id" | "base">
    | undefined;
}

/**
 * Saves what an agent left before anything else is done with it, then holds what it says against
 * what was seen.
 */
export async function concludeAgent(
  request: Pick<AgentRequest, "agent" | "prompt" | "task" | "signal" | "since">,
  ending: Ending,
): Promise<AgentOutcome> {
  const { record, tree, files } = ending;
  const heard = { ...ending.heard, troubles: withSeenTrouble(ending.heard, ending.egress) };
  const ref = runRef(files.info.run_id);
  const saved = await tree.save(ref, `Run ${files.info.run_id} of ${request.agent}`);
  ending.onSaved?.(ref);
  const { own, isDone } = leftBy(ending);
  const { ran } = heard;
  const observed = ran.kind === "ran" ? ran.observed : undefined;
  const words = own ?? heard.answer;
  const run = ending.again && {
    text: words,
    repository: ending.again.repository,
    base: tree.base,
    saved,
    isLater: request.since !== undefined,
  };
  const seenRun = observationOf({ saved, folder: tree.folder, watch: heard.watch, observed });
  const { processes } = seenRun;
  const whole = run && (await wholeTests(run.repository, run.base));
  const tests = run && (await testsOfRun({ ...run, processes, whole }));
  const { seen, said: ofWork } = await judgeSaid(
    {
      said: saidWork(words, request.prompt, AGENT_TREE),
      whole,
      seen: seenRun,
      processes: observed?.processes,
      saved,
      earlier: await earlierChanges(request, ending, saved.commit),
    },
    ending.again && { ...ending.again, saved, limits: ending.limits, signal: request.signal },
    tests?.weakened,
  );
  const said = run && tests ? withWords(ofWork, await wordsOrDoubt(run, tests)) : ofWork;
  const info = files.finish({
    ...endOf(heard),
    wallMs: ending.place.clock(),
    output: own,
    fallback: fallbackOf(heard),
    more: { ref, ...errorOf(heard), said: toldOf(said) },
  });
  const artifacts = [
    json("run-info.json", info),
    json("observation.json", seen),
    json("said.json", said),
    json("use.json", heard.use),
    ...spendOf(heard.use),
    ...(ending.egress.length === 0 ? [] : [json("egress.json", ending.egress)]),
  ];
  const count = saved.changed.length === 1 ? "1 file" : `${saved.changed.length} files`;
  const summary = `${request.agent} ${wordsOf(info)} and changed ${count}, on ${ref}`;
  if (info.status === "completed") await record.completed(0, summary, artifacts);
  else await record.failed(summary, artifacts);
  await ending.buses.askAboutOverrides(request.task, `the output of ${request.agent}`, words);
  await ending.buses.ended(info, summary);
  const { use, troubles } = heard;
  const notes = testNotes(seen, tests);
  const left = { info, saved, said, use, troubles, isDone, notes };
  return { trace: record.trace, refused: undefined, ...left };
}

/** The work is saved by now: words that nobody can read are doubted, and keep no run from its end. */
async function wordsOrDoubt(...known: Parameters<typeof judgeWords>): Promise<JudgedWords[]> {
  try {
    return await judgeWords(...known);
  } catch (error) {
    const claim = { kind: "source", text: "what it says of the source" } as const;
    const reason = `it could not be read: ${messageOf(error)}`;
    return [{ claim, verdict: "UNVERIFIED", reason }];
  }
}

/** What all runs of a chain changed together; undefined for the first of them. */
async function earlierChanges(
  { since }: Pick<AgentRequest, "since">,
  { again }: Ending,
  commit: string,
): Promise<Observation["changed"] | undefined> {
  if (again === undefined || since === undefined) return undefined;
  return changedBetween(again.repository, since, commit);
}

/** What the agent put into its output, taken as any output is: no link of its making is followed. */
function leftBy({ prepared, limits, copies }: Ending): {
  own: string | undefined;
  isDone: boolean;
} {
  const { files } = collectOutput(prepared.output, limits, copies);
  const isDone = files.some(({ path }) => path === DONE_NAME);
  const found = files.find(({ path }) => path === OUTPUT_NAME);
  if (found === undefined) return { own: undefined, isDone };
  const bytes = readFileSync(join(copies, OUTPUT_NAME));
  if (bytes.length <= OUTPUT_BYTES_MAX) return { own: bytes.toString("utf8"), isDone };
  const begin = bytes.subarray(0, OUTPUT_BYTES_MAX - OUTPUT_END_BYTES).toString("utf8");
  const end = bytes.subarray(-OUTPUT_END_BYTES).toString("utf8");
  const left = bytes.length - OUTPUT_BYTES_MAX;
  return { own: `${begin}\n\n[${left} bytes left out here]\n\n${end}`, isDone };
}

/** What it cost, as far as that is known: it counts for the day's ceiling. */
function spendOf({ microUsd = 0 }: AgentUse) {
  return microUsd === 0 ? [] : [json(SPEND_NAME, { thousandths: toThousandths(microUsd) })];
}

function toldOf(said: AgentOutcome["said"]): RunInfo["said"] {
  return said.slice(0, SAID_MAX).map(({ claim, verdict, reason }) => ({
    text: beginningOf(claim.text),
    verdict,
    reason: beginningOf(reason),
  }));
}

/** Somebody's words as far as they are shown, and never half a character of them: no record takes that. */
function beginningOf(text: string): string {
  return text.slice(0, SAID_CHARS_MAX).toWellFormed();
}

/** Exit codes lie: an agent that got no answer from its model has not done what it was asked for. */
function endOf({ ran, troubles }: Heard): {
  exitCode: number | undefined;
  status: Exclude<RunInfo["status"], "running">;
} {
  if (ran.kind === "not-begun") return { exitCode: undefined, status: "failed" };
  const { code, limit } = ran.end;
  const isWell = code === 0 && limit === undefined && troubles.length === 0;
  const status = isWell ? "completed" : "failed";
  return { exitCode: code, status: limit === "cancelled" ? "cancelled" : status };
}

function errorOf({ ran, troubles: [trouble] }: Heard): Partial<RunInfo> {
  const how = ran.kind === "not-begun" ? brokenOf(ran) : howOf(ran.end);
  const told = trouble && toldTrouble(trouble);
  // A code says nothing of why; a limit, or whoever called it off, does.
  const why = how?.startsWith("exit code") && told ? `${how}; ${told}` : (how ?? told);
  return why === undefined ? {} : { error_summary: why };
}

/** What is no trouble with its model's service is the agent's own, or its program's. */
function toldTrouble({ why, message }: Heard["troubles"][number]): string {
  const words = beginningOf(message);
  return why === "other" ? words : `its model: ${words}`;
}

function brokenOf({ broken }: Extract<Executed, { kind: "not-begun" }>): string {
  return `the sandbox does not hold: ${broken.map(({ name }) => name).join(", ")}`;
}

function howOf({ code, signal, limit }: TaskEnd): string | undefined {
  if (limit !== undefined) {
    return limit === "cancelled" ? "called off" : `ended by ${SETTINGS[limit] ?? limit}`;
  }
  if (signal !== undefined) return `ended by ${signal}`;
  return code === 0 ? undefined : `exit code ${code}`;
}

function fallbackOf({ ran, answer }: Heard): string {
  if (answer !== "" || ran.kind === "not-begun") return answer;
  return ran.stdout.kept.toString("utf8");
}

function wordsOf({ status, error_summary }: RunInfo): string {
  return error_summary === undefined ? status : `${status} (${error_summary})`;
}
