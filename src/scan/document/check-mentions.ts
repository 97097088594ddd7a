import { posix } from "node:path";
import type { Drift, PageInTree } from "./check-links.ts";
import { resolveIn } from "./tree-paths.ts";

/** Inline code that is a path: folders, a name, an ending; perhaps a line number. */
const PATH =
  /^(?:\.\/)?((?:[\w.@+-]{1,100}\/){1,12}[\w.@+-]{1,100}\.[A-Za-z][A-Za-z0-9]{0,7})(?::\d{1,7}(?:-\d{1,7})?)?$/;
/** Pages about what was or will be. */
const NOT_NOW =
  /(?:^|\/)(?:CHANGELOG|CHANGES|HISTORY|RELEASES?|NEWS|UPGRAD\w{0,10}|MIGRAT\w{0,10}|ROADMAP|TODO)[^/]{0,40}$|(?:^|\/)(?:adr|adrs|decisions|rfcs?|proposals?|plans?|specs?|changelogs?|releases?|archive|blog|posts|drafts?|\.changeset)\//i;
/** Sentences about files that are not there, or not yet, or in somebody else's tree. */
const NOT_HERE =
  /\b(?:creat\w{0,5}|generat\w{0,5}|writ(?:e|es|ten|ing)|wrote|produc\w{0,5}|emit\w{0,4}|output|saved?|delet\w{0,5}|remov\w{0,5}|renam\w{0,5}|mov(?:e|ed|es|ing)|former\w{0,5}|previous\w{0,5}|no longer|does not exist|doesn't exist|missing|nonexist\w{0,5}|not exist|old|legacy|was|were|will|would|could|should|might|e\.g\.|for example|such as|like|if (?:there|you|it)|optional\w{0,3}|your|upstream|instead of|add (?:a|an|the)|new|copy|download\w{0,4})\b/i;

/** Inline code that names a file of the tree which is not in the tree. */
export function checkMentions(inTree: PageInTree, lineOf: (line: number) => string): Drift[] {
  const { path, page, paths } = inTree;
  if (NOT_NOW.test(path)) return [];
  const folder = posix.dirname(path).replace(/^\.$/, "");
  return page.spans.flatMap(({ text, line }) => {
    const named = PATH.exec(text)?.[1];
    if (named === undefined || paths.isElsewhere(named) || paths.hasEnding(named)) return [];
    const candidates = [resolveIn("", named), resolveIn(folder, named)];
    if (candidates.some((one) => one === undefined || paths.has(one))) return [];
    if (!isOfThisTree(inTree, folder, named) || NOT_HERE.test(lineOf(line))) return [];
    return [
      {
        line,
        category: "missing-file",
        title: `${named} is mentioned and does not exist`,
        issue: "The tree has no file of that path; it was probably moved, renamed or removed.",
        priority: "P3" as const,
      },
    ];
  });
}

/** Only a path near existing folders is one of ours; the others are examples or another project's. */
function isOfThisTree({ paths }: PageInTree, folder: string, named: string): boolean {
  const own = named.slice(0, named.lastIndexOf("/"));
  const above = own.slice(0, Math.max(0, own.lastIndexOf("/")));
  return [own, above]
    .filter((one) => one !== "")
    .flatMap((one) => [resolveIn("", one), resolveIn(folder, one)])
    .some((one) => one !== undefined && one !== "" && paths.hasFolder(one));
}
