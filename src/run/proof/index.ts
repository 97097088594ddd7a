export { readCommitFile } from "./commit-file.ts";
export { isMissing, missingRunner, printedBy, undecided } from "./ended-words.ts";
export { shownOutput } from "./outcome.ts";
export { proveAll, titleOf } from "./prove-all.ts";
export { type ResultFact, type ResultSource, resultFor } from "./result-for.ts";
export type { Judge, JudgeWord, ProofScene, SealedScene } from "./scene.ts";
export { runSealed, type SealedEnd } from "./sealed-run.ts";
export { withoutVacuous } from "./shows-nothing.ts";
export { saysHowTestsRun } from "./test/changed-setup.ts";
