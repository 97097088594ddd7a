import type { OverrideWords } from "../../../plan/planner/index.ts";
import { findBroken, findOverrides } from "../../../scan/override/index.ts";

/** Override language in a request, by its lines. */
export function overridesInRequest(request: string): OverrideWords[] {
  return findOverrides(request).map(({ line, words, why }) => ({
    ...{ place: `Line ${line} of the request`, words, why },
  }));
}

/**
 * Override language in what a phase found, each once. Whoever looks at a project honestly repeats what
 * stands there, and it goes into the plan: the graph's planner can neither take it out nor log it.
 */
export function overridesIn(place: string, found: unknown): OverrideWords[] {
  const texts = textsOf(found);
  const hits = findOverrides(texts.join("\n"));
  const broken = hits.length === 0 ? findBroken(texts) : undefined;
  const all = broken === undefined ? hits : [broken];
  return all
    .filter(({ words }, at) => all.findIndex((one) => one.words === words) === at)
    .map(({ words, why }) => ({ place, words, why }));
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
