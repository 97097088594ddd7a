import { type Head, readHead } from "./head.ts";

/** Words that say how bad something is; the ones of everyday speech only beside a noun that makes them a level. */
const LEVEL =
  /\b(?:P[0-3]|critical|blocker)\b|\b(?:high|medium|moderate|low|major|minor)[\s-](?:severity|priority|risk|impact)\b|\b(?:severity|priority)[\s*_:]{1,5}(?:high|medium|moderate|low|major|minor)\b/i;
const COUNT = /^(?:\d|none\b|no\b|$)/i;

/**
 * Why text that started no finding has to be told of, or nothing. A list item is told of where it
 * has a level and a line of a file; a paragraph only where it begins with the level, because prose
 * speaks of places all the time.
 */
export function looksLikeFinding(text: string, kind: "item" | "paragraph"): string | undefined {
  const head = readHead(text);
  if (hasLine(head)) {
    const isLevelled = head.priority !== undefined || (kind === "item" && LEVEL.test(text));
    const why =
      'has a priority and a place, and is not written as a finding: "- **P1** `file:12` text"';
    return isLevelled ? why : undefined;
  }
  // "- P1: 2 findings" counts, and says of none what it is.
  const isNamed = kind === "item" && head.hasTag && !COUNT.test(head.title);
  return isNamed && head.places.length === 0
    ? "names no file, so that nothing can be checked"
    : undefined;
}

/** Whether a paragraph says in bold how bad something is, and where: `**P1: Title** (`a.js:8`)`. */
export function isLevelledParagraph(head: Head, text: string): boolean {
  return /^\s{0,3}(?:\*\*|__)/.test(text) && head.hasTag && head.title !== "" && hasLine(head);
}

export const hasLine = ({ places }: Pick<Head, "places">): boolean =>
  places.some(({ line }) => line !== undefined);
