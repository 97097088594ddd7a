import { resolve } from "node:path";
import { SwornError, sha256Hex } from "../../base/index.ts";
import { redactionHash } from "../../keyring/index.ts";
import { redact } from "../../scan/classify/index.ts";
import type { Body, EventRequest, MessageKind, ThreadKind } from "../../schema/index.ts";
import { messageIdOf, type Refusal, seqOfMessage } from "../../view/index.ts";
import { type Author, actorOf, type Bus, isRefused, type Said } from "./bus.ts";

/** What somebody wants to say. */
export interface Saying {
  readonly text: string;
  readonly kind?: MessageKind | undefined;
  readonly parents?: readonly { readonly id: string; readonly kind: ThreadKind }[] | undefined;
  readonly issue_id?: string | undefined;
  readonly links?: Body<"message_posted">["links"];
  readonly meta?: Readonly<Record<string, string>> | undefined;
  /** Says it once, however often it is called with this key. */
  readonly idem?: string | undefined;
}

/** A longer text is stored beside the message. */
export const MESSAGE_BYTES_MAX = 65_536;
/** How much of a longer text stands in the message itself. */
const HEAD_CHARS = 2_000;
const ATTACHED_BYTES_MAX = 8_388_608;
/** The mark of something that was taken out is at most so many times as long as what stood there. */
const GROWTH_MAX = 8;

/**
 * Says something on a bus.
 *
 * @returns where it stands, or why it was refused: a kind that is not this author's, a parent that
 * does not exist.
 * @throws SwornError `INPUT_INVALID`, `LIMIT_EXCEEDED`, or what recording throws.
 */
export async function post(on: Bus, author: Author, saying: Saying): Promise<Said | Refusal> {
  const { text, idem } = saying;
  if (text === "" || !text.isWellFormed()) {
    throw new SwornError("INPUT_INVALID", "expected a text of well-formed Unicode, found none");
  }
  const long = attachedWhereLong(on, text);
  const answer = await on.record({
    actor: actorOf(author),
    type: "message_posted",
    body: { ...bodyOf(saying), ...long?.body },
    ...(long === undefined ? {} : { artifacts: long.artifacts }),
    ...(idem === undefined ? {} : { idem: ownIdem(author, idem) }),
  });
  return isRefused(answer) ? withNearest(on, saying, answer) : answer;
}

/** A key that is the author's own: nobody can use up one that somebody else is going to need. */
export function ownIdem({ agent }: Author, idem: string): string {
  return `post ${agent} ${idem}`;
}

function bodyOf({ text, kind, parents, issue_id, links, meta }: Saying): Body<"message_posted"> {
  return {
    text,
    ...(kind === undefined ? {} : { kind }),
    ...(parents === undefined || parents.length === 0 ? {} : { parents: [...parents] }),
    ...(issue_id === undefined ? {} : { issue_id }),
    ...(links === undefined ? {} : { links }),
    ...(meta === undefined ? {} : { meta }),
  };
}

/**
 * A long text as an attachment, and its beginning; undefined for one that fits. A trace is handed on
 * for years, so secrets leave a long text before it is stored, as they do a short one.
 */
function attachedWhereLong({ place }: Bus, text: string) {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MESSAGE_BYTES_MAX / GROWTH_MAX) return undefined;
  if (bytes > ATTACHED_BYTES_MAX) {
    const most = `expected at most ${ATTACHED_BYTES_MAX}`;
    throw new SwornError("LIMIT_EXCEEDED", `the text has ${bytes} bytes, ${most}`);
  }
  const clean = redact(text, { hash: redactionHash(place.keyFolder, resolve(place.store)) }).text;
  if (Math.max(bytes, Buffer.byteLength(clean)) <= MESSAGE_BYTES_MAX) return undefined;
  const head = `${clean.slice(0, HEAD_CHARS).toWellFormed()}\n… (${bytes} bytes in all)`;
  const artifacts: EventRequest["artifacts"] = [
    { text: clean, name: "text.md", media_type: "text/markdown" },
  ];
  return { body: { text: head, attachment: sha256Hex(clean) }, artifacts };
}

/** Of an unknown parent: which one was probably meant. */
function withNearest(on: Bus, { parents = [] }: Saying, refusal: Refusal): Refusal {
  const unknown = parents.find(({ id }) => !on.messages.has(seqOfMessage(id)));
  if (refusal.rule !== "ORDER_GUARD" || unknown === undefined) return refusal;
  return { ...refusal, reason: noSuchMessage(unknown.id, on.messages) };
}

/** Says that there is no such message, and which one is nearest. */
export function noSuchMessage(id: string, seqs: Iterable<number>): string {
  const wanted = seqOfMessage(id);
  let nearest: number | undefined;
  for (const seq of seqs) {
    const isNearer = Math.abs(seq - wanted) < Math.abs((nearest ?? Infinity) - wanted);
    if (isNearer) nearest = seq;
  }
  const hint =
    nearest === undefined ? "nothing was said there yet" : `the nearest is ${messageIdOf(nearest)}`;
  return `there is no message ${id} on this bus; ${hint}`;
}
