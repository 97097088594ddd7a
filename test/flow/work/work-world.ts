import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Place } from "../../../src/flow/place.ts";
import { verifyTarget } from "../../../src/flow/trace/verify-target.ts";
import { ProjectStaging } from "../../../src/flow/work/staging.ts";
import {
  type GatedPlan,
  resumeWork,
  startWork,
  type WaivedSubtask,
  type WorkSetup,
} from "../../../src/flow/work/work.ts";
import type { ProofScene, Worker, WorkLeft, WorkOrder } from "../../../src/flow/work/work-parts.ts";
import type { WorkEvent } from "../../../src/flow/work/work-scene.ts";
import type { Repository } from "../../../src/repo/index.ts";
import type { Plan, PlanSubtask } from "../../../src/schema/plan.ts";
import type { ProofOutcome } from "../../../src/schema/work-proof.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { GitFolder } from "../../repo/git-folder.ts";

/** A subtask with one proof, where nothing else is said. */
export function subtask(id: string, more: Partial<PlanSubtask> = {}): PlanSubtask {
  return {
    id,
    name: `Do ${id}`,
    type: "CODE",
    instruction: `Write ${id.toLowerCase()}.txt.`,
    depends_on: [],
    context_required: {},
    output_schema: { path: "the file" },
    verification_functions: { python_assertions: [], natural_language_checks: [] },
    edge_cases: [],
    kingdom_collision_check: { verdict: "None", verification_status: "VERIFIED", evidence: "none" },
    ghost_nodes: [],
    proofs: [{ kind: "file", path: `${id.toLowerCase()}.txt`, present: true }],
    ...more,
  };
}

export function planOf(subtasks: readonly PlanSubtask[], more: Partial<Plan> = {}): Plan {
  const ids = subtasks.map(({ id }) => id);
  return {
    verimapped_task: "Write files.",
    original_request: "Write files.",
    interpretation_selected: "One file each",
    interpretations_rejected: [],
    ambiguities_resolved: [],
    scope: { in: ["files"], out: [] },
    negative_contract: "It touches nothing else.",
    subtasks: [...subtasks],
    staging_paths: Object.fromEntries(
      ids.map((id) => {
        const folder = `/srv/project/.forge-staging/build-1/polecat_${id}`;
        return [
          id,
          {
            staging_dir: `${folder}/`,
            output_file: `${folder}/output.json`,
            sentinel_file: `${folder}/POLECAT_DONE`,
          },
        ];
      }),
    ),
    deacon_required: ids.length > 1,
    assembly_order: ids,
    cove_critique_summary: "0 gaps found",
    confidence_deductions: [],
    confidence_score: 1,
    handoff_ready: true,
    blocking_questions: [],
    witness_debrief: "",
    ...more,
  };
}

/** What a fake worker does in its tree. */
export interface Deed {
  readonly files?: Readonly<Record<string, string>>;
  /** Files that it takes away. */
  readonly gone?: readonly string[];
  readonly output?: unknown;
  readonly staged?: Readonly<Record<string, string>>;
  readonly words?: string;
  readonly status?: WorkLeft["status"];
  readonly why?: string;
  readonly isAsked?: boolean;
}
export type Act = (order: WorkOrder, attempt: number) => Deed | Promise<Deed>;

/** Writes the file that its subtask is about, and hands it in. */
export const honest = ({ subtask: { id } }: WorkOrder, _attempt?: number): Deed => ({
  files: { [`${id.toLowerCase()}.txt`]: `${id}\n` },
  output: { path: `${id.toLowerCase()}.txt` },
});

/** Works in this process, in trees and on references like any other. */
export class FakeWorker implements Worker {
  readonly orders: WorkOrder[] = [];
  readonly #ended: { task: string; left: WorkLeft }[] = [];
  readonly #repository: Repository;
  readonly #env: Record<string, string | undefined>;
  readonly #act: Act;

  constructor(repository: Repository, env: Record<string, string | undefined>, act: Act) {
    this.#repository = repository;
    this.#env = env;
    this.#act = act;
  }

  tries(id: string): WorkOrder[] {
    return this.orders.filter(({ subtask: one }) => one.id === id);
  }

  async work(order: WorkOrder): Promise<WorkLeft> {
    this.orders.push(order);
    const { at: commit, staging: keeps } = order;
    const attempt = this.tries(order.subtask.id).length;
    const deed = await this.#act(order, attempt);
    const run = `run-${this.orders.length}`;
    const folder = temporaryFolder();
    const tree = await this.#repository.openRunTree({ folder, commit, env: this.#env, keeps });
    const staged = Object.entries(deed.staged ?? {}).map(
      ([name, text]) => [`${keeps}/${name}`, text] as const,
    );
    const output =
      deed.output === undefined
        ? []
        : [[`${keeps}/output.json`, JSON.stringify(deed.output)] as const];
    for (const [name, text] of [...Object.entries(deed.files ?? {}), ...staged, ...output]) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    for (const name of deed.gone ?? []) rmSync(join(folder, name));
    const saved = await tree.save(`refs/sworn/runs/${run}`, run);
    tree.remove();
    const { status = "completed", words = "", why, isAsked = false } = deed;
    const left = { run, status, why, commit: saved.commit, words, isAsked };
    this.#ended.push({ task: order.task, left });
    return left;
  }

  async recover(task: string, known: ReadonlySet<string>): Promise<WorkLeft | undefined> {
    return this.#ended.findLast(
      (one) => one.task === task && one.left.status === "completed" && !known.has(one.left.run),
    )?.left;
  }
}

/** Looks whether the files are there; all that its tests are about is what is made of it. */
export async function proveFiles(
  repository: Repository,
  { proofs }: PlanSubtask,
  { after }: ProofScene,
): Promise<ProofOutcome[]> {
  return Promise.all(
    proofs.map(async (proof): Promise<ProofOutcome> => {
      if (proof.kind !== "file")
        return { proof, verdict: "unproven", reason: "not here", output: "" };
      const entry = await repository.blobAt(after, proof.path);
      const isThere = entry !== undefined;
      const verdict = isThere === proof.present ? "pass" : "fail";
      const reason = `expected ${proof.path}, found ${isThere ? "it" : "nothing"}`;
      return { proof, verdict, reason, output: `looked for ${proof.path}` };
    }),
  );
}

/** A repository, and works on it with workers of this process. */
export class WorkWorld {
  readonly project = new GitFolder();
  readonly start: string;
  readonly place: Place;
  readonly events: WorkEvent[] = [];
  readonly repository: Repository;
  worker: FakeWorker;

  private constructor(repository: Repository, project: GitFolder, act: Act, start: string) {
    this.project = project;
    this.repository = repository;
    this.start = start;
    const { path, home, env } = project;
    this.place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
    this.worker = new FakeWorker(repository, env, act);
  }

  static async open(act: Act = honest, files: Record<string, string> = {}): Promise<WorkWorld> {
    const project = new GitFolder();
    const start = project.commit({ "README.md": "# Sample\n", ...files });
    return new WorkWorld(await project.open(), project, act, start);
  }

  setup(more: Partial<WorkSetup> = {}): WorkSetup {
    const { repository, place } = this;
    const pass = async () => ({ verdict: "pass" as const, by: "a fake", reasons: [] });
    return {
      ...{ place, repository, maker: repository.commitMaker(), worker: this.worker },
      staging: new ProjectStaging(this.project.path),
      prover: { prove: (one, scene) => proveFiles(repository, one, scene) },
      gates: { review: pass, tests: pass },
      workerName: "fake",
      weakenedBy: async () => ({ weakened: [], notes: [] }),
      profile: "team",
      parallel: 2,
      triesMax: 3,
      signal: new AbortController().signal,
      onEvent: (event) => this.events.push(event),
      ...more,
    };
  }

  /** Does all of a plan that the gate is said to have passed. */
  async run(
    plan: Plan,
    more: Partial<WorkSetup> = {},
    about: Partial<GatedPlan> & { letThrough?: WaivedSubtask[] } = {},
  ) {
    const gated = { plan, report: {}, questions: [], held: new Set<string>(), ...about };
    const { start } = this;
    return startWork(this.setup(more), gated, { start, letThrough: about.letThrough ?? [] });
  }

  resume(id: string, more: Partial<WorkSetup> = {}, letThrough: WaivedSubtask[] = []) {
    return resumeWork(this.setup(more), id, { questions: [], held: new Set() }, letThrough);
  }

  /** What anybody who verifies the record is told. */
  async verified(trace: string): Promise<string> {
    const options = { profile: "default", mode: "full", threads: 0 } as const;
    const found = await verifyTarget(async () => this.place, trace, options);
    return found.kind === "trace" ? found.report.status : found.kind;
  }

  said(about: string): string[] {
    return this.events.filter((one) => one.about === about).map(({ words }) => words);
  }
}

/** A promise that somebody else ends. */
export function gateway(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  onTestFinished(() => open());
  return { opened, open: () => open() };
}
