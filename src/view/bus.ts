import type { Body, Entry, EventType, MessageKind, Role, ThreadKind } from "../schema/index.ts";
import { messageIdOf } from "./talking.ts";

/** Something on a bus, whatever type of entry it is. */
export interface BusMessage {
  readonly id: string;
  readonly at: string;
  readonly kind: MessageKind;
  readonly agent: string;
  readonly role: Role;
  readonly run?: string;
  readonly text: string;
  readonly parents: readonly { readonly id: string; readonly kind: ThreadKind | "other" }[];
  readonly issue_id?: string;
  readonly links?: Body<"message_posted">["links"];
  readonly meta?: Readonly<Record<string, string>>;
  /** The digest of the whole text, where this is only its beginning. */
  readonly attachment?: string;
  /** What it is about, for those that are not just said: a question, a fact, a run, a decision. */
  readonly about?: string;
}

/** How an entry of one type reads on a bus. */
type Saying = Pick<BusMessage, "kind" | "text"> & Partial<BusMessage>;
type Sayings = { readonly [T in EventType]?: (body: Body<T>) => Saying };

const SAYINGS: Sayings = {
  message_posted: ({ text, kind = "INFO", parents: _, ...more }) => ({
    text,
    kind,
    ...defined(more),
  }),
  question_asked: ({ question_id, text, default: assumed, deadline }) => ({
    kind: "QUESTION",
    text: `${text}\n\nWithout an answer${deadline === undefined ? "" : ` by ${deadline}`}: ${assumed}`,
    about: question_id,
  }),
  question_answered: ({ question_id, answer, by_default }) => ({
    kind: "ANSWER",
    text: by_default ? `Nobody answered in time, so the default holds: ${answer}` : answer,
    about: question_id,
  }),
  decision_recorded: ({ decision_id, context, choice }) => ({
    kind: "DECISION",
    text: `${context}: ${choice}`,
    about: decision_id,
  }),
  fact_recorded: ({ fact_id, title, text }) => ({
    kind: "FACT",
    text: `${title}\n\n${text}`,
    about: fact_id,
  }),
  run_started: ({ run_id, agent, depth }) => ({
    kind: "RUN_START",
    text: `${agent} began run ${run_id}${depth === 0 ? "" : `, ${depth} deep`}`,
    about: run_id,
  }),
  run_completed: ({ run_id, status, exit_code, summary }) => ({
    kind: status === "failed" ? "RUN_CRASH" : "RUN_STOP",
    text: [
      `run ${run_id} ended: ${status}${exit_code === undefined ? "" : ` (exit ${exit_code})`}`,
      ...(summary === undefined ? [] : [summary]),
    ].join("\n\n"),
    about: run_id,
  }),
};

const THREADS: ReadonlySet<string> = new Set([
  "reply",
  "answers",
  "blocks",
  "supersedes",
  "relates_to",
  "depends_on",
  "child_of",
] satisfies ThreadKind[]);

/** An entry as a message; undefined for those that are not on a bus. */
export function toMessage(entry: Entry): BusMessage | undefined {
  // The table is typed by type; which of its rows this is only shows when it runs.
  const say = SAYINGS[entry.type] as ((body: Entry["body"]) => Saying) | undefined;
  if (say === undefined) return undefined;
  const { actor, at, parents, seq } = entry;
  return {
    id: messageIdOf(seq),
    at,
    agent: actor.agent,
    role: actor.role,
    ...(actor.run === undefined ? {} : { run: actor.run }),
    parents: parents.map((parent) => ({
      id: messageIdOf(parent.seq),
      kind: THREADS.has(parent.kind) ? (parent.kind as ThreadKind) : "other",
    })),
    ...say(entry.body),
  };
}

function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Nothing but the members that were undefined is left out.
  return Object.fromEntries(members) as { [K in keyof T]: Exclude<T[K], undefined> };
}
