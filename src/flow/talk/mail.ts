import { join } from "node:path";
import { decodeUtf8, messageOf, sha256Hex, ulid } from "../../base/index.ts";
import { type BusMessage, type Refusal, refuse } from "../../view/index.ts";
import { askAboutOverrides } from "./ask-about-overrides.ts";
import { type Author, type Bus, isRefused, RUNTIME, type Said } from "./bus.ts";
import {
  type Envelope,
  type Priority,
  parseEnvelope,
  renderEnvelope,
  URGENT_PREFIX,
} from "./envelope.ts";
import type { Mailbox, MailFile } from "./mailbox.ts";
import { ownIdem, post } from "./post.ts";

/** Of one sender, mail that is not urgent is taken once in this time. */
export const MAIL_PAUSE_MS = 15 * 60_000;

/** What came of the files in a mailbox. */
export interface TakenMail {
  readonly taken: readonly { readonly file: string; readonly id: string; readonly from: string }[];
  /** Files that are too soon after their sender's last one; they stay where they are. */
  readonly waiting: readonly { readonly file: string; readonly until: string }[];
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
}

/** A mail that is to go out. */
export interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly priority: Priority;
}

/** Where a project's mail lies, unless another folder is named. */
export function mailFolder({ place }: Pick<Bus, "place">): string {
  return join(place.store, "mail");
}

const isUrgent = (name: string): boolean => name.startsWith(URGENT_PREFIX);

/**
 * Takes the mail that lies in a folder onto a bus. Anybody can put a file there, so it is the
 * runtime that says what was found, and the sender is what the envelope says and no more. A file
 * that was recorded but not moved, because somebody stopped us between, is not recorded again.
 */
export async function takeMail(on: Bus, box: Mailbox): Promise<TakenMail> {
  const outcome: Outcome = { taken: [], waiting: [], refused: [] };
  for (const file of box.waiting(isUrgent)) await takeFile(on, box, file, outcome);
  return outcome;
}

type Outcome = { [K in keyof TakenMail]: TakenMail[K][number][] };

async function takeFile(on: Bus, box: Mailbox, file: MailFile, outcome: Outcome): Promise<void> {
  const { name, content } = file;
  const envelope = Buffer.isBuffer(content) ? readEnvelope(content) : content.problem;
  if (typeof envelope === "string" || !Buffer.isBuffer(content)) {
    const reason = String(envelope);
    box.refuse(name, reason);
    outcome.refused.push({ file: name, reason });
    return;
  }
  const idem = `mail ${sha256Hex(content)} ${sha256Hex(name).slice(0, 16)}`;
  const until =
    isUrgent(name) || on.isRecorded(ownIdem(RUNTIME, idem)) ? undefined : pauseOf(on, envelope);
  if (until !== undefined) {
    outcome.waiting.push({ file: name, until });
    return;
  }
  const said = await post(on, RUNTIME, { ...sayingOf(envelope), idem });
  if (isRefused(said)) {
    box.refuse(name, said.reason);
    outcome.refused.push({ file: name, reason: said.reason });
    return;
  }
  // Before it is put away: who is stopped here takes the same file once more, and asks then.
  const source = `a mail that says it is from ${envelope.from}`;
  await askAboutOverrides(on, source, `${envelope.subject}\n\n${envelope.text}`);
  box.archive(name);
  outcome.taken.push({ file: name, id: said.id, from: envelope.from });
}

function readEnvelope(content: Buffer): Envelope | string {
  try {
    return parseEnvelope(decodeUtf8(content));
  } catch (error) {
    return messageOf(error);
  }
}

/** A file that waits, as its envelope says; or what is wrong with it. */
export interface WaitingMail extends Partial<Omit<Envelope, "text">> {
  readonly file: string;
  readonly problem?: string;
}

/** The files that wait in a mailbox; looking takes none of them. */
export function listMail(box: Mailbox): WaitingMail[] {
  return box.waiting(isUrgent).map(({ name, content }) => {
    const read = Buffer.isBuffer(content) ? readEnvelope(content) : content.problem;
    if (typeof read === "string") return { file: name, problem: read };
    const { text: _, ...head } = read;
    return { file: name, ...head };
  });
}

function sayingOf({ to, from, priority, subject, text }: Envelope) {
  return {
    text: `Mail for ${to}, which says it is from ${from}: ${subject}\n\n${text}`,
    meta: { "mail-to": to, "mail-from": from, "mail-priority": priority.toLowerCase() },
  };
}

/** When the next mail of the same sender, or to the same receiver, may go; undefined where it may now. */
function pauseOf(on: Bus, { from }: Envelope): string | undefined {
  return nextAfter(on, ({ role, meta }) => role === "runtime" && meta?.["mail-from"] === from);
}

function nextAfter(on: Bus, isOne: (message: BusMessage) => boolean): string | undefined {
  const last = on.talk().messages.findLast(isOne);
  if (last === undefined) return undefined;
  const next = Date.parse(last.at) + MAIL_PAUSE_MS;
  return next > on.place.clock() ? new Date(next).toISOString() : undefined;
}

/**
 * Sends a mail: says it on the bus, and puts an envelope into the box's `out`. The sender is the
 * author, whatever the text says.
 */
export async function sendMail(
  on: Bus,
  author: Author,
  box: Mailbox,
  mail: OutgoingMail,
): Promise<(Said & { readonly path: string }) | Refusal> {
  const { to, subject, text, priority } = mail;
  const envelope = { to, from: author.agent, priority, subject, text };
  const file = renderEnvelope(envelope);
  const problem = parseEnvelope(file);
  if (typeof problem === "string") return refuse("ACTION_GUARD", `it cannot be sent: ${problem}`);
  const until = priority === "URGENT" ? undefined : sentUntil(on, author, to);
  if (until !== undefined) {
    return refuse(
      "LIMIT_GUARD",
      `${to} had mail from ${author.agent} just now; the next may go at ${until}`,
    );
  }
  const meta = { "sent-to": to, "mail-priority": priority.toLowerCase() };
  const said = await post(on, author, { text: `Mail to ${to}: ${subject}\n\n${text}`, meta });
  if (isRefused(said)) return said;
  const prefix = priority === "URGENT" ? URGENT_PREFIX : "";
  const name = `${prefix}${ulid(on.place.clock())}-${to}.md`;
  return { ...said, path: box.send(name, file) };
}

function sentUntil(on: Bus, { agent }: Author, to: string): string | undefined {
  return nextAfter(on, (message) => message.agent === agent && message.meta?.["sent-to"] === to);
}
