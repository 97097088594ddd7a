import type { CompletionDocument } from "../../schema/completion.ts";
import type { WorkReport } from "../../schema/work.ts";
import { refutedWords } from "../../view/index.ts";

const NOT_PROPOSED = "the definition of done was not worked out: this was not proposed as complete";

/**
 * All that nobody has shown of a work: what its report leaves open, what its authors say against it themselves,
 * what they said that was not so, and what the definition of done lacks.
 */
export function unconfirmed(report: WorkReport, completion: CompletionDocument | null): string[] {
  const { unproven, subtasks } = report;
  const flaws = subtasks.flatMap(({ id, tries }) =>
    (tries.at(-1)?.flaws ?? []).map((flaw) => `${id}: its author says: ${flaw}`),
  );
  const lacking = (completion?.done ?? []).flatMap(({ item, state, reason, decision_id }) => {
    if (state === "done") return [];
    const by = decision_id === undefined ? "" : ` (put off by the decision ${decision_id})`;
    return [`${item}: ${reason}${by}`];
  });
  const isKnown = completion !== null;
  return [...unproven, ...flaws, ...refutedWords(report), ...(isKnown ? lacking : [NOT_PROPOSED])];
}
