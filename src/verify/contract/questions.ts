/** What an agent may ask its lead while it works; everything beyond that it settles itself. */
const REQUESTS_MAX = 1;

/** A question in an agent's file, as it was read. */
interface WrittenQuestion {
  readonly kind: "CLARIFICATION_REQUEST" | "Human Escalation Required";
  readonly text: string;
  readonly line: number;
}

/** A question that somebody has to answer, or one that came too often to be heard. */
export interface AskedQuestion {
  readonly by: string;
  readonly to: "lead" | "person";
  readonly text: string;
  readonly line: number;
  /** False for what goes beyond the one question an agent has. */
  readonly heard: boolean;
}

/**
 * Sorts an agent's questions by who is to answer them. It has one for its lead: a second one is
 * listed and not heard, so that nobody is worn down by asking. What is for a person is always heard.
 */
export function askedQuestions(
  by: string,
  questions: readonly WrittenQuestion[],
): { readonly asked: AskedQuestion[]; readonly notes: string[] } {
  let requests = 0;
  const asked = questions.map(({ kind, text, line }): AskedQuestion => {
    if (kind !== "CLARIFICATION_REQUEST") return { by, to: "person", text, line, heard: true };
    requests += 1;
    return { by, to: "lead", text, line, heard: requests <= REQUESTS_MAX };
  });
  if (requests <= REQUESTS_MAX) return { asked, notes: [] };
  const notes = [`${by} asked its lead ${requests} times, expected at most ${REQUESTS_MAX}`];
  return { asked, notes };
}
