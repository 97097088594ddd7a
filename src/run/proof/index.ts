export { proveAll, titleOf } from "./prove-all.ts";
export { type ResultFact, type ResultSource, resultFor } from "./result-for.ts";
export type { Judge, JudgeWord, ProofScene, SealedScene } from "./scene.ts";
export { runSealed } from "./sealed-run.ts";
