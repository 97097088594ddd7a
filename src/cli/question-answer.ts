import type { Answer } from "./io.ts";

/**
 * What a run gave that was asked a question about the project. A wrong form or quotation counts like
 * anything else that an agent says and that is not so.
 */
export function questionAnswer(answer: Answer, problems: readonly string[]): Answer {
  const words = problems.map((problem) => `WRONG ANSWER: ${problem}`);
  return {
    ...answer,
    exit: answer.exit === 0 && problems.length > 0 ? 4 : answer.exit,
    // The document of a run is an object.
    json: { ...(answer.json as object), answer_problems: problems },
    words: [answer.words, ...words].join("\n"),
  };
}
