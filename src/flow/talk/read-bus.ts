import { SwornError } from "../../base/index.ts";
import type { MessageKind } from "../../schema/index.ts";
import { type BusMessage, seqOfMessage } from "../../view/index.ts";
import { readArtifactText } from "./artifact-text.ts";
import type { Bus } from "./bus.ts";
import { noSuchMessage } from "./post.ts";

/** Which messages are wanted. */
export interface Reading {
  /** Only what was said after this message. */
  readonly since?: string | undefined;
  /** Only messages of these kinds. */
  readonly kinds?: readonly MessageKind[] | undefined;
  /** The last so many of them. */
  readonly last?: number | undefined;
}

/**
 * The messages of a bus, in order.
 *
 * @throws SwornError `NOT_FOUND` when `since` is no message of this bus: a cursor that fits
 * nothing would hide what was said.
 */
export function readBus(on: Bus, reading: Reading = {}): BusMessage[] {
  return selectMessages(on.talk().messages, reading);
}

/** The same, of messages that are at hand. */
export function selectMessages(
  messages: readonly BusMessage[],
  { since, kinds = [], last }: Reading,
): BusMessage[] {
  const from = since === undefined ? 0 : indexOf(messages, since) + 1;
  const wanted = messages
    .slice(from)
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  return last === undefined ? wanted : last === 0 ? [] : wanted.slice(-last);
}

/** One message with its whole text, and the names of those that answer it. */
export interface WholeMessage extends BusMessage {
  readonly answered_in: readonly string[];
}

/** @throws SwornError `NOT_FOUND`, `LEDGER_CORRUPT` when its attachment is not as it was recorded. */
export function readMessage(on: Bus, id: string): WholeMessage {
  const { messages } = on.talk();
  const message = messages[indexOf(messages, id)];
  if (!message) throw new SwornError("NOT_FOUND", noSuchMessage(id, seqsOf(messages)));
  const { attachment } = message;
  const text = attachment === undefined ? message.text : readArtifactText(on.place, attachment);
  const answers = messages.filter(({ parents }) => parents.some((parent) => parent.id === id));
  return { ...message, text, answered_in: answers.map((one) => one.id) };
}

/** Messages stand in the order of their places, so half of them is left out with each look. */
function indexOf(messages: readonly BusMessage[], id: string): number {
  const wanted = seqOfMessage(id);
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seqOfMessage(messages[middle]?.id ?? "") < wanted) low = middle + 1;
    else high = middle;
  }
  if (messages[low]?.id === id) return low;
  throw new SwornError("NOT_FOUND", noSuchMessage(id, seqsOf(messages)));
}

function seqsOf(messages: readonly BusMessage[]): number[] {
  return messages.map(({ id }) => seqOfMessage(id));
}
