import { SwornError, ulid } from "../../base/index.ts";
import type { BeatOpened } from "../../schema/index.ts";
import { type AskedQuestion, isBefore, type Refusal, refuse } from "../../view/index.ts";
import { openDueBeat } from "../beat/beat-voice.ts";
import { busVoice } from "../beat/bus-voice.ts";
import { nearest } from "../words/nearest.ts";
import { type Author, actorOf, type Bus, isLeading, isRefused, RUNTIME, type Said } from "./bus.ts";

/** What somebody wants to know, and what is assumed without an answer. */
export interface Asking {
  readonly text: string;
  readonly default: string;
  /** Its name; made up where there is none. */
  readonly question_id?: string | undefined;
  readonly blocks?: string | undefined;
  readonly tier?: number | undefined;
  /** When the default is taken, as an absolute time. */
  readonly deadline?: string | undefined;
  /** So many beats after this one the default is taken. */
  readonly beats?: number | undefined;
  readonly to?: readonly string[] | undefined;
}

/** A question as others see it. */
export interface QuestionState {
  readonly question_id: string;
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly text: string;
  readonly default: string;
  readonly state: "open" | "overdue" | "answered";
  readonly deadline: string | null;
  readonly due_beat: number | null;
  /** Agents that may answer besides lead and operator. */
  readonly to: readonly string[];
  readonly answer: string | null;
  readonly answered_by: string | null;
}

/** A look takes so many defaults at most; the rest is taken by the next one. */
const DEFAULTS_MAX = 100;

/** The tier of questions to the lead. */
const LEAD_TIER = 2;

/** Names under which the runtime asks: for a plan, and about words that would steer a reader. */
const OURS = /^(?:bq|override)-/;

/**
 * A deadline that is over would have the default taken before anybody could answer.
 *
 * @throws SwornError `INPUT_INVALID`, with the time.
 */
export function assertAhead(deadline: string | undefined, nowMs: number): void {
  if (deadline === undefined || Date.parse(deadline) > nowMs) return;
  const now = new Date(nowMs).toISOString();
  throw new SwornError("INPUT_INVALID", `the deadline ${deadline} is over: it is ${now} now`);
}

/**
 * Asks; the name of the question comes back with where it stands. An agent asks its lead once a
 * run, and keeps its assumption otherwise: whoever asks about everything does no work.
 */
export async function ask(
  on: Bus,
  author: Author,
  asking: Asking,
): Promise<(Said & { readonly question_id: string }) | Refusal> {
  const question_id = asking.question_id ?? `q-${ulid(on.place.clock()).toLowerCase()}`;
  if (OURS.test(question_id) && !isLeading(author) && author.role !== "runtime") {
    return refuse("ROLE_GUARD", `${question_id} is a name for the runtime's own questions`);
  }
  const isLimited = asking.tier === LEAD_TIER && !isLeading(author);
  const idem = `ask the lead ${author.agent} ${author.run ?? ""}`;
  const answer = await on.record({
    actor: actorOf(author),
    ...(isLimited ? { idem } : {}),
    type: "question_asked",
    body: {
      question_id,
      text: asking.text,
      default: asking.default,
      ...(await detailsOf(on, asking)),
    },
  });
  if (!isRefused(answer)) return { ...answer, question_id };
  return isLimited && answer.rule === "IDENTITY_GUARD" && on.isRecorded(idem)
    ? refuse("LIMIT_GUARD", `${author.agent} asked its lead once already in this run`)
    : answer;
}

/** What of a question may be left out. */
async function detailsOf(on: Bus, { blocks, tier, deadline, beats, to = [] }: Asking) {
  return {
    ...(blocks === undefined ? {} : { blocks }),
    ...(tier === undefined ? {} : { tier }),
    ...(deadline === undefined ? {} : { deadline }),
    ...(beats === undefined ? {} : { due_beat: await beatIn(on, beats) }),
    ...(to.length === 0 ? {} : { to: [...to] }),
  };
}

/** The beat that comes so many after the one of now, which is opened for it. */
async function beatIn(on: Bus, beats: number): Promise<number> {
  const beat = await openDueBeat(busVoice(on), { phase: "plan" });
  if (beat !== undefined) return beat.beat_index + beats;
  throw new SwornError("INPUT_INVALID", `${on.trace} is over: nothing more is asked there`);
}

/**
 * Answers a question, by its name or by its message's.
 *
 * @throws SwornError `NOT_FOUND` when it was never asked, with the one that was probably meant.
 */
export async function answer(
  on: Bus,
  author: Author,
  wanted: string,
  text: string,
): Promise<Said | Refusal> {
  const { question_id } = findQuestion(on, wanted);
  return on.record({
    actor: actorOf(author),
    type: "question_answered",
    body: { question_id, answer: text },
  });
}

/** @throws SwornError as {@link answer}. */
export function findQuestion(on: Bus, wanted: string): AskedQuestion {
  const { questions } = on.talk();
  // Plans spell the names of their questions in capitals.
  const found =
    questions.get(wanted) ??
    questions.get(wanted.toLowerCase()) ??
    [...questions.values()].find(({ id }) => id === wanted);
  if (found) return found;
  const open = [...questions.values()].filter((one) => one.answer === undefined);
  const meant = nearest(
    wanted,
    open.map(({ question_id }) => question_id),
  );
  const hint = meant === undefined ? `${open.length} are open` : `did you mean ${meant}?`;
  const name = JSON.stringify(wanted.slice(0, 100));
  throw new SwornError("NOT_FOUND", `no question ${name} was asked here; ${hint}`);
}

/** All questions in the order in which they were asked. */
export function questionsOf(on: Bus): QuestionState[] {
  const nowMs = on.place.clock();
  const { questions, beat } = on.talk();
  return [...questions.values()].map((asked) => ({
    question_id: asked.question_id,
    id: asked.id,
    at: asked.at,
    by: asked.by,
    text: asked.text,
    default: asked.default,
    state: asked.answer ? "answered" : isOverdue(asked, beat, nowMs) ? "overdue" : "open",
    deadline: asked.deadline ?? null,
    due_beat: asked.due_beat ?? null,
    to: asked.to ?? [],
    answer: asked.answer?.text ?? null,
    answered_by: asked.answer?.by ?? null,
  }));
}

/** What is due by a beat is judged by the beats of the record, whatever the clock says. */
function isOverdue(
  { deadline, due_beat: due }: AskedQuestion,
  beat: BeatOpened | undefined,
  nowMs: number,
): boolean {
  if (due !== undefined) return !isBefore(beat, due);
  return deadline !== undefined && Date.parse(deadline) <= nowMs;
}

/**
 * Takes the defaults of questions that nobody answered in time. Two processes that do it at once
 * take each of them once, and an answer that came meanwhile stands.
 */
export async function takeDefaults(on: Bus): Promise<readonly string[]> {
  const nowMs = on.place.clock();
  const open = [...on.talk().questions.values()].filter((asked) => asked.answer === undefined);
  const isCounted = open.some(({ due_beat: due }) => due !== undefined);
  if (isCounted) await openDueBeat(busVoice(on), { phase: "work" });
  const { beat } = on.talk();
  const overdue = open.filter((asked) => isOverdue(asked, beat, nowMs));
  const taken: string[] = [];
  for (const { question_id, default: assumed } of overdue.slice(0, DEFAULTS_MAX)) {
    const said = await on.record({
      actor: actorOf(RUNTIME),
      type: "question_answered",
      body: { question_id, answer: assumed, by_default: true },
      idem: `default ${question_id}`,
    });
    if (!isRefused(said)) taken.push(question_id);
  }
  return taken;
}
