import { type Refusal, refuse, STATE_NOTE } from "../../view/index.ts";
import { type QuestionState, questionsOf } from "./ask.ts";
import { type Author, type Bus, isLeading, type Said } from "./bus.ts";
import { post } from "./post.ts";

/** Where a task stands. */
export interface TaskState {
  /** The task, or null for the project. */
  readonly task: string | null;
  readonly trace: string;
  readonly state: string;
  readonly entries: number;
  readonly last_entry_at: string | null;
  readonly runs: { readonly total: number; readonly running: readonly string[] };
  readonly open_questions: readonly QuestionState[];
  /** What whoever leads says about it, in their own words. */
  readonly note: { readonly text: string; readonly by: string; readonly at: string } | null;
}

export function stateOf(on: Bus): TaskState {
  const { state, size, last, runs, note } = on.talk();
  const running = [...runs.values()].filter(({ end }) => end === undefined);
  return {
    task: on.task ?? null,
    trace: on.trace,
    state,
    entries: size,
    last_entry_at: last ?? null,
    runs: { total: runs.size, running: running.map(({ run_id }) => run_id) },
    open_questions: questionsOf(on).filter((one) => one.state !== "answered"),
    note: note === undefined ? null : { text: note.text, by: note.by, at: note.at },
  };
}

/** Renews the note of a task's state. Only whoever leads does: others say what they say on the bus. */
export async function noteState(on: Bus, author: Author, text: string): Promise<Said | Refusal> {
  return isLeading(author)
    ? post(on, author, { kind: "PROGRESS", text, meta: { [STATE_NOTE]: "renewed" } })
    : refuse("ROLE_GUARD", `the task's state is the lead's to renew, not ${author.agent}'s`);
}
