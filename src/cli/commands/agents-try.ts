import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import * as z from "zod";
import { chooseAgent } from "../../flow/agent/choose-agent.ts";
import { type TriedAgent, tryAgent } from "../../flow/agent/try-agent.ts";
import { execRoot } from "../../flow/exec/exec-root.ts";
import type { AgentConfig } from "../../schema/agent.ts";
import { agentProgress, deedWords, outcomeJson } from "../agent-words.ts";
import { openPlace } from "../config.ts";
import type { Answer, CommandIo } from "../io.ts";

export const Arguments = z.strictObject({ agent: z.string().min(1) });

export async function run({ agent }: z.infer<typeof Arguments>, io: CommandIo): Promise<Answer> {
  const root = await execRoot(io.cwd, io.env);
  const chosen = await chooseAgent(agent, { root, env: io.env, home: io.home });
  const { onStep, onEvent, end } = agentProgress(io, agent);
  onStep(`${[agent, chosen.program.version ?? []].flat().join(" ")} gets one tiny task`);
  const { state } = openPlace(io, "here");
  const { env, home, signal } = io;
  const tried = await tryAgent(chosen, { env, home, state, signal, onStep, onEvent }).finally(end);
  const isCalledOff = !tried.works && tried.outcome.info?.status === "cancelled";
  const verdict = isCalledOff
    ? `${agent} was called off before it was done: whether it works is not known.`
    : verdictOf(agent, tried, chosen.config, root);
  return {
    exit: isCalledOff ? 1 : tried.works ? 0 : 3,
    // Its folder is gone with the repository that it was tried in.
    json: {
      agent,
      works: tried.works,
      status: tried.outcome.info?.status ?? null,
      complaint: tried.complaint,
      ...outcomeJson(tried.outcome),
      run: undefined,
    },
    words: `${deedWords(tried.outcome, tried.complaint)}\n${verdict}`,
    isAnswered: true,
  };
}

function verdictOf(agent: string, tried: TriedAgent, config: AgentConfig, root: string): string {
  if (tried.works)
    return `${agent} works: the file that it was asked for is there, and nothing else was touched.`;
  const own = ownProgram(config, root);
  const next =
    own === undefined
      ? ""
      : ` ${own} is a file of this project, which is not there: give it a small task with "sworn agents run ${agent}".`;
  return `${agent} does not work here: it was asked for a file sworn-try.txt in an empty repository, and ${whyNot(tried.outcome)}.${next}`;
}

/** A file of the project that the agent is started with: the repository of a trial has none of them. */
function ownProgram(config: AgentConfig, root: string): string | undefined {
  if (config.driver !== "command") return undefined;
  return config.argv.find((word) => !isAbsolute(word) && existsSync(join(root, word)));
}

function whyNot({ saved, info, refused }: TriedAgent["outcome"]): string {
  if (refused !== undefined) return "a policy refuses it";
  const paths = (saved?.changed ?? []).map(({ path }) => path);
  if (!paths.includes("sworn-try.txt")) return "the file is not there";
  return paths.length > 1 ? "other files were touched, too" : `it ${info?.status ?? "did not run"}`;
}
