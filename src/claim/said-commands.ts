const QUOTED = /`([^`\n]{1,300})`/g;
const RAN = /\b(?:ran|executed|have run|i've run|verified with|checked with|running)\b/i;
const COMMAND =
  /^(?:npm|npx|pnpm|yarn|node|python3?|pytest|go|cargo|make|mvn|gradle|git|bash|sh|tsc|vitest|jest|deno|bun)\b/;
/** Of these, that they pass is said of the tests that they run. */
const OF_TESTS =
  /(?:^|[\s:/.-])(?:(?:py)?tests?|specs?|vitest|jest|mocha|ava|rspec|phpunit|nextest|tox|unittest)(?=$|[\s:/.-])/;
/** Several commands of which the same is said. */
const PASSED =
  /((?:`[^`\n]{1,300}`(?:,\s(?:and\s)?|\s(?:and|&|\+)\s)?){1,10})\s?(?:(?:all|both|now|also|still|again|is|are|was|were|has|have|runs?|ran|finish(?:es|ed)|complet(?:es|ed|e)|exits|exited|ends|ended|comes?\sback)\s){0,3}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|clean|cleanly|with(?:\s(?:exit\s)?code)?\s0|with(?:out|\sno|\szero|\s0)\s(?:any\s)?(?:errors?|failures?|problems?|warnings?|issues?))(?=\s*(?:$|[.!,;:)|–—*✅]|-\s|\b(?:now|again|here|locally|too|cleanly|as\swell|and\b(?!\sreturns)|with(?:out|\sno|\szero)\s)))/giu;

/** What a sentence says of commands. */
export interface SaidCommands {
  readonly commands: readonly SaidCommand[];
  /** Whether one that runs tests is said to have passed. */
  readonly isOfTests: boolean;
}

interface SaidCommand {
  readonly command: string;
  /** It is said to have ended well, and not only to have been run. */
  readonly isPassed?: true;
}

/** The commands that a sentence says were run, and those that it says have passed. */
export function commandsIn(sentence: string): SaidCommands {
  if (!sentence.includes("`")) return { commands: [], isOfTests: false };
  const passed = [...sentence.matchAll(PASSED)].flatMap(([, list = ""]) => commandsOf(list));
  const others = passed.filter((one) => !OF_TESTS.test(one));
  const ran = RAN.test(sentence) ? commandsOf(sentence) : [];
  return {
    commands: [
      ...ran.filter((one) => !others.includes(one)).map((command) => ({ command })),
      ...others.map((command) => ({ command, isPassed: true as const })),
    ],
    isOfTests: others.length < passed.length,
  };
}

const commandsOf = (text: string): string[] =>
  [...text.matchAll(QUOTED)].map(([, code = ""]) => code.trim()).filter((one) => COMMAND.test(one));
