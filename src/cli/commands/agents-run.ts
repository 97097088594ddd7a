import { resolve } from "node:path";
import * as z from "zod";
import { counted, decodeUtf8, messageOf, readPlainFile, SwornError } from "../../base/index.ts";
import type { AgentRunner } from "../../flow/agent/agent-runner.ts";
import { agentConfig, chooseAgent, roleOfAgent } from "../../flow/agent/choose-agent.ts";
import { promptFor } from "../../flow/agent/prompt-for.ts";
import { type LoopOutcome, runUntilDone } from "../../flow/agent/restart-loop.ts";
import { runBuiltInReviewers } from "../../flow/agent/run-built-in.ts";
import { answerProblems, projectQuestion } from "../../flow/context/project-question.ts";
import { wordsOf } from "../../flow/work/ask-agent.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import { Name } from "../../schema/index.ts";
import { RunRole } from "../../schema/run-info.ts";
import {
  agentProgress,
  chainExit,
  earlierWords,
  outcomeJson,
  outcomeWords,
} from "../agent-words.ts";
import { Rounds } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";
import { questionAnswer } from "../question-answer.ts";

const PROMPT_BYTES_MAX = 1 << 20;

export const Arguments = z.strictObject({
  agent: z.string().min(1),
  prompt: z.string().min(1).optional(),
  "prompt-file": z.string().min(1).optional(),
  task: Name.optional(),
  at: z.string().min(1).optional(),
  rounds: Rounds,
  question: z.boolean().default(false),
  role: z.enum(["executor", ...RunRole.options]).optional(),
});
type Arguments = z.infer<typeof Arguments>;

const ENDS: Readonly<Record<LoopOutcome["end"], string>> = {
  done: "it says that it is done",
  rounds: "no rounds are left",
  stagnation: "two runs in a row changed nothing and said the same",
  refused: "it was refused",
  cancelled: "it was called off",
  model: "its model does not answer it",
};

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const { env, home, signal } = io;
  const runner = await openRunner(io);
  try {
    const { root } = runner.scene.repository;
    const config = agentConfig(args.agent, root);
    if (config.driver === "builtin") return await reviewers(args, config, runner, io);
    const text = taskText(args, io);
    const chosen = await chooseAgent(args.agent, { root, env, home });
    const { limits } = chosen.config;
    const shown = agentProgress(io, args.agent);
    const loose = args.at === undefined ? await runner.scene.repository.uncommittedFiles() : [];
    if (loose.length > 0) {
      shown.onStep(
        `${counted(loose.length, "file")} with changes that are not committed; it sees the last commit`,
      );
    }
    const place = { place: runner.scene.place, task: args.task };
    const files = { repository: root, at: args.at, env, signal };
    const asked = args.question ? await projectQuestion(text, { ...place, files }) : undefined;
    const loop = await runUntilDone(
      runner,
      {
        ...{ agent: chosen.name, driver: chosen.driver, service: chosen.service, limits },
        prompt: promptFor(asked?.prompt ?? text, { limits, isRoot: true, hasTooling: true }),
        task: taskOf(args),
        role: roleIn(args, root),
        at: args.at,
        ...{ signal, onEvent: shown.onEvent, onStep: shown.onStep, onStarted: shown.onStarted },
      },
      { roundsMax: args.rounds },
    ).finally(shown.end);
    const answer = answerOf(loop, args.rounds);
    const { info } = loop.last;
    if (asked === undefined || info?.status !== "completed") return answer;
    return questionAnswer(answer, answerProblems(asked, wordsOf(info)));
  } finally {
    await runner.close();
  }
}

/** The built-in reviewers need no words, and take a range in their place. */
async function reviewers(
  { agent, prompt: range, at, ...args }: Arguments,
  config: Extract<AgentConfig, { driver: "builtin" }>,
  { scene }: AgentRunner,
  { signal }: CommandIo,
): Promise<Answer> {
  const task = taskOf(args);
  const run = await runBuiltInReviewers({ agent, config, task, range, at, signal }, scene);
  const words = `${agent} ${run.status}\noutput ${run.output_path} (written by the agent)`;
  return { exit: run.status === "completed" ? 0 : 1, json: { run }, words, isAnswered: true };
}

function roleIn({ role, agent }: Arguments, root: string): RunRole | undefined {
  if (role === undefined) return roleOfAgent(agent, root);
  return role === "executor" ? undefined : role;
}

function taskOf({ task }: Pick<Arguments, "task">): string {
  return task ?? `task-${Date.now().toString(36)}`;
}

function taskText({ prompt, "prompt-file": file }: Arguments, { cwd }: CommandIo): string {
  if ((prompt === undefined) === (file === undefined)) {
    throw new SwornError(
      "INPUT_INVALID",
      "expected what the agent is to do, either in words or as --prompt-file",
    );
  }
  if (file === undefined) return prompt ?? "";
  return fileText(file, resolve(cwd, file));
}

function fileText(named: string, path: string): string {
  try {
    return decodeUtf8(readPlainFile(path, PROMPT_BYTES_MAX));
  } catch (cause) {
    const code = cause instanceof SwornError ? cause.code : "NOT_FOUND";
    const what = `--prompt-file: ${named} cannot be read: ${messageOf(cause)}`;
    const next = "name a file of text, or give the words themselves";
    throw new SwornError(code, `${what}; ${next}`, { cause });
  }
}

function chainWords({ end, runs }: LoopOutcome, rounds: number): string[] {
  const count = counted(runs.length, "run");
  // Of one round there is more than one run only where a model kept it from being one.
  const isRepeated = rounds === 1 && end === "rounds";
  const ended = isRepeated
    ? `${count}; its model was busy or away before`
    : `${count}; the last because ${ENDS[end]}`;
  return [...earlierWords(runs.slice(0, -1)), ended];
}

function answerOf(loop: LoopOutcome, rounds: number): Answer {
  const { end, runs, last } = loop;
  const hasEarlier = runs.some(({ saved }) => (saved?.changed.length ?? 0) > 0);
  const chain = rounds > 1 || runs.length > 1 ? chainWords(loop, rounds) : [];
  return {
    exit: chainExit(loop, rounds),
    json: { ...outcomeJson(last), runs: runs.length, end },
    words: [outcomeWords(last, hasEarlier), ...chain].join("\n"),
    isAnswered: true,
  };
}
