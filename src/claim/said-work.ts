import { asDone } from "./change-deeds.ts";
import { type FileDeed, fileDeeds } from "./file-deeds.ts";
import { fileMoves } from "./file-moves.ts";
import { isOpen, isReported, ownWords } from "./not-said.ts";
import { commandsIn } from "./said-commands.ts";
import { type SaidTests, testsIn, withoutNoFailure } from "./said-tests.ts";
import { readSentences, type Sentence, sentencesOf } from "./sentences.ts";

/** What an agent says it did, as far as somebody who watched could know. */
export type SaidWork =
  | ({ readonly kind: "tests"; readonly text: string } & SaidTests)
  | ({ readonly kind: "file"; readonly text: string } & FileDeed)
  | {
      readonly kind: "command";
      readonly command: string;
      readonly text: string;
      /** It is said to have ended well, and not only to have been run. */
      readonly isPassed?: true;
    };

const CLAIMS_MAX = 1_000;
const QUOTED = /`([^`\n]{1,300})`/g;

/**
 * Reads an agent's last words for what it reports as done. What it only wishes for is left out, and
 * so is what it was told: a sentence of its prompt, word for word, is an echo and no report.
 *
 * @param tree where it worked, if whole paths are to be understood
 */
export function saidWork(answer: string, prompt = "", tree?: string): SaidWork[] {
  const said: SaidWork[] = [];
  const told = new Set(prompt === "" ? [] : sentencesOf(prompt));
  for (const sentence of readSentences(answer)) {
    if (said.length >= CLAIMS_MAX) break;
    if (!told.has(sentence.text)) said.push(...saidIn(sentence, tree));
  }
  return said;
}

function saidIn(sentence: Sentence, tree: string | undefined): SaidWork[] {
  const { text } = sentence;
  const own = ownWords(text);
  const plain = own.replace(QUOTED, "`x`");
  if (isOpen(sentence) || !isReported(withoutNoFailure(plain))) return [];
  const { commands, isOfTests } = commandsIn(own);
  const tests = testsIn(own, plain) ?? (isOfTests ? OF_A_COMMAND : undefined);
  const moves = fileMoves(own, tree);
  const isMoved = (path: string) => moves.some((one) => one.path === path);
  const others = fileDeeds(asDone(sentence, own), tree).filter(({ path }) => !isMoved(path));
  return [
    ...(tests === undefined ? [] : [{ kind: "tests" as const, ...tests, text }]),
    ...commands.map((one) => ({ kind: "command" as const, ...one, text })),
    ...[...others, ...moves].map((one) => ({ kind: "file" as const, ...one, text })),
  ];
}

const OF_A_COMMAND: SaidTests = { count: undefined, isOfAll: false };
