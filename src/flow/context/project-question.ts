import { ANSWER_FORM, checkOutputOrder } from "../../plan/knowledge/index.ts";
import { type ContextRequest, openContext } from "./open-context.ts";
import { renderContext } from "./render-context.ts";

/** The parts that a question about a project starts from. */
const SELECTORS = ["summary", "decisions", "facts"];

/** A question as an agent gets it, and the context that its answer has to quote. */
export interface ProjectQuestion {
  readonly prompt: string;
  readonly given: string;
}

/**
 * Puts a question about the project: the project's own context stands first, in brief and fetched
 * once, then the form of the answer, then the question.
 */
export async function projectQuestion(
  question: string,
  from: Omit<ContextRequest, "selectors" | "scope">,
): Promise<ProjectQuestion> {
  const context = await openContext({ ...from, selectors: SELECTORS, scope: "brief" });
  const given = renderContext(context);
  const prompt = [given, ANSWER_FORM.join("\n"), "## The question", question.trim()].join("\n\n");
  return { prompt, given };
}

/** What is wrong with an answer to it, in words; empty when nothing is. */
export function answerProblems({ given }: ProjectQuestion, answer: string): string[] {
  return checkOutputOrder(answer, { isFirst: true, given });
}
