import { readFileSync } from "node:fs";
import * as z from "zod";
import { counted, messageOf, SwornError } from "../../base/index.ts";
import type { AgentRunner } from "../../flow/agent/agent-runner.ts";
import { chooseAgent } from "../../flow/agent/choose-agent.ts";
import { type RecoveredRun, recoverRuns } from "../../flow/agent/recover-runs.ts";
import { continuing, type LoopOutcome, runUntilDone } from "../../flow/agent/restart-loop.ts";
import type { Place } from "../../flow/place.ts";
import { isOfPlanning } from "../../flow/plan/planner/unfinished-plannings.ts";
import {
  isOfSession,
  openSessions,
  resumeSession,
  worksOfSessions,
} from "../../flow/session/resume-session.ts";
import type { SessionOutcome } from "../../flow/session/run-session.ts";
import { goOnWithWork, isOfWork } from "../../flow/work/do-work.ts";
import { type WorkOutcome, worksOf } from "../../flow/work/work.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import {
  agentProgress,
  chainExit,
  earlierWords,
  exitOf,
  outcomeJson,
  outcomeWords,
} from "../agent-words.ts";
import { Rounds, Waivers } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";
import { goOnWithPlannings, openPlannerRunner } from "../resume-plannings.ts";
import { sessionAnswer } from "../session-words.ts";
import { WorkView } from "../work-view.ts";
import { workAnswer } from "../work-words.ts";

export const Arguments = z.strictObject({
  save: z.boolean().default(false),
  rounds: Rounds,
  waive: Waivers,
});
type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const runner = await openRunner(io);
  try {
    const stuck: string[] = [];
    const recovered = await recoverRuns(runner.scene, stuck, io.signal);
    for (const one of recovered) io.say(`${savedWords(one)}\n`);
    // Whatever was cut short; what had come to its end is not done again.
    const cut = recovered.filter(
      ({ info, hasEnded }) => !args.save && !hasEnded && info.status === "failed" && isOwnRun(info),
    );
    const again: LoopOutcome[] = [];
    for (const one of cut) {
      try {
        again.push(await goOn(one, runner, args.rounds, io));
      } catch (error) {
        // One that cannot go on must not keep the others from it; its work is saved.
        stuck.push(`run ${one.info.run_id} cannot go on: ${messageOf(error)}`);
      }
    }
    const { place } = runner.scene;
    const plannings = args.save ? [] : await goOnWithPlannings(place, io, stuck);
    const sessions = args.save ? [] : await goOnWithSessions(runner, io, stuck);
    const works = args.save ? [] : await goOnWithWorks(runner, args.waive, io, stuck);
    const answers = [...plannings, ...sessions.map(sessionAnswer), ...works.map(workAnswer)];
    return answerOf({ recovered, again, stuck, answers, works, sessions }, args.rounds);
  } finally {
    await runner.close();
  }
}

/** Works go on after single runs: a run that belongs to one is its to go on with. */
async function goOnWithWorks(
  runner: AgentRunner,
  letThrough: Arguments["waive"],
  io: CommandIo,
  stuck: string[],
): Promise<WorkOutcome[]> {
  const done: WorkOutcome[] = [];
  const { place } = runner.scene;
  const unended = worksOf(place).filter(({ isEnded }) => !isEnded);
  const led = unended.length === 0 ? undefined : ledBySessions(place, stuck);
  const open = led === undefined ? [] : unended.filter(({ id }) => !led.has(id));
  assertOneWork(open, letThrough);
  for (const { id } of open) {
    const view = new WorkView(io);
    try {
      const options = { signal: io.signal, onEvent: view.take, letThrough };
      done.push(await goOnWithWork(runner, id, options));
    } catch (error) {
      stuck.push(`work ${id} cannot go on: ${messageOf(error)}`);
    } finally {
      view.end();
    }
  }
  return done;
}

/** The works that sessions go on with; undefined where that cannot be told, and so none may go on. */
function ledBySessions(place: Place, stuck: string[]): ReadonlySet<string> | undefined {
  try {
    return worksOfSessions(place);
  } catch (error) {
    const why = `which of them a session leads is not known: ${messageOf(error)}`;
    stuck.push(`works cannot go on: ${why}`);
    return undefined;
  }
}

/** The same name is another subtask in another work: a waiver must not reach one that nobody meant. */
function assertOneWork(open: readonly { id: string }[], letThrough: Arguments["waive"]): void {
  if (letThrough.length === 0 || open.length === 1) return;
  const found = open.length === 0 ? "none is open" : `${counted(open.length, "work")} are open`;
  throw new SwornError("INPUT_INVALID", `--waive is about one work, and ${found} here`);
}

/** Whether a person asked for a run, and nothing else goes on with it or says what came of it. */
function isOwnRun(info: RunInfo): boolean {
  return !isPart(info) && !isChild(info);
}

/** Whether another run asked for it, which is gone on with itself and asks again if it still wants that. */
function isChild(info: RunInfo): boolean {
  return info.parent_run_id !== null;
}

/** Whether something larger asked for a run, which goes on with it. */
function isPart(info: RunInfo): boolean {
  return isOfWork(info.task_id) || isOfSession(info.task_id) || isOfPlanning(info);
}

async function goOnWithSessions(
  runner: AgentRunner,
  io: CommandIo,
  stuck: string[],
): Promise<SessionOutcome[]> {
  const done: SessionOutcome[] = [];
  for (const id of openSessions(runner.scene.place)) {
    const view = new WorkView(io);
    try {
      const scene = {
        ...{ runner, signal: io.signal, onEvent: view.take },
        openPlanner: () => openPlannerRunner(io),
      };
      done.push(await resumeSession(id, scene));
    } catch (error) {
      stuck.push(`session ${id} cannot go on: ${messageOf(error)}`);
    } finally {
      view.end();
    }
  }
  return done;
}

async function goOn(
  { info, saved, since }: RecoveredRun,
  runner: AgentRunner,
  roundsMax: number,
  io: CommandIo,
): Promise<LoopOutcome> {
  const { env, home, signal } = io;
  const { root } = runner.scene.repository;
  const chosen = await chooseAgent(info.agent, { root, env, home });
  const { onEvent, onStep, onStarted, end } = agentProgress(io, info.agent);
  const request = {
    ...{ agent: chosen.name, driver: chosen.driver, service: chosen.service },
    limits: chosen.config.limits,
    prompt: readFileSync(info.prompt_path, "utf8"),
    task: info.task_id,
    role: info.role,
    since,
    ...{ signal, onEvent, onStep, onStarted },
  };
  const at = saved?.commit ?? info.ref ?? info.base ?? "HEAD";
  return runUntilDone(runner, continuing(request, info, at), { roundsMax }).finally(end);
}

function savedWords({ info, saved, hasEnded }: RecoveredRun): string {
  const count = saved === undefined ? "nothing new" : counted(saved.changed.length, "changed file");
  const where = info.ref ? `, on ${info.ref}` : "";
  return `run ${info.run_id} of ${info.agent}: ${count}${where}${nextWords(info, hasEnded)}`;
}

function nextWords(info: RunInfo, hasEnded: boolean): string {
  if (hasEnded) return "; it had ended, and is not run again";
  return isChild(info) ? `; saved only, for run ${info.parent_run_id} had asked for it` : "";
}

interface WentOn {
  readonly recovered: readonly RecoveredRun[];
  readonly again: readonly LoopOutcome[];
  readonly stuck: readonly string[];
  readonly answers: readonly Answer[];
  readonly works: readonly WorkOutcome[];
  readonly sessions: readonly SessionOutcome[];
}

function answerOf(
  { recovered, again, stuck, answers, works, sessions }: WentOn,
  rounds: number,
): Answer {
  const ended = recovered.flatMap(({ info, outcome }) =>
    outcome !== undefined && isOwnRun(info) ? [outcome] : [],
  );
  const outcomes = [...ended, ...again.map(({ last }) => last)];
  const done = [
    ...ended.map((one) => outcomeWords(one)),
    ...again.map(({ last, runs }) =>
      [outcomeWords(last), ...earlierWords(runs.slice(0, -1))].join("\n"),
    ),
    ...answers.map((one) => one.words),
    ...stuck,
  ];
  const words =
    recovered.length === 0 && done.length === 0
      ? "Nothing was left behind: every run of this project came to its end."
      : done.join("\n\n");
  const exits = [
    ...ended.map(exitOf),
    ...again.map((loop) => chainExit(loop, rounds)),
    ...answers.map(({ exit }) => exit),
    ...(stuck.length > 0 ? [1 as const] : []),
  ];
  return {
    exit: exits.find((exit) => exit !== 0) ?? 0,
    json: {
      recovered: recovered.map(({ info, saved }) => ({
        run: info,
        changed: saved?.changed ?? [],
      })),
      runs: outcomes.map(outcomeJson),
      works: works.map(({ report }) => report),
      sessions: sessions.map(({ report }) => report),
      stuck,
    },
    words: words === "" ? `${counted(recovered.length, "run")} brought to an end.` : words,
    isAnswered: true,
  };
}
