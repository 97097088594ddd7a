import { setTimeout as wait } from "node:timers/promises";
import {
  type Asking,
  given,
  type InsideIo,
  type InsideWords,
  scopeOf,
  type Told,
  textOf,
} from "./inside-command.ts";
import { messageWords, type ToldMessage } from "./message-words.ts";
import type { Outcome } from "./run-connection.ts";

const FOLLOW_MS = 500;

/** Reads a bus to its end; following shows messages as they come, until the command is stopped. */
export async function readBus(
  words: InsideWords,
  ask: Asking,
  io: InsideIo,
): Promise<Told | Outcome> {
  const first = await readOn(words, ask, textOf(words, "since"));
  if (!Array.isArray(first)) return first;
  if (words.values["follow"] !== true) return toldAll(first, messageWords(first));
  const all = first;
  if (all.length > 0) io.out(`${messageWords(all)}\n`);
  while (!io.signal.aborted) {
    await wait(FOLLOW_MS, undefined, { signal: io.signal }).catch(() => {
      // Stopped while waiting: what came last is read, and that is the end.
    });
    const next = await readOn(words, ask, all.at(-1)?.id ?? textOf(words, "since"));
    if (!Array.isArray(next)) return next;
    if (next.length > 0) io.out(`${messageWords(next)}\n`);
    all.push(...next);
  }
  return toldAll(all, "");
}

const toldAll = (messages: readonly ToldMessage[], words: string): Told => ({
  exit: 0,
  json: { messages },
  words,
});

/** All that there is after a message, in as many answers as it takes. */
async function readOn(
  words: InsideWords,
  ask: Asking,
  from: string | undefined,
): Promise<ToldMessage[] | Outcome> {
  const all: ToldMessage[] = [];
  for (;;) {
    const since = all.at(-1)?.id ?? from;
    const outcome = await ask("bus.read", given({ scope: scopeOf(words), since }));
    if (!("ok" in outcome)) return outcome;
    const { messages, more } = outcome.ok as { messages: ToldMessage[]; more: boolean };
    all.push(...messages);
    if (!more) return all;
  }
}
