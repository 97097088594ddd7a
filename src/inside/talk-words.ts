import { table } from "./table.ts";

/** How a bus is called in a sentence. */
export function busWords({ task }: { readonly task?: string | null | undefined }): string {
  return task === undefined || task === null ? "the project's bus" : `the bus of ${task}`;
}

/** Where a task stands, as far as it is shown. */
export interface ToldState {
  readonly task: string | null;
  readonly trace: string;
  readonly state: string;
  readonly entries: number;
  readonly last_entry_at: string | null;
  readonly runs: { readonly total: number; readonly running: readonly string[] };
  readonly open_questions: readonly {
    readonly question_id: string;
    readonly text: string;
    readonly to: readonly string[];
  }[];
  readonly note: { readonly text: string; readonly by: string; readonly at: string } | null;
}

/** Where a task stands, for people. */
export function stateWords(state: ToldState): string[] {
  const { task, trace, entries, last_entry_at, runs, open_questions, note } = state;
  return [
    `${task ?? "the project"}: ${state.state}, ${entries} entries, the last at ${last_entry_at}`,
    `trace ${trace}`,
    `runs: ${runs.total}, running: ${runs.running.length === 0 ? "none" : runs.running.join(", ")}`,
    ...open_questions.map(({ question_id, text, to }) => {
      const who = to.length === 0 ? "" : ` (${to.join(", ")} may answer)`;
      return `open question ${question_id}${who}: ${text.split("\n")[0]}`;
    }),
    ...(note === null ? ["no note yet"] : [`note of ${note.by}, ${note.at}:`]),
    ...(note === null ? [] : note.text.split("\n").map((line) => `    ${line}`.trimEnd())),
  ];
}

/** A fact, or what was suggested as one. */
export interface ToldFact {
  readonly id: string;
  readonly agent: string;
  readonly at: string;
  readonly title: string;
}

/** Facts for people, and what agents suggest as such below them. */
export function factWords(facts: readonly ToldFact[], suggested: readonly ToldFact[]): string {
  const rows = [
    ...facts.map(({ id, agent, at, title }) => [id, agent, at, title]),
    ...suggested.map(({ id, agent, at, title }) => [id, agent, at, `(suggested) ${title}`]),
  ];
  return rows.length === 0 ? "no facts" : table(["FACT", "BY", "AT", "TITLE"], rows);
}

/** What was asked, for people. */
export function askedWords(
  { question_id, id }: { readonly question_id: string; readonly id: string },
  deadline: string | undefined,
): string {
  const until =
    deadline === undefined ? "" : `; without an answer by ${deadline}, the default holds`;
  return `Asked ${question_id} (${id})${until}.`;
}

/** What a deadline means: a moment, or so many minutes or hours from now (`30m`, `2h`). */
export function toMoment(given: string | number | undefined, nowMs: number): string | undefined {
  if (given === undefined) return undefined;
  const ms = typeof given === "number" ? nowMs + given * 60_000 : Date.parse(given);
  return new Date(ms).toISOString();
}
