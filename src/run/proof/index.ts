export { changedCommand } from "./changed-command.ts";
export {
  commandsIn,
  commandsOfLine,
  namesRun,
  type OneCommand,
  runsFile,
  runsNothing,
  scriptOf,
} from "./command-words.ts";
export { readCommitFile } from "./commit-file.ts";
export { isMissing, missingRunner, printedBy, undecided } from "./ended-words.ts";
export { helperFiles } from "./helper-files.ts";
export { shownOutput } from "./outcome.ts";
export { linesOfScript, packageScript } from "./package-script.ts";
export { proveAll, titleOf } from "./prove-all.ts";
export { runCommand } from "./prove-command.ts";
export { type ResultFact, type ResultSource, resultFor } from "./result-for.ts";
export type { Judge, JudgeWord, ProofScene, SealedScene } from "./scene.ts";
export { runSealed, type SealedEnd } from "./sealed-run.ts";
export { withoutVacuous } from "./shows-nothing.ts";
export { saysHowTestsRun } from "./test/changed-setup.ts";
export { demandFiles } from "./test/demand-files.ts";
export { filesNaming } from "./test/find-tests.ts";
export { printedTests } from "./test/printed-tests.ts";
