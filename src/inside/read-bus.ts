import { setTimeout as wait } from "node:timers/promises";
import {
  type Asking,
  given,
  type InsideIo,
  type InsideWords,
  scopeOf,
  type Told,
  textOf,
  textsOf,
} from "./inside-command.ts";
import { messageWords, type ToldMessage } from "./message-words.ts";
import type { Outcome } from "./run-connection.ts";
import { busWords } from "./talk-words.ts";

const FOLLOW_MS = 500;

interface Page {
  readonly messages: readonly ToldMessage[];
  readonly more: boolean;
  readonly task: string | null;
}

/** Reads a bus to its end; following shows messages as they come, until the command is stopped. */
export async function readBus(
  words: InsideWords,
  ask: Asking,
  io: InsideIo,
): Promise<Told | Outcome> {
  const first = await readOn(words, ask, textOf(words, "since"));
  if (!("messages" in first)) return first;
  const shown = lastOf(words, first.messages);
  if (words.values["follow"] !== true) {
    const isEmpty = shown.length === 0;
    return toldAll(shown, isEmpty ? `nothing new on ${busWords(first)}` : messageWords(shown));
  }
  const all = [...shown];
  io.out(messageWords(all));
  let since = first.messages.at(-1)?.id ?? textOf(words, "since");
  while (!io.signal.aborted) {
    await wait(FOLLOW_MS, undefined, { signal: io.signal }).catch(() => {
      // Stopped while waiting: what came last is read, and that is the end.
    });
    const next = await readOn(words, ask, since);
    if (!("messages" in next)) return next;
    since = next.messages.at(-1)?.id ?? since;
    const fresh = wanted(words, next.messages);
    io.out(messageWords(fresh));
    all.push(...fresh);
  }
  return toldAll(all, "");
}

const toldAll = (messages: readonly ToldMessage[], words: string): Told => ({
  exit: 0,
  json: { messages },
  words,
});

/** All that there is after a message, in as many answers as it takes; or one message alone. */
async function readOn(
  words: InsideWords,
  ask: Asking,
  from: string | undefined,
): Promise<Page | Outcome> {
  const all: ToldMessage[] = [];
  for (;;) {
    const since = all.at(-1)?.id ?? from;
    const message = words.rest[0];
    const outcome = await ask("bus.read", given({ scope: scopeOf(words), since, message }));
    if (!("ok" in outcome)) return outcome;
    const page = outcome.ok as Page;
    all.push(...page.messages);
    if (!page.more) return { ...page, messages: all };
  }
}

function wanted(words: InsideWords, messages: readonly ToldMessage[]): readonly ToldMessage[] {
  const kinds = textsOf(words, "kind").map((kind) => kind.toUpperCase());
  return kinds.length === 0 ? messages : messages.filter(({ kind }) => kinds.includes(kind));
}

function lastOf(words: InsideWords, messages: readonly ToldMessage[]): readonly ToldMessage[] {
  const last = Number(textOf(words, "last") ?? Number.POSITIVE_INFINITY);
  const all = wanted(words, messages);
  return all.slice(Math.max(0, all.length - last));
}
