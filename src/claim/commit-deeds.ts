import type { FileDeed } from "./file-deeds.ts";
import type { SaidWork } from "./said-work.ts";

const MESSAGE_CHARS_MAX = 100_000;
const DEEDS_MAX = 200;

const NAME = "[\\p{L}\\p{N}_.@-]{1,200}";
const ENDING =
  "(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|sql|json|ya?ml|toml|xml|html?|css|scss|mdx?|txt|vue|svelte|lock|proto|graphql|tf|gradle)";
/** Without quotes only a folder and an ending of files tell a path from prose: `Node.js` is none. */
const PATH = `(?:\`(?:\\./)?(?:${NAME}/){0,20}${NAME}\\.[A-Za-z][A-Za-z0-9]{0,9}\`|(?:\\./)?(?:${NAME}/){1,20}[\\p{L}\\p{N}_.@-]{0,200}\\.${ENDING}(?![\\p{L}\\p{N}_/@:-]|\\.[\\p{L}\\p{N}]))`;
const PATHS = `${PATH}(?:(?:,\\s?|,?\\s(?:and|&)\\s)${PATH}){0,20}`;
/** Words between a verb and the file that it is about. */
const BETWEEN =
  "(?:(?:the|a|an|new|old|empty|unused|missing|obsolete|initial|file|files|script|module)\\s){0,4}";
/** `feat(api): `, which comes before the sentence itself. */
const PREFIX = "(?:[a-z]{2,12}(?:\\([^()]{1,40}\\))?!?:\\s)?";
const DONE = new RegExp(
  `^${PREFIX}(?:(add|create)|(?:remove|delete))(?:s|d|ed)?\\s${BETWEEN}(${PATHS})(.{0,500})$`,
  "iu",
);
const MOVED = new RegExp(
  `^${PREFIX}(?:rename|move)(?:s|d)?\\s${BETWEEN}(${PATH})\\s(?:in)?to\\s(${PATH}|\`?(?:${NAME}/){1,20}\`?(?=[\\s.]|$))[.]?$`,
  "iu",
);
/** A sentence that goes on like this still speaks of the whole file. */
const GOES_ON = /^(?:[.!]?$|\s?[,;(–—]|\s-\s|\s(?:with|that|which|and (?:its|a|an|the|some))\s)/i;
/** And like this of something that is added to, or taken from, another one. */
const ELSEWHERE =
  /\b(?:to|from|in|into|for|of|at|on|as|under|if|unless|when|list|again|instead)\b/i;
/** A package or a module of another host is named like a file, and is none of ours. */
const FOREIGN = /^(?:@|[^/]+\.[a-z]{2,}\/)/i;

/**
 * What a commit's message says of whole files, in the mood that such messages are written in: "Add
 * src/a.js". Only sentences that say nothing but that are taken, because the same verb with the same
 * path is as often about something else: "Add src/a.js to the build".
 */
export function commitDeeds(message: string): SaidWork[] {
  const said: SaidWork[] = [];
  for (const sentence of sentencesOf(message)) {
    if (said.length >= DEEDS_MAX) break;
    for (const deed of deedsOf(sentence)) said.push({ kind: "file", text: sentence, ...deed });
  }
  return said.filter((one) => !isTakenBack(one, said));
}

/** What one line adds and another takes away came and went between two commits. */
function isTakenBack(one: SaidWork, all: readonly SaidWork[]): boolean {
  return all.some(
    (other) =>
      one.kind === "file" &&
      other.kind === "file" &&
      one.path === other.path &&
      one.how !== other.how,
  );
}

function deedsOf(sentence: string): FileDeed[] {
  const [, from, to] = MOVED.exec(sentence) ?? [];
  if (from !== undefined && to !== undefined) {
    const isFolder = to.replaceAll("`", "").endsWith("/");
    return [
      { path: plain(from), how: "deleted" as const },
      ...(isFolder ? [] : [{ path: plain(to), how: "added" as const }]),
    ].filter(({ path }) => !FOREIGN.test(path));
  }
  const [, added, paths = "", rest = ""] = DONE.exec(sentence) ?? [];
  if (paths === "" || !GOES_ON.test(rest) || ELSEWHERE.test(rest)) return [];
  const how = added === undefined ? "deleted" : "added";
  return [...paths.matchAll(new RegExp(PATH, "gu"))]
    .map(([path]) => ({ path: plain(path), how }) as const)
    .filter(({ path }) => !FOREIGN.test(path));
}

const plain = (path: string): string => path.replaceAll("`", "").replace(/^\.\//, "");

/** Subject, paragraphs and items, each as one line; only what begins one, or is a new sentence, counts. */
function sentencesOf(message: string): string[] {
  const text = message
    .slice(0, MESSAGE_CHARS_MAX)
    .replace(/^(?:```|~~~)[\s\S]*?^(?:```|~~~).*$/gm, "");
  const [subject = "", ...body] = text.split("\n");
  const parts = body.join("\n").split(/\n\s*\n|\n(?=\s{0,8}[-*+] )/);
  const sentences = parts.flatMap((part) => {
    const line = part.replace(/\s+/g, " ").trim().slice(0, 2_000);
    return line.replace(/^[-*+] /, "").split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  });
  // In the body a small letter goes on with a sentence; a subject begins with any.
  return [subject.trim().slice(0, 1_000), ...sentences.filter((one) => /^\p{Lu}/u.test(one))];
}
