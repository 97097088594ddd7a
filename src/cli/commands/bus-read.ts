import * as z from "zod";
import { Bus } from "../../flow/talk/bus.ts";
import { awaitBus, followBus } from "../../flow/talk/follow-bus.ts";
import { readBus, readMessage } from "../../flow/talk/read-bus.ts";
import type { Where } from "../../flow/talk/talk-trace.ts";
import { nearest } from "../../flow/words/nearest.ts";
import { busWords, messageWords } from "../../inside/index.ts";
import { MessageId, MessageKind } from "../../schema/index.ts";
import type { BusMessage } from "../../view/index.ts";
import { WholeNumber } from "../arguments.ts";
import type { Answer, CommandIo } from "../io.ts";
import { onKnownBus, scope, whereOf } from "../talk-scope.ts";

/** What a follower is given back at its end; all of it was shown when it came. */
const SEEN_MAX = 10_000;

export const Arguments = z.strictObject({
  ...scope,
  message: MessageId.optional(),
  since: MessageId.optional(),
  kind: z.array(z.string().toUpperCase().pipe(MessageKind)).default([]),
  last: WholeNumber.optional(),
  follow: z.boolean().default(false),
});
type Arguments = z.infer<typeof Arguments>;

/** Following shows messages as they come; its JSON document has all that were shown. */
export async function run(args: Arguments, io: CommandIo): Promise<Answer> {
  const where = await whereOf(args, io);
  const { message } = args;
  if (message !== undefined) return onKnownBus(where, (on) => one(on, message));
  return args.follow ? followFrom(where, args, io) : onKnownBus(where, (on) => all(on, args));
}

function one(on: Bus, id: string): Answer {
  const message = readMessage(on, id);
  const { attachment: _, ...shown } = message;
  return { exit: 0, json: { trace: on.trace, message }, words: messageWords([shown]) };
}

function all(on: Bus, { since, kind, last }: Arguments): Answer {
  const messages = readBus(on, { since, kinds: kind, last });
  const words = messages.length === 0 ? `nothing new on ${busWords(on)}` : messageWords(messages);
  return { exit: 0, json: { trace: on.trace, messages }, words };
}

/** Whoever follows a task can be there before anybody has spoken of it. */
async function followFrom(where: Where, args: Arguments, io: CommandIo): Promise<Answer> {
  const known = Bus.find(where);
  if (known === undefined) io.err(`${waitingWords(where)}\n`);
  const on = known ?? (await awaitBus(where, io.signal));
  if (on === undefined) return { exit: 0, json: { trace: null, messages: [] }, words: "" };
  try {
    return await follow(on, args, io);
  } finally {
    on.close();
  }
}

/** The task can be a slip of the pen, and then nobody ever speaks of it. */
function waitingWords({ place, task }: Where): string {
  const meant = task === undefined ? undefined : nearest(task, place.tasks());
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `nothing was said on ${busWords({ task })} yet; waiting${hint}`;
}

async function follow(on: Bus, args: Arguments, io: CommandIo): Promise<Answer> {
  const { since, kind, last } = args;
  const seen: BusMessage[] = [];
  const show = (messages: readonly BusMessage[]) => {
    io.say(messageWords(messages));
    seen.push(...messages);
    seen.splice(0, seen.length - SEEN_MAX);
  };
  const from = { since, kinds: kind, last };
  for await (const fresh of followBus(on, io.signal, { from })) show(fresh);
  return { exit: 0, json: { trace: on.trace, messages: seen }, words: "" };
}
