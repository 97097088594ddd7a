import type { Citation } from "../../schema/finding.ts";
import type { Found } from "../reviewer.ts";
import type { PlainHit } from "./engine/interpreter.ts";
import type { Traced } from "./engine/resolve.ts";
import type { Place } from "./program.ts";

/** Lines of a sink that are quoted; the rest of a longer expression adds nothing. */
const QUOTED_LINES_MAX = 6;
const QUOTED_CHARS_MAX = 4_000;
const STEPS_MAX = 20;

/** Whole lines with their exact text, so that the quotation can be checked. */
function cite(file: string, lines: readonly string[], { line, endLine }: Place): Citation {
  const last = Math.min(endLine, line + QUOTED_LINES_MAX - 1, lines.length);
  const quote = lines.slice(line - 1, last).join("\n");
  const place = { file, line, ...(last > line ? { end_line: last } : {}) };
  return quote.length > QUOTED_CHARS_MAX || quote.trim() === "" ? place : { ...place, quote };
}

/** A traced hit in the words of a reviewer. */
export function toFinding(traced: Traced, file: string, lines: readonly string[]): Found {
  const { hit, priority, what, steps, isHandedBack } = traced;
  const { rule } = hit;
  const source = steps[0]?.line ?? hit.at.line;
  const also = hit.also === undefined ? [] : [cite(file, lines, hit.also)];
  const unknown = isHandedBack
    ? "; a function of another file, which was not looked into, gave it back and may have checked it"
    : "";
  const note = hit.note === undefined ? "" : ` ${hit.note}`;
  return {
    title: rule.title,
    priority,
    category: rule.category,
    citations: [cite(file, lines, hit.at), ...also],
    issue: `${capital(what)} (line ${source}) reaches ${spell(hit.what)} (line ${hit.at.line}) and no check on the way was found${unknown}. ${rule.harm}${note}`,
    fix: rule.fix,
    path: distinct(steps).map((step) => cite(file, lines, step)),
  };
}

const spell = (what: string) => (what.startsWith("the ") ? what : `\`${what}\``);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function distinct(steps: readonly Place[]): Place[] {
  const seen = new Set<number>();
  const kept = steps.filter(({ line }) => !seen.has(line) && seen.add(line));
  return kept.slice(-STEPS_MAX).map(({ line }) => ({ line, endLine: line }));
}

/** A finding about a call that needs no source. */
export function toPlainFinding(hit: PlainHit, file: string, lines: readonly string[]): Found {
  const { rule, at, priority, what } = hit;
  const place = cite(file, lines, at);
  return {
    title: rule.title,
    priority,
    category: rule.category,
    citations: [place],
    issue: `${what.startsWith("the ") ? capital(what) : `\`${what}\` is called`} here. ${rule.harm}`,
    fix: rule.fix,
    path: [cite(file, lines, { line: at.line, endLine: at.line })],
  };
}
