import { pathProblem } from "./judge-path.ts";
import type { Part } from "./part.ts";

const CHARS_MAX = 1_000;
/** A path that leads out of every project, whether or not its end looks like a file's. */
const OUTSIDE = /^(?:\/|~\/|\.\.\/|[A-Za-z]:[\\/])[^\s<>|"'`*?={};,()]+$/;
/** A first line that is a comment and nothing else. */
const COMMENT = /^\s{0,20}(?:#|\/\/|--|;|%|<!--)\s(.*)$/;

/**
 * What a part without a name of its own is said to be called where that name leads out of the project,
 * and why it is refused. Nothing would be taken anyway; whoever wrote it has to hear the right reason.
 */
export function outsideName({ lead, info = "", content }: Part) {
  const [first = ""] = content.slice(0, CHARS_MAX).split("\n", 1);
  const path = [lead, info, COMMENT.exec(first)?.[1] ?? ""]
    .filter((text) => text.length <= CHARS_MAX)
    .flatMap((text) => text.split(/[\s`*]+/))
    .map((word) => word.replace(/[:.,]$/, ""))
    .find((word) => OUTSIDE.test(word));
  const reason = path === undefined ? undefined : pathProblem(path);
  return path === undefined || reason === undefined ? undefined : { path, reason };
}
