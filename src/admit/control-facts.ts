import { type AdmissionFacts, CONTROLS } from "../schema/admission.ts";

/**
 * What an engine can enforce, from what it says it cannot. A refusal of something that is not on the
 * list is about something nobody here knows, so nothing of what it says is relied on.
 */
export function controlFacts(refusals: readonly { control: string }[]): AdmissionFacts["controls"] {
  const refused = new Set(refusals.map(({ control }) => control));
  const known: readonly string[] = CONTROLS;
  const isUnderstood = [...refused].every((control) => known.includes(control));
  const facts = CONTROLS.map((control) => [control, isUnderstood && !refused.has(control)]);
  // Every name of the list is there, which the type of fromEntries cannot say.
  return Object.fromEntries(facts) as AdmissionFacts["controls"];
}
