import type { Gap } from "../../schema/review.ts";
import type { Subject } from "./subject.ts";

const NAMED_MAX = 5;
const NAME_CHARS_MAX = 100;

/**
 * What a change that only takes away leaves to be said. Nothing found must not read as all well:
 * reviewers look at what is there, and nobody looked for what misses what is gone.
 */
export function onlyRemoved({ files, deleted, gaps }: Subject): Gap[] {
  if (files.length > 0 && files.every(({ added }) => added?.length === 0)) {
    const what = files.length === 1 ? "1 changed file" : `${files.length} changed files`;
    const why =
      "this change brings no line, it only takes lines out; what misses them was not looked for";
    return [{ what, why }];
  }
  if (files.length + gaps.length > 0 || deleted.length === 0) return [];
  const named = deleted
    .slice(0, NAMED_MAX)
    .map(({ path }) => path.toWellFormed().slice(-NAME_CHARS_MAX));
  const more = deleted.length > NAMED_MAX ? " and others" : "";
  return [
    {
      what: deleted.length === 1 ? "1 deleted file" : `${deleted.length} deleted files`,
      why: `nothing was reviewed: this change only deletes (${named.join(", ")}${more}), and what still needs them was not looked for`,
    },
  ];
}
