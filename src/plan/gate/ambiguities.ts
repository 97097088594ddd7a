import type { Plan, Verimap } from "../../schema/plan.ts";
import type { Violation } from "./gate-report.ts";
import { plainWords } from "./plain-words.ts";

type AnyPlan = Plan | Verimap;
type Ambiguity = AnyPlan["ambiguities_resolved"][number];

/** What stands where a decision should, and is none. */
const UNDECIDED =
  /^\W*(?:tbd|todo|tba|unknown|unresolved|undecided|open|pending|none|n\/?a|not (?:yet )?(?:decided|resolved|known|specified)|to be (?:decided|determined|defined|confirmed|answered)|waiting(?: for .*)?|see BQ-\d+|later|decided? later|(?:we(?:'ll| will| shall) )?see(?: later)?|up to .{1,60}|(?:the )?(?:worker|implementer|developer|builder|engineer|author)s? (?:decides?|chooses?|picks?|will decide|will choose)(?: .{0,60})?|it depends(?: .{0,60})?|whatever(?: .{0,60})?|either(?: one)?(?: is fine| works| will do)?)?\W*$/isu;
const ASSUMED =
  /\b(?:assum(?:e|es|ed|ing|ption)|presum(?:e|es|ed|ably)|guess(?:ed|ing)?|probably|for lack of an answer)\b/iu;

/** Whether nobody has decided it yet. */
export function isOpen({ resolution }: Pick<Ambiguity, "resolution">): boolean {
  // "T.B.D." and words with invisible letters between theirs are the same words.
  return UNDECIDED.test(plainWords(resolution).replaceAll(/(?<=\b[a-z])\.(?=[a-z]\b|$)/g, ""));
}

/** LAW 01: what is open is asked about, and what is assumed says how much hangs on it. */
export function checkAmbiguities(plan: AnyPlan): Violation[] {
  const open = plan.ambiguities_resolved.filter(isOpen);
  const asked = plan.blocking_questions.length;
  const violations: Violation[] = plan.ambiguities_resolved.flatMap((one, at) => {
    const isFree = one.assumption_risk === "LOW" && ASSUMED.test(one.resolution);
    const path = `ambiguities_resolved[${at}].assumption_risk`;
    const message =
      "it is assumed and not known: its risk is MEDIUM, or HIGH where another answer changes the plan";
    return isFree ? [{ rule: "law-01", path, message }] : [];
  });
  if (open.length > asked) {
    const message = `${open.length} ambiguities are open and ${asked} questions are asked: ask about each, or decide it and say at what risk`;
    violations.push({ rule: "law-01", path: "blocking_questions", message });
  }
  return violations;
}
