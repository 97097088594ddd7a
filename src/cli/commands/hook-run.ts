import { resolve } from "node:path";
import * as z from "zod";
import { messageOf, SwornError } from "../../base/index.ts";
import { judgeCommit } from "../../flow/hook/commit-work.ts";
import { readHookInput } from "../../flow/hook/hook-input.ts";
import { HOOK_KINDS } from "../../flow/hook/hook-lines.ts";
import { refutedWords, unverifiedWords } from "../../flow/hook/hook-words.ts";
import type { Heard } from "../../flow/hook/judge-message.ts";
import { judgeStop } from "../../flow/hook/stop-work.ts";
import { commitIndex } from "../config.ts";
import type { Answer, Io } from "../io.ts";

export const Arguments = z.strictObject({
  kind: z.enum(HOOK_KINDS),
  message: z.string().min(1).optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  if (args.kind !== "git") return stopAnswer(io);
  if (args.message === undefined) {
    throw new SwornError("INPUT_INVALID", "expected git's file with the commit's message");
  }
  return gitAnswer(args.message, io);
}

/** What could not be judged is said, and refuses no commit: git's own hook lets 1 through. */
async function gitAnswer(message: string, io: Io): Promise<Answer> {
  const { env, signal, cwd: folder } = io;
  const messageFile = resolve(folder, message);
  try {
    return commitAnswer(
      await judgeCommit({ messageFile, index: commitIndex(io), folder, env, signal }),
    );
  } catch (error) {
    // Whoever calls it off wants no commit.
    signal.throwIfAborted();
    return uncheckedAnswer("nothing of the commit's message was checked", error);
  }
}

function commitAnswer(heard: Heard): Answer {
  if (heard.refuted.length === 0) {
    return { exit: 0, json: { ...heard, blocked: false }, words: unverifiedWords(heard) };
  }
  const why = "The commit was not made; --no-verify makes it all the same.";
  const words = `sworn: ${refutedWords(heard)}\n${why}`;
  return { exit: 4, json: { ...heard, blocked: true }, words, isError: true };
}

/**
 * For an agent, 2 means that it may not stop. So nothing else may end with 2: a hook that cannot be
 * asked would hold the agent up without end.
 */
async function stopAnswer(io: Io): Promise<Answer> {
  try {
    const input = await readHookInput(io.input());
    const { env, signal, cwd: folder } = io;
    const heard = await judgeStop(input, { folder, env, signal });
    const blocked = heard.refuted.length > 0 && !input.stop_hook_active;
    const json = { ...heard, blocked };
    if (blocked) return { exit: 2, json, words: `sworn: ${refutedWords(heard)}`, isError: true };
    const words = unverifiedWords(heard);
    if (words === "") return { exit: 0, json, words };
    // The form in which both agents show something to their user and to nobody else.
    const shown = JSON.stringify({ systemMessage: `sworn: ${words}` });
    return { exit: 0, json, words, bytes: [Buffer.from(`${shown}\n`)] };
  } catch (error) {
    return uncheckedAnswer("nothing that the agent says was checked", error);
  }
}

function uncheckedAnswer(what: string, error: unknown): Answer {
  const message = `${what}: ${messageOf(error)}`;
  const json = { error: { code: "UNCHECKED", message } };
  return { exit: 1, json, words: `sworn: ${message}`, isError: true };
}
