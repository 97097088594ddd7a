import { type FileDeed, fileDeeds } from "./file-deeds.ts";

/** What an agent says it did, as far as somebody who watched could know. */
export type SaidWork =
  | {
      readonly kind: "tests";
      readonly count: number | undefined;
      /** Whether it is said of all tests, and not of some. */
      readonly isOfAll: boolean;
      readonly text: string;
    }
  | ({ readonly kind: "file"; readonly text: string } & FileDeed)
  | { readonly kind: "command"; readonly command: string; readonly text: string };

const TEXT_CHARS_MAX = 1_000_000;
const SENTENCE_CHARS_MAX = 1_000;
const CLAIMS_MAX = 1_000;

const TESTS =
  /\b(?:tests?|test suites?|specs?|test cases?)\b[^.!?\n]{0,60}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green)\b|\bpassing\s+(?:tests?|specs?|test cases?)\b/iu;
/** How many pass, in the ways in which runners and people say so; the first that fits counts. */
const COUNTS = [
  /\b(\d{1,7})\s*(?:\/|\bof\b|\bout of\b)\s*\d{1,7}\b/iu,
  /\b(\d{1,7})\s+(?:\p{L}+\s+){0,3}?(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful|green)\b/iu,
  /\bpass(?:ed|ing|es)?\s*[:=]\s*(\d{1,7})\b/iu,
  /\b(\d{1,7})\s+(?:\p{L}+\s+){0,3}?(?:tests?|specs?|test cases?)\b/iu,
];
/** Counted are tests alone: how many files or suites pass is another figure. */
const OTHER_COUNT =
  /\b\d{1,7}\s*(?:(?:\/|of|out of)\s*\d{1,7}\s+)?(?:test\s+)?(?:files?|suites?|packages?|modules?|projects?)\b/iu;
const OF_ALL = /\b(?:all|every|everything|entire|whole|full|complete)\b/iu;
/** Said of all of it, where what "all" is stands in the sentence before or nowhere. */
const ALL_PASS =
  /\b(?:everything|all(?:\s+of\s+(?:it|them|those))?|the\s+(?:whole\s+|full\s+|entire\s+)?suite)\s+(?:(?:is|are|was|were|now|still)\s+){0,2}(?:pass(?:es|ed|ing)?|green)(?=\s*(?:$|[.!,;:)–—]|now\b|again\b|here\b|locally\b|and\b|with\b))/iu;
/** A mark beside the word, as in a list of what was done. */
const MARKED =
  /(?:✅|✔️?|☑️?|:white_check_mark:)\s*(?:all\s+)?(?:the\s+)?(?:unit\s+)?tests?\s*$|\btests?\s*[:=–—-]?\s*(?:✅|✔️?|☑️?|:white_check_mark:|pass\b|ok\b|green\b)/iu;
/** Wishes, conditions and plans are no reports. */
const NOT_SAID =
  /\b(?:should|would|could|may|might|must|if|once|when|until|before|unless|please|ensure|make sure|verify that|to check|will|not|n't|never|no longer|cannot|fails?|failed|failing|need to|so that)\b|\?\s*$/i;
/** Told to somebody else: an order is obeyed or not, and says nothing of what was done. */
const ORDER =
  /^[\s>*+-]{0,9}(?:\d{1,3}[.)]\s{1,3})?(?:(?:say|report|state|claim|tell|answer|remember|confirm|always|do|don't)\s|only\s(?:say|report|claim))|\bonly\s(?:after|once|when|if)\s(?:you|they)\b/i;
/** That nothing failed is no failure: it is said with nearly every report. */
const NONE_FAILED =
  /\b(?:0|no|zero|none|without(?: any)?)\s+(?:\p{L}+\s+)?(?:fail(?:s|ed|ing|ures?)?)\b/giu;
const RAN = /\b(?:ran|executed|have run|i've run|verified with|checked with|running)\b/i;
const QUOTED = /`([^`\n]{1,300})`/g;
const COMMAND =
  /^(?:npm|npx|pnpm|yarn|node|python3?|pytest|go|cargo|make|mvn|gradle|git|bash|sh|tsc|vitest|jest|deno|bun)\b/;

/**
 * Reads an agent's last words for what it reports as done. What it only wishes for is left out, and
 * so is what it was told: a sentence of its prompt, word for word, is an echo and no report.
 *
 * @param tree where it worked, if whole paths are to be understood
 */
export function saidWork(answer: string, prompt = "", tree?: string): SaidWork[] {
  const said: SaidWork[] = [];
  const told = new Set(prompt === "" ? [] : sentencesOf(prompt).map(wordsOf));
  for (const sentence of sentencesOf(answer)) {
    if (said.length >= CLAIMS_MAX) break;
    if (!told.has(wordsOf(sentence))) said.push(...saidIn(sentence, tree));
  }
  return said;
}

function saidIn(sentence: string, tree: string | undefined): SaidWork[] {
  const plain = sentence.replace(QUOTED, "`x`").replace(NONE_FAILED, "");
  if (NOT_SAID.test(plain) || ORDER.test(sentence)) return [];
  const deeds = deedsIn(sentence, tree);
  if (!TESTS.test(sentence) && !ALL_PASS.test(plain) && !MARKED.test(plain)) return deeds;
  const isOfAll = OF_ALL.test(plain);
  return [{ kind: "tests", count: countIn(plain), isOfAll, text: sentence }, ...deeds];
}

function countIn(plain: string): number | undefined {
  if (OTHER_COUNT.test(plain)) return undefined;
  const found = COUNTS.map((form) => form.exec(plain)?.[1]).find((one) => one !== undefined);
  return found === undefined ? undefined : Number(found);
}

const wordsOf = (sentence: string): string => sentence.replace(/\s+/g, " ").trim();

function deedsIn(sentence: string, tree: string | undefined): SaidWork[] {
  const quoted = [...sentence.matchAll(QUOTED)].map(([, code = ""]) => code.trim());
  const commands = RAN.test(sentence) ? quoted.filter((code) => COMMAND.test(code)) : [];
  return [
    ...commands.map((command) => ({ kind: "command" as const, command, text: sentence })),
    ...fileDeeds(sentence, tree).map((deed) => ({
      kind: "file" as const,
      ...deed,
      text: sentence,
    })),
  ];
}

/** Lines, and the sentences in them; code blocks are what it shows, not what it says. */
export function sentencesOf(answer: string): string[] {
  const sentences: string[] = [];
  let fence = "";
  for (const line of answer.slice(0, TEXT_CHARS_MAX).split("\n")) {
    const [mark = ""] = /^\s*(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== "") fence = fence === "" ? mark.trim() : "";
    else if (fence === "") sentences.push(...line.split(/(?<=[.!?])\s+/));
  }
  return sentences
    .map((one) => one.trim().slice(0, SENTENCE_CHARS_MAX))
    .filter((one) => one !== "");
}
