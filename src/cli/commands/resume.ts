import { readFileSync } from "node:fs";
import * as z from "zod";
import { messageOf } from "../../base/index.ts";
import type { AgentRunner } from "../../flow/agent/agent-runner.ts";
import { chooseAgent } from "../../flow/agent/choose-agent.ts";
import { type RecoveredRun, recoverRuns } from "../../flow/agent/recover-runs.ts";
import { continuing, type LoopOutcome, runUntilDone } from "../../flow/agent/restart-loop.ts";
import { agentProgress, exitOf, outcomeJson, outcomeWords } from "../agent-words.ts";
import { Rounds } from "../arguments.ts";
import { counted } from "../counted.ts";
import type { Answer, CommandIo } from "../io.ts";
import { openRunner } from "../open-runner.ts";

export const Arguments = z.strictObject({ save: z.boolean().default(false), rounds: Rounds });
type Arguments = z.infer<typeof Arguments>;

export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const runner = await openRunner(io);
  try {
    const recovered = await recoverRuns(runner.scene);
    for (const one of recovered) io.say(`${savedWords(one)}\n`);
    // Whatever was cut short; what had come to its end is not done again.
    const cut = args.save ? [] : recovered.filter(({ info }) => info.status === "failed");
    const again: LoopOutcome[] = [];
    const stuck: string[] = [];
    for (const one of cut) {
      try {
        again.push(await goOn(one, runner, args.rounds, io));
      } catch (error) {
        // One that cannot go on must not keep the others from it; its work is saved.
        stuck.push(`run ${one.info.run_id} cannot go on: ${messageOf(error)}`);
      }
    }
    return answerOf(recovered, again, stuck);
  } finally {
    await runner.close();
  }
}

async function goOn(
  { info, saved }: RecoveredRun,
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
    ...{ signal, onEvent, onStep, onStarted },
  };
  const at = saved?.commit ?? info.ref ?? info.base ?? "HEAD";
  return runUntilDone(runner, continuing(request, info, at), { roundsMax }).finally(end);
}

function savedWords({ info, saved }: RecoveredRun): string {
  const count = saved === undefined ? "nothing new" : counted(saved.changed.length, "changed file");
  return `run ${info.run_id} of ${info.agent}: ${count}${info.ref ? `, on ${info.ref}` : ""}`;
}

function answerOf(
  recovered: readonly RecoveredRun[],
  again: readonly LoopOutcome[],
  stuck: readonly string[],
): Answer {
  const words =
    recovered.length === 0
      ? "Nothing was left behind: every run of this project came to its end."
      : [...again.map(({ last }) => outcomeWords(last)), ...stuck].join("\n\n");
  const exits = [
    ...again.map(({ last }) => exitOf(last)),
    ...(stuck.length > 0 ? [1 as const] : []),
  ];
  return {
    exit: exits.find((exit) => exit !== 0) ?? 0,
    json: {
      recovered: recovered.map(({ info, saved }) => ({
        run: info,
        changed: saved?.changed ?? [],
      })),
      runs: again.map(({ last }) => outcomeJson(last)),
      stuck,
    },
    words: words === "" ? `${counted(recovered.length, "run")} brought to an end.` : words,
    isAnswered: true,
  };
}
