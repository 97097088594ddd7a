/** What a sentence says was done to a file. */
export interface FileDeed {
  readonly path: string;
  readonly how: "added" | "modified" | "deleted";
}

const VERBS =
  /\b(?:(created|added|wrote|generated)|(updated|modified|changed|edited|fixed|refactored|rewrote|patched)|(deleted|removed))\b/gi;
const QUOTED = /`([^`\n]{1,300})`/g;
/** With a folder any ending will do; a bare name needs one that files have: `user.name` is none. */
const PLACED = /^(?:\.\/)?[\p{L}\p{N}_.@-]+(?:\/[\p{L}\p{N}_.@-]+)+\.[A-Za-z0-9]{1,10}$/u;
const BARE =
  /^(?:\.\/)?(?:[\p{L}\p{N}_.@-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|sql|json|ya?ml|toml|xml|html?|css|scss|mdx?|txt|vue|svelte|lock|proto|graphql|tf|gradle)|Makefile|Dockerfile|LICENSE|README)$/iu;
/** Something else was taken away or added, and the file is where: its content changed. */
const WITHIN = /\b(?:from|in|inside|into|within|of|to|at|on)\b/i;
/** What may stand between a file and what is said of it afterwards. */
const OF_IT = /^(?:[\s,:;|–—*-]|\b(?:was|were|is|are|has|have|been|now|also|and)\b)*$/i;
const PASSIVE = /\b(?:was|were|been)\b/i;
/** Nothing else follows that could be what was taken away. */
const AT_THE_END = /^\s*(?:$|[|.,;:)!])/;

interface Verb {
  readonly from: number;
  readonly to: number;
  readonly how: FileDeed["how"];
}

/**
 * The files of a sentence, each with the verb that it belongs to: the last one before it, or the one
 * that is said of it afterwards. A sentence that takes something out of a file does not delete it.
 *
 * @param tree where whoever speaks worked: whole paths below it are read as those of its files, and
 *   others as what they are. Without it, whole paths are left out.
 */
export function fileDeeds(sentence: string, tree?: string): FileDeed[] {
  const verbs = [...sentence.replace(QUOTED, blank).matchAll(VERBS)].map(toVerb);
  return [...sentence.matchAll(QUOTED)].flatMap(({ 0: quote, 1: code = "", index }) => {
    const path = withinTree(code.trim(), tree);
    const isWhole = tree !== undefined && path.startsWith("/");
    const name = isWhole ? path.slice(1) : path;
    if (!PLACED.test(name) && !BARE.test(name)) return [];
    const how =
      deedBefore(sentence, verbs, index) ?? deedAfter(sentence, verbs, index + quote.length);
    return how === undefined ? [] : [{ path: path.replace(/^\.\//, ""), how }];
  });
}

function withinTree(path: string, tree: string | undefined): string {
  return tree !== undefined && path.startsWith(`${tree}/`) ? path.slice(tree.length + 1) : path;
}

function deedBefore(
  sentence: string,
  verbs: readonly Verb[],
  at: number,
): FileDeed["how"] | undefined {
  const verb = verbs.findLast(({ to }) => to <= at);
  if (verb === undefined) return undefined;
  const between = sentence.slice(verb.to, at).replace(QUOTED, blank);
  return WITHIN.test(between) ? "modified" : verb.how;
}

function deedAfter(
  sentence: string,
  verbs: readonly Verb[],
  at: number,
): FileDeed["how"] | undefined {
  const verb = verbs.find(({ from }) => from >= at);
  if (verb === undefined) return undefined;
  const between = sentence.slice(at, verb.from).replace(QUOTED, blank);
  if (!OF_IT.test(between)) return undefined;
  const isWhole = PASSIVE.test(between) || AT_THE_END.test(sentence.slice(verb.to));
  return verb.how === "deleted" && !isWhole ? "modified" : verb.how;
}

/** As long as before, so that places stay what they are; what is quoted is not said. */
const blank = (quote: string): string => " ".repeat(quote.length);

function toVerb({ 0: word, 1: added, 2: modified, index }: RegExpExecArray): Verb {
  const how = added !== undefined ? "added" : modified !== undefined ? "modified" : "deleted";
  return { from: index, to: index + word.length, how };
}
