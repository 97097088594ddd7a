import { readFileSync, statSync } from "node:fs";
import type * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import type { ChosenAgent } from "../agent/choose-agent.ts";
import { whyFailed } from "../agent/complaint.ts";
import { promptFor } from "../agent/prompt-for.ts";
import { runPatiently } from "../agent/run-patiently.ts";
import { cut } from "../record/entry-text.ts";
import { lastJson } from "./last-json.ts";

const WORDS_BYTES_MAX = 1 << 20;
/** How a text begins that the runner made of what an agent printed. */
const STAND_IN = "---\norigin: runner\n";
/** One who judges and gives no answer is asked again, so often in all: a service that fails once says nothing. */
const ASKED_MAX = 3;
const WHY_CHARS_MAX = 1_000;
const SHOWN_CHARS_MAX = 300;
const FENCE = /^`{3,}text$/;

/** A path among the arguments leads nowhere there, whole or not: only the program itself is mounted. */
const NO_FILES =
  "it sees no file of the project, only the program that argv begins with: begin with the whole path of the script itself";

/** Somebody who is asked one thing, once. */
export interface AskedStranger {
  readonly runner: AgentRunner;
  readonly chosen: ChosenAgent;
  readonly task: string;
  readonly prompt: string;
  /** The commit that it sees; without one it sees nothing of the project. */
  readonly at?: string | undefined;
  readonly signal: AbortSignal;
  readonly onStep: (words: string) => void;
}

/**
 * Asks somebody who judges for one word of this shape, each time in a fresh context, until there is one
 * that can be read. What none means is for the caller to decide, who must not take it for a yes.
 *
 * @throws SwornError `AGENT_UNHEARD` when no answer can be read; `SANDBOX_REFUSED` at once when it
 * may not be run.
 */
export async function askForWord<T>(asked: AskedStranger, shape: z.ZodType<T>): Promise<T> {
  let why = "";
  for (let time = 1; time <= ASKED_MAX; time += 1) {
    if (time > 1) asked.onStep(`${cut(why, SHOWN_CHARS_MAX)}; it is asked again`);
    const answer = await askOnce(asked, shape);
    if ("said" in answer) return answer.said;
    ({ why } = answer);
  }
  const words = cut(`inconclusive, asked ${ASKED_MAX} times: ${why}`, WHY_CHARS_MAX);
  throw new SwornError("AGENT_UNHEARD", words);
}

async function askOnce<T>(
  asked: AskedStranger,
  shape: z.ZodType<T>,
): Promise<{ readonly said: T } | { readonly why: string }> {
  try {
    const found = shape.safeParse(lastJson(await askStranger(asked)));
    if (found.success) return { said: found.data };
    const [issue] = found.error.issues;
    const where = issue === undefined ? "" : `: ${issue.path.join(".")} ${issue.message}`;
    return { why: `${asked.chosen.name} gave no answer that can be read${where}` };
  } catch (error) {
    asked.signal.throwIfAborted();
    if (error instanceof SwornError && error.code === "SANDBOX_REFUSED") throw error;
    return { why: messageOf(error) };
  }
}

/**
 * Asks an agent in a fresh context. Unless a commit is named, its tree is empty, and it is given
 * nothing but the question.
 *
 * @returns its words
 * @throws SwornError `AGENT_UNHEARD` when it did not come to an answer; `SANDBOX_REFUSED` when it
 * may not be run.
 */
export async function askStranger(asked: AskedStranger): Promise<string> {
  const { runner, chosen, task, prompt, signal, onStep } = asked;
  const { limits } = chosen.config;
  const { repository } = runner.scene;
  const at = asked.at ?? (await repository.commitMaker().empty("Nothing to see"));
  const outcome = await runPatiently(runner, {
    ...{ agent: chosen.name, driver: chosen.driver, service: chosen.service, limits, task, at },
    prompt: promptFor(prompt, { limits, isRoot: false, hasTooling: false }),
    ...{ signal, onStep, onEvent: () => {} },
  });
  const { info, refused } = outcome;
  if (info?.status === "completed") return wordsOf(info);
  if (refused !== undefined) {
    const why = `${chosen.name} gave no answer: ${refused.rule}: ${refused.reason}`;
    throw new SwornError("SANDBOX_REFUSED", why);
  }
  const why = (info && whyFailed(info)) ?? "it did not end well";
  const isBlind = asked.at === undefined && chosen.config.driver === "command";
  const hint = isBlind ? ` (${NO_FILES})` : "";
  throw new SwornError("AGENT_UNHEARD", `${chosen.name} gave no answer: ${why}${hint}`);
}

/** What a run said in the end, without what the runner wrote around it. */
export function wordsOf({ output_path: path }: RunInfo): string {
  if (statSync(path).size > WORDS_BYTES_MAX) return "";
  const text = readFileSync(path, "utf8");
  if (!text.startsWith(STAND_IN)) return text;
  const lines = text.trimEnd().split("\n");
  const from = lines.findIndex((line) => FENCE.test(line));
  return lines.slice(from + 1, -1).join("\n");
}
