import type { BeatOpened, Body, Entry, Role } from "../schema/index.ts";
import { Handover } from "../schema/plan.ts";
import { type BusMessage, toMessage } from "./bus.ts";
import { messageIdOf } from "./talking.ts";

/** A question as it stands. */
export interface AskedQuestion extends Readonly<Body<"question_asked">> {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  answer?: { readonly text: string; readonly by: string; readonly isDefault: boolean };
}

/** A fact as it stands. */
export interface KnownFact extends Readonly<Body<"fact_recorded">> {
  readonly id: string;
  readonly at: string;
  readonly by: string;
}

/** A run as it stands. */
export interface KnownRun extends Readonly<Body<"run_started">> {
  readonly id: string;
  readonly started: string;
  ended?: string;
  end?: Readonly<Omit<Body<"run_completed">, "run_id">>;
}

/** A word of the lead's about the whole task. */
export interface LeadNote {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly text: string;
}

/** What the lead's plan was made from. */
export interface BoardLock {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly digest: string;
}

/** The plan that the gate judged last, and what it wrote about it. */
export interface GatedPlan {
  /** The message that holds the plan. */
  readonly id: string;
  readonly digest: string;
  /** Absent between the two messages of one judgement. */
  handover?: Handover;
}

/** All that was said in one trace, by what it is about; a pure fold of its entries. */
export interface Talk {
  /** The number of entries it was folded from. */
  size: number;
  task: string | undefined;
  state: string;
  last: string | undefined;
  /** The beat that was opened last. */
  beat: BeatOpened | undefined;
  readonly messages: BusMessage[];
  readonly questions: Map<string, AskedQuestion>;
  readonly facts: Map<string, KnownFact>;
  readonly runs: Map<string, KnownRun>;
  /** The last word of each agent that is neither a question nor an answer. */
  readonly lastWords: Map<string, BusMessage>;
  note: LeadNote | undefined;
  lock: BoardLock | undefined;
  plan: GatedPlan | undefined;
}

/** Members of the runtime's own messages by which a judged plan and its hand-over record are known. */
export const PLAN_DIGEST = "plan-digest";
export const HANDOVER = "handover";
/** Members of a message's `meta` by which the lead's two special messages are known. */
export const STATE_NOTE = "state-note";
export const BOARD_DIGEST = "board-digest";
const LEADING: readonly Role[] = ["planner", "operator"];

export function emptyTalk(): Talk {
  return {
    size: 0,
    task: undefined,
    state: "initialized",
    last: undefined,
    beat: undefined,
    messages: [],
    questions: new Map(),
    facts: new Map(),
    runs: new Map(),
    lastWords: new Map(),
    note: undefined,
    lock: undefined,
    plan: undefined,
  };
}

/** Takes an entry into the talk, in place. */
export function applyTalk(talk: Talk, entry: Entry): void {
  const message = toMessage(entry);
  if (message) talk.messages.push(message);
  talk.size = entry.seq + 1;
  talk.last = entry.at;
  remember(talk, entry, message);
}

function remember(talk: Talk, entry: Entry, message: BusMessage | undefined): void {
  const { at, seq } = entry;
  const by = entry.actor.agent;
  const own = { id: messageIdOf(seq), at, by };
  switch (entry.type) {
    case "session_initialized":
      talk.task = entry.body.task;
      break;
    case "beat_opened":
      talk.beat = entry.body;
      break;
    case "question_asked":
      talk.questions.set(entry.body.question_id, { ...entry.body, ...own });
      break;
    case "question_answered":
      rememberAnswer(talk, entry);
      break;
    case "fact_recorded":
      talk.facts.set(entry.body.fact_id, { ...entry.body, ...own });
      break;
    case "run_started":
      talk.runs.set(entry.body.run_id, { ...entry.body, id: own.id, started: at });
      break;
    case "run_completed":
      rememberEnd(talk, entry);
      break;
    case "message_posted":
      if (message) rememberWords(talk, entry, message);
      break;
    default:
    // Nothing else is talked about.
  }
}

function rememberAnswer(talk: Talk, { body, actor }: Entry<"question_answered">): void {
  const question = talk.questions.get(body.question_id);
  if (!question) return;
  question.answer = { text: body.answer, by: actor.agent, isDefault: body.by_default === true };
}

function rememberEnd(talk: Talk, { body, at }: Entry<"run_completed">): void {
  const run = talk.runs.get(body.run_id);
  if (!run) return;
  const { run_id: _, ...end } = body;
  Object.assign(run, { ended: at, end });
}

/** Only whoever leads changes what holds for the whole task; of others it is just a message. */
function rememberWords(
  talk: Talk,
  { actor, body, at }: Entry<"message_posted">,
  message: BusMessage,
) {
  if (actor.role === "runtime" && rememberPlan(talk, body, message)) return;
  const isLeading = LEADING.includes(actor.role);
  const digest = isLeading ? body.meta?.[BOARD_DIGEST] : undefined;
  const own = { id: message.id, at, by: actor.agent };
  if (digest !== undefined) talk.lock = { ...own, digest };
  else if (isLeading && body.meta?.[STATE_NOTE] !== undefined) {
    talk.note = { ...own, text: body.text };
  } else talk.lastWords.set(actor.agent, message);
}

/** Only the runtime's word counts: an agent that could write this could declare its own plan ready. */
function rememberPlan(talk: Talk, { meta, text }: Body<"message_posted">, { id }: BusMessage) {
  const digest = meta?.[PLAN_DIGEST];
  if (digest === undefined) return false;
  if (meta?.[HANDOVER] === undefined) talk.plan = { id, digest };
  else if (talk.plan?.digest === digest) {
    const handover = toHandover(text);
    if (handover) talk.plan.handover = handover;
  }
  return true;
}

function toHandover(text: string): Handover | undefined {
  try {
    return Handover.safeParse(JSON.parse(text)).data;
  } catch {
    // No record, which keeps everything as it was.
    return undefined;
  }
}
