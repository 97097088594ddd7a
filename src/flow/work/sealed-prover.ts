import { messageOf } from "../../base/index.ts";
import {
  type Judge,
  proveAll,
  resultFor,
  runCommand,
  type ProofScene as SealedProofScene,
  type SealedScene,
  withoutVacuous,
} from "../../run/proof/index.ts";
import { PythonPool } from "../../run/python/index.ts";
import { Limits } from "../../schema/execution.ts";
import type { PlanSubtask } from "../../schema/plan.ts";
import type { ProofOutcome, WorkProof } from "../../schema/work-proof.ts";
import type { RunnerScene } from "../agent/agent-runner.ts";
import { Unheard } from "./unheard.ts";
import { covers, type ProofScene, type Prover } from "./work-parts.ts";

const STEP_SECONDS = 300;
const JOB_SECONDS = 3_600;

/** How a command ended, and all that it printed: what a report shows of that is cut. */
export type Ran = Awaited<ReturnType<typeof runCommand>>;

/** Makes proofs in sandboxes. Close it after use. */
export class SealedProver implements Prover {
  readonly #scene: Omit<SealedScene, "signal">;
  readonly #python: PythonPool;
  readonly #judge: ((signal: AbortSignal) => Judge) | undefined;

  constructor(
    { engine, environment, repository, env }: RunnerScene,
    judge: ((signal: AbortSignal) => Judge) | undefined,
  ) {
    const { root } = environment;
    const limits = Limits.parse({ step_seconds: STEP_SECONDS, job_seconds: JOB_SECONDS });
    this.#scene = { repository, engine, root, env, limits };
    this.#python = new PythonPool({ engine, root });
    this.#judge = judge;
  }

  async prove(subtask: PlanSubtask, scene: ProofScene): Promise<readonly ProofOutcome[]> {
    const silences: string[] = [];
    const outcomes = await this.#proveOn(subtask, subtask.proofs, scene, silences);
    const [silence] = silences;
    // What fails by itself is an answer for who worked, whatever a judge would have said.
    const isDecided = outcomes.some(({ verdict }) => verdict === "fail") || scene.signal.aborted;
    if (silence !== undefined && !isDecided) {
      throw new Unheard(`the judge of ${subtask.id}`, silence);
    }
    const before: ProofScene = {
      ...{ ...scene, after: scene.before, output: undefined },
      onStep: (words) => scene.onStep(`without the work, ${words}`),
    };
    return withoutVacuous(outcomes, subtask.type, async (proof) => {
      const [found] = await this.#proveOn(subtask, [proof], before, []);
      return scene.signal.aborted ? undefined : found;
    });
  }

  async #proveOn(
    subtask: PlanSubtask,
    proofs: readonly WorkProof[],
    scene: ProofScene,
    silences: string[],
  ): Promise<ProofOutcome[]> {
    const full = this.#sceneFor(scene, silences);
    const isAsserted = proofs.some(({ kind }) => kind === "python");
    const fact = isAsserted ? await resultFor(subtask, full, scene.output) : { why: "not asked" };
    const known = "result" in fact ? { result: fact.result } : { noResult: fact.why };
    const isWorkersResult = subtask.type === "CODE" || subtask.type === "DOCS";
    const resultKeys = Object.keys(subtask.output_schema);
    return proveAll(proofs, { ...full, ...known, isWorkersResult, resultKeys });
  }

  /** A command that is no subtask's proof, such as all tests of the project, with all that it prints. */
  run(argv: readonly string[], scene: Omit<ProofScene, "output" | "files">): Promise<Ran> {
    const proof = { kind: "command" as const, argv: [...argv], exit: 0 };
    return runCommand(proof, this.#sceneFor({ ...scene, output: undefined, files: [] }, []));
  }

  /** @param silences gets why a judge could not be heard */
  #sceneFor(
    { before, after, files, signal, onStep }: ProofScene,
    silences: string[],
  ): SealedProofScene {
    const asked = this.#judge?.(signal);
    const judge: Judge | undefined =
      asked &&
      ((...about) =>
        asked(...about).catch((error: unknown) => {
          silences.push(messageOf(error));
          throw error;
        }));
    const mayChange = (path: string) => files.some((file) => covers(file, path));
    const own = { before, after, mayChange, signal, onStep };
    return { ...this.#scene, ...own, python: this.#python, judge };
  }

  close(): Promise<void> {
    return this.#python.close();
  }
}
