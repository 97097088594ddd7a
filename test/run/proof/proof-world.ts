import { onTestFinished } from "vitest";
import type { Repository } from "../../../src/repo/index.ts";
import { type ProofScene, proveAll } from "../../../src/run/proof/index.ts";
import { PythonPool } from "../../../src/run/python/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { type ProofOutcome, WorkProof } from "../../../src/schema/work-proof.ts";
import { GitFolder } from "../../repo/git-folder.ts";

const engine = new BwrapEngine();

/** A repository with two commits, the work between them, and what proves it. */
export class ProofWorld {
  readonly project = new GitFolder();
  readonly steps: string[] = [];
  #repository: Repository | undefined;
  #before = "";
  #after = "";

  /** The files that the work began with, and what it made of them; null takes one away. */
  static async of(
    before: Record<string, string>,
    after: Record<string, string | null>,
  ): Promise<ProofWorld> {
    const world = new ProofWorld();
    world.#before = world.project.commit(before);
    for (const [name, text] of Object.entries(after)) {
      if (text === null) world.project.git("rm", "--quiet", "-r", "--", name);
      else world.project.write(name, text);
    }
    world.#after = world.project.commit({});
    world.#repository = await world.project.open();
    return world;
  }

  scene(more: Partial<ProofScene> = {}): ProofScene {
    if (this.#repository === undefined) throw new Error("the world is not open");
    const root = { kind: "host" } as const;
    const python = more.python ?? new PythonPool({ engine, root });
    onTestFinished(() => python.close());
    return {
      repository: this.#repository,
      before: this.#before,
      after: this.#after,
      engine,
      root,
      env: this.project.env,
      mayChange: () => false,
      limits: Limits.parse({ step_seconds: 30 }),
      signal: new AbortController().signal,
      onStep: (step) => this.steps.push(step),
      ...more,
      python,
    };
  }

  /** The one outcome of one proof, given as a plan file would give it. */
  async prove(proof: object, more: Partial<ProofScene> = {}): Promise<ProofOutcome> {
    const [outcome] = await proveAll([WorkProof.parse(proof)], this.scene(more));
    if (outcome === undefined) throw new Error("a proof without an outcome");
    return outcome;
  }
}
