import { asDone } from "./change-deeds.ts";
import { echoesIn } from "./echoes.ts";
import { type FileDeed, fileDeeds } from "./file-deeds.ts";
import { fileMoves } from "./file-moves.ts";
import { foreignChecks } from "./foreign-checks.ts";
import { foreignDeeds } from "./foreign-deeds.ts";
import { foreignTests } from "./foreign-tests.ts";
import { ListedFiles } from "./listed-files.ts";
import { withNames } from "./named-files.ts";
import { isOpen, isReported, ownWords, withoutAim } from "./not-said.ts";
import { plainAnswer, plainLetters } from "./plain-answer.ts";
import { clausesOf } from "./reported-clause.ts";
import { type CheckName, checksIn } from "./said-checks.ts";
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
    }
  | { readonly kind: "check"; readonly check: CheckName; readonly text: string };

const CLAIMS_MAX = 1_000;
const QUOTED = /`([^`\n]{1,300})`/g;

/**
 * Reads an agent's last words for what it reports as done. What it only wishes for is left out, and
 * so is what it was told: sentences of its prompt, word for word and in a row, are an echo and no report.
 *
 * @param tree where it worked, if whole paths are to be understood
 */
export function saidWork(answer: string, prompt = "", tree?: string): SaidWork[] {
  const said: SaidWork[] = [];
  const sentences = readSentences(plainAnswer(answer));
  const told = echoesIn(
    sentences.map(({ text }) => text),
    prompt === "" ? [] : sentencesOf(prompt),
  );
  const listed = new ListedFiles();
  for (const [at, sentence] of sentences.entries()) {
    if (said.length >= CLAIMS_MAX) break;
    const files = listed.take(sentence, tree);
    if (!told.has(at)) said.push(...withListed(saidIn(sentence, tree), files, sentence));
  }
  return withoutBareRun(said);
}

/** Where it is said how tests went, that they were run says nothing more. */
function withoutBareRun(said: readonly SaidWork[]): SaidWork[] {
  const isTold = said.some(({ kind }) => kind === "tests");
  return said.filter((one) => !(isTold && one.kind === "check" && one.check === "test run"));
}

/** What a list says of a file by its place counts where no words say it. */
function withListed(
  said: readonly SaidWork[],
  files: readonly FileDeed[],
  sentence: Sentence,
): SaidWork[] {
  if (isOpen(sentence)) return [...said];
  const more = files.filter(
    ({ path }) => !said.some((one) => one.kind === "file" && one.path === path),
  );
  return [...said, ...more.map((one) => ({ kind: "file" as const, ...one, text: sentence.text }))];
}

function saidIn(sentence: Sentence, tree: string | undefined): SaidWork[] {
  const { text } = sentence;
  const own = withoutAim(plainLetters(ownWords(text)));
  const plain = own.replace(QUOTED, "`x`");
  if (isOpen(sentence)) return [];
  if (!isReported(withoutNoFailure(plain))) return testsInClauses(plain, text);
  const { commands, isOfTests } = commandsIn(own);
  const tests =
    testsIn(own, plain) ?? foreignTests(ownWords(text)) ?? (isOfTests ? OF_A_COMMAND : undefined);
  const named = withNames(own);
  const foreign = foreignChecks(ownWords(text));
  const ran = [...commands, ...foreign.commands.map((command) => ({ command }))];
  // "All CI checks pass" is said of more than one of them.
  const checks = tests?.isOfChecks ? [] : [...checksIn(plain), ...foreign.checks];
  const isTold = tests !== undefined || ran.length > 0;
  return [
    ...(tests === undefined ? [] : [{ kind: "tests" as const, ...tests, text }]),
    ...ran.map((one) => ({ kind: "command" as const, ...one, text })),
    ...filesIn(sentence, named, tree).map((one) => ({ kind: "file" as const, ...one, text })),
    ...checks
      .filter((check) => !(isTold && check === "test run"))
      .map((check) => ({ kind: "check" as const, check, text })),
  ];
}

/** Of a file that is said to be elsewhere now, and in another language, no other form is asked. */
function filesIn(sentence: Sentence, named: string, tree: string | undefined): FileDeed[] {
  const moves = [...fileMoves(named, tree)];
  const foreign = foreignDeeds(withNames(ownWords(sentence.text)), tree);
  const found = [
    ...moves,
    ...foreign.filter(({ path }) => !moves.some((one) => one.path === path)),
  ];
  const isFound = (path: string) => found.some((one) => one.path === path);
  return [
    ...fileDeeds(asDone(sentence, named), tree).filter(({ path }) => !isFound(path)),
    ...found,
  ];
}

/** Of a sentence that denies something, or tells of a failure, what it says of tests in another part. */
function testsInClauses(plain: string, text: string): SaidWork[] {
  const said = clausesOf(plain).filter((one) => isReported(withoutNoFailure(one)));
  const tests = said.flatMap((one) => testsIn(one, one) ?? []).slice(0, 1);
  return tests.map((one) => ({ kind: "tests", ...one, text }));
}

const OF_A_COMMAND: SaidTests = { count: undefined, isOfAll: false };
