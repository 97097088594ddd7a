/** A check of behaviour, in its three parts. */
export interface Behaviour {
  readonly state: string;
  readonly action: string;
  readonly outcome: string;
}

const KEYWORDS = ["GIVEN", "WHEN", "THEN"] as const;
const LOUD = [/\bWHEN\b/u, /\bTHEN\b/gu] as const;
const QUIET = [/\bwhen\b/iu, /\bthen\b/giu] as const;
/** Words of a template that nobody filled in. */
const PLACEHOLDER = /^[[<{][^\]>}]*[\]>}]$/;

/**
 * Reads `GIVEN … WHEN … THEN …`, in any case, with or without colons. A text that uses none of the
 * three words as a keyword is no such check and gives undefined; one that uses them wrongly gives
 * what is wrong with it.
 */
export function readBehaviour(text: string): Behaviour | string | undefined {
  const trimmed = text.trim();
  const isLoud = /\b(?:GIVEN|WHEN|THEN)\b/.test(trimmed);
  if (!/^given\b/i.test(trimmed)) {
    return isLoud ? "it does not begin with GIVEN" : undefined;
  }
  const [whenWord, thenWord] = isLoud ? LOUD : QUIET;
  const when = whenWord.exec(trimmed);
  const then = lastOf(trimmed, thenWord);
  if (!when) return "it has no WHEN";
  if (then === undefined) return "it has no THEN";
  if (then < when.index) return "its THEN comes before its WHEN";
  const parts = [
    trimmed.slice("GIVEN".length, when.index),
    trimmed.slice(when.index + "WHEN".length, then),
    trimmed.slice(then + "THEN".length),
  ].map((part) => part.replace(/^[\s:,]+/, "").replace(/[\s,]+$/, ""));
  const [state = "", action = "", outcome = ""] = parts;
  return unfilled(parts) ?? { state, action, outcome };
}

function unfilled(parts: readonly string[]): string | undefined {
  for (const [at, part] of parts.entries()) {
    if (!/[\p{L}\p{N}]/u.test(part)) return `nothing stands after its ${KEYWORDS[at]}`;
    if (PLACEHOLDER.test(part)) return `the place after its ${KEYWORDS[at]} was not filled in`;
  }
  return undefined;
}

function lastOf(text: string, pattern: RegExp): number | undefined {
  let last: number | undefined;
  for (const match of text.matchAll(pattern)) last = match.index;
  return last;
}
