import { isFile } from "./file-deeds.ts";
import { SENTENCE_START, type Sentence } from "./sentences.ts";

const QUOTED = /`([^`\n]{1,300})`/g;
/** What a change does, in the words of its description, and how that is said of what was done. */
const DOES: ReadonlyMap<string, string> = new Map([
  ...["adds", "introduces", "introduced"].map((verb) => [verb, "added"] as const),
  ["creates", "created"],
  ...["removes", "deletes", "drops"].map((verb) => [verb, "removed"] as const),
  ...["updates", "modifies", "changes", "edits", "fixes", "refactors", "rewrites", "patches"].map(
    (verb) => [verb, "updated"] as const,
  ),
]);
const VERB = `(${[...DOES.keys()].join("|")})`;
/** A description is about its change, where no other subject is named. */
const STARTS = new RegExp(
  String.raw`${SENTENCE_START}(?:(?:this|the)\s(?:PR|pull\srequest|merge\srequest|MR|change|commit|patch|branch|diff)\s)?(?:(?:also|now|and|then)\s)?${VERB}\s`,
  "iu",
);
const GOES_ON = new RegExp(
  String.raw`(?:[,;]\s?|\s)(?:and|then|and\sthen|also|and\salso)?\s?\b${VERB}\s(?=(?:the\s|a\s|an\s|new\s|old\s|unused\s|file\s|module\s|script\s|helper\s){0,4}\x60)`,
  "giu",
);
/** What a program does, and not a change: it has a time, a place or an occasion. */
const AT_WORK =
  /\b(?:on|at|after|every|each|whenever|during|upon|by\sdefault|automatically|always|either|whether|returns?|given|input|user|caller|only|again|instead)\b/i;
/** "Changes to it are welcome", "Fixes for it come later". */
const IS_NOUN = /^\s(?:to|for|in|of|from|on|are|were|is|was|have)\b/i;
/** What leads in to what a program does. */
const PROGRAM =
  /(?:`|\b(?:function|script|command|method|tool|job|hook|class|helper)\b).*\b(?:does|do|performs?|works|runs|steps|on|when|then|at)\b/i;
const CHANGE = /\b(?:PR|pull request|merge request|change[sd]?|commit|patch|branch|diff)\b/i;
/** Of whole files; other words make it something that is put somewhere, or made of something. */
const OF_WHOLE =
  /^(?:[.!:]?$|\s?[,;(–—]|\s-\s|\s(?:with|that|which|and|containing|holding|because|since|as\swell|too)\b)/i;

interface Clause {
  readonly verb: string;
  readonly from: number;
  readonly to: number;
}

/**
 * A sentence that begins with what a change does, in words for what was done: "Adds `a.js`" as "added
 * `a.js`". Others stay as they are, because what a function does is said in the same way.
 * Where the one before it, or what leads in to its list, is about something else, so may it be.
 */
export function asDone({ before, lead }: Sentence, sentence: string): string {
  const first = STARTS.exec(sentence);
  if (first === null || isOfAnother(before) || isOfProgram(lead)) return sentence;
  const found = [first, ...sentence.slice(first[0].length).matchAll(GOES_ON)].map(
    ({ 0: words, 1: verb = "", index }, at): Clause => {
      const end = index + words.length + (at === 0 ? 0 : first[0].length) - 1;
      return { verb, from: end - verb.length, to: end };
    },
  );
  let text = "";
  let from = 0;
  for (const [at, clause] of found.entries()) {
    const rest = sentence.slice(clause.to, found[at + 1]?.from);
    const done = isOfChange(clause.verb, rest) ? DOES.get(clause.verb.toLowerCase()) : undefined;
    text += sentence.slice(from, clause.from) + (done ?? clause.verb);
    from = clause.to;
  }
  return text + sentence.slice(from);
}

const isOfProgram = (lead = ""): boolean => PROGRAM.test(lead) && !CHANGE.test(lead);

function isOfAnother(before: string | undefined): boolean {
  return before?.includes("`") === true && !STARTS.test(before);
}

/** Whether what stands behind a verb makes it a deed, and no doing of a program. */
function isOfChange(verb: string, rest: string): boolean {
  const files = [...rest.matchAll(QUOTED)].filter(({ 1: code = "" }) => isFile(code.trim()));
  const [first, last] = [files[0], files.at(-1)];
  if (first === undefined || last === undefined || IS_NOUN.test(rest)) return false;
  const behind = rest.slice(last.index + last[0].length);
  if (AT_WORK.test(behind.replace(QUOTED, "x"))) return false;
  const isWhole = !/\b(?:to|from|in|into|of|within|inside)\b/i.test(rest.slice(0, first.index));
  const isModified = DOES.get(verb.toLowerCase()) === "updated";
  return isModified || !isWhole || OF_WHOLE.test(behind);
}
