import { canonicalize } from "../base/index.ts";
import type { AdmissionDecision, AdmissionFacts } from "../schema/admission.ts";
import type { EventRequest } from "../schema/index.ts";

const CONTEXT_CHARS_MAX = 2_000;

/**
 * An admission as an event of a trace: the words for people in the body, and all of it, the facts
 * and the decision with its policy digest, policies and reasons, as evidence.
 *
 * @param id Names the decision within its session: a task may be judged more than once.
 */
export function admissionRequest(
  actor: EventRequest["actor"],
  id: string,
  facts: AdmissionFacts,
  decision: AdmissionDecision,
): EventRequest<"decision_recorded"> {
  const { reasons, exceptions, policy_digest } = decision;
  const words = [
    `admission of ${facts.task} at its ${facts.moment}, by policies ${policy_digest}`,
    ...reasons.map(({ rule, message }) => `${rule}: ${message}`),
    ...exceptions.map((used) => `exception ${used.id} from ${used.rule}`),
  ].join("\n");
  const name = `${id}.json`;
  return {
    actor,
    type: "decision_recorded",
    body: {
      decision_id: id,
      context: words.slice(0, CONTEXT_CHARS_MAX).toWellFormed(),
      options: ["allow", "deny"],
      choice: decision.decision,
      evidence: [name],
    },
    artifacts: [{ name, text: canonicalize({ facts, decision }), media_type: "application/json" }],
  };
}
