import { readFileSync, statSync } from "node:fs";
import { SwornError } from "../../base/index.ts";
import type { RunInfo } from "../../schema/run-info.ts";
import type { AgentRunner } from "../agent/agent-runner.ts";
import type { ChosenAgent } from "../agent/choose-agent.ts";
import { whyFailed } from "../agent/complaint.ts";
import { promptFor } from "../agent/prompt-for.ts";

const WORDS_BYTES_MAX = 1 << 20;
/** How a text begins that the runner made of what an agent printed. */
const STAND_IN = "---\norigin: runner\n";
const FENCE = /^`{3,}text$/;

const NO_FILES = "it sees no file of the project: name its program by its whole path";

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
 * Asks an agent in a fresh context. Unless a commit is named, its tree is empty, and it is given
 * nothing but the question.
 *
 * @returns its words
 * @throws SwornError `STORE_UNREADABLE` when it did not come to an answer.
 */
export async function askStranger(asked: AskedStranger): Promise<string> {
  const { runner, chosen, task, prompt, signal, onStep } = asked;
  const { limits } = chosen.config;
  const { repository } = runner.scene;
  const at = asked.at ?? (await repository.commitMaker().empty("Nothing to see"));
  const outcome = await runner.run({
    ...{ agent: chosen.name, driver: chosen.driver, service: chosen.service, limits, task, at },
    prompt: promptFor(prompt, { limits, isRoot: false, hasTooling: false }),
    ...{ signal, onStep, onEvent: () => {} },
  });
  const { info, refused } = outcome;
  if (info?.status === "completed") return wordsOf(info);
  const denied = refused && `${refused.rule}: ${refused.reason}`;
  const why = denied ?? (info && whyFailed(info)) ?? "it did not end well";
  const isBlind = asked.at === undefined && chosen.config.driver === "command";
  const hint = isBlind ? ` (${NO_FILES})` : "";
  throw new SwornError("STORE_UNREADABLE", `${chosen.name} gave no answer: ${why}${hint}`);
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
