import type * as z from "zod";
import { messageOf } from "../../base/index.ts";
import { type ChosenAgent, chooseAgent } from "../agent/choose-agent.ts";
import { askForWord } from "../work/ask-agent.ts";
import type { OpenSession } from "./open-session.ts";

/** What somebody answered, or why it cannot be used. */
export type SeatAnswer<T> = { readonly said: T } | { readonly why: string };

/**
 * Asks whoever sits in a seat, in a fresh context. An answer that cannot be read is none, and what
 * none means is for the caller to decide, who must not take it for a yes.
 */
export async function askSeat<T>(
  on: OpenSession,
  question: {
    readonly by: string;
    /** Made where it can fail: what is too long to be asked is no answer. */
    readonly prompt: () => string | Promise<string>;
    readonly at?: string | undefined;
  },
  shape: z.ZodType<T>,
): Promise<SeatAnswer<T>> {
  const { runner, signal, onEvent } = on.scene;
  const { repository, env, home } = runner.scene;
  const { by, prompt, at } = question;
  try {
    const chosen = await chooseAgent(by, { root: repository.root, env, home });
    const onStep = (words: string) => onEvent({ about: by, words });
    const asked = { runner, chosen, task: on.task, prompt: await prompt(), signal, onStep };
    return { said: await askForWord({ ...asked, at: at ?? ownFiles(chosen, on) }, shape) };
  } catch (error) {
    signal.throwIfAborted();
    return { why: messageOf(error) };
  }
}

/** A program can be a script of the project, which it needs; any other agent is shown nothing. */
export function ownFiles({ config }: ChosenAgent, { begin }: OpenSession): string | undefined {
  return config.driver === "command" ? begin.start : undefined;
}
