import { type AskedQuestion, type Refusal, refuse } from "../../view/index.ts";
import { answer, findQuestion } from "./ask.ts";
import { type Author, type Bus, isRefused, RUNTIME, type Said } from "./bus.ts";

/** The tier of questions that a person decides. */
const PERSON_TIER = 3;

/**
 * Answers a question as an agent: only one that names it, whatever its role. The record's own rule
 * leaves out who asked: an agent that answered itself could have anything settled.
 *
 * @throws SwornError `NOT_FOUND` when it was never asked, with the one that was probably meant.
 */
export async function answerAsAgent(
  on: Bus,
  author: Author,
  wanted: string,
  text: string,
): Promise<(Said & { readonly question_id: string }) | Refusal> {
  const asked = findQuestion(on, wanted);
  const reason = author.role === "operator" ? PERSONS_WAY : notToAnswer(asked, author);
  if (reason !== undefined) return refuse("ROLE_GUARD", reason);
  const { question_id } = asked;
  const said = await answer(on, author, question_id, text);
  return isRefused(said) ? said : { ...said, question_id };
}

const PERSONS_WAY = 'a person answers with "sworn answer", not as an agent does';

function notToAnswer(asked: AskedQuestion, { agent }: Author): string | undefined {
  const { question_id, by, to = [], tier } = asked;
  const what = `question ${question_id}`;
  if (by === RUNTIME.agent) return `${what} is the runtime's, and for people to answer`;
  if (by === agent) return `${what} is ${agent}'s own: somebody else answers it`;
  if (!to.includes(agent)) return `${what} is not for ${agent} to answer`;
  return tier === PERSON_TIER ? `${what} is of tier ${tier}: a person decides it` : undefined;
}
