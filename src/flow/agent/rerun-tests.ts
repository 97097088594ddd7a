import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Environment, Repository, SavedTree } from "../../repo/index.ts";
import {
  AGENT_TREE,
  type Executed,
  execute,
  fixedEnvironment,
  RunFolder,
} from "../../run/index.ts";
import { isCache } from "../../run/observe/index.ts";
import type { Engine, RootFiles } from "../../sandbox/index.ts";
import { type Limits, WORKSPACE } from "../../schema/execution.ts";
import type { SeenProcess, TestCounts } from "../../schema/observation.ts";
import { isOnlyStarter, testCounts } from "../../verify/observed/index.ts";
import { moreSums, silencedTests } from "../change/silenced-tests.ts";
import type { TestRun } from "./pick-test-run.ts";
import { whyNoneOfItProves } from "./whose-tests.ts";

/** What a test run is repeated with. */
export interface RerunScene {
  readonly engine: Engine;
  readonly root: RootFiles;
  readonly repository: Repository;
  readonly saved: SavedTree;
  /** The commit that the work began with: what ran there has to run now. */
  readonly base: string;
  readonly limits: Limits;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Names it; unique on this machine. */
  readonly id: string;
}

/** What came of it. */
export type Rerun =
  | {
      readonly kind: "counted";
      readonly process: SeenProcess;
      /** Tests that ran on the commit that the work began with, and not any more. */
      readonly silenced: readonly string[];
    }
  /** It says nothing about the tests, and why. */
  | { readonly kind: "unknown"; readonly why: string };

const HOME = `${WORKSPACE.data}/home`;
/** Of each stream the end is kept, which is where runners sum up. */
const TAIL_BYTES_MAX = 1 << 20;

/**
 * Runs tests once more, by the runtime and for itself: the same command in a fresh sealed sandbox,
 * without any network, on a fresh copy of the saved tree that is thrown away afterwards. What it
 * prints is read by us; nothing of the agent's process is believed. Where they pass, they are run on what
 * was there before the work as well, to see that none was silenced.
 *
 * @throws SwornError when the copy or the sandbox cannot be made.
 */
export async function rerunTests(run: TestRun, scene: RerunScene): Promise<Rerun> {
  const { repository, saved, base } = scene;
  const ran = await runAt(saved.commit, run, scene);
  const found = judge(run, saved, ran);
  const isWell = found.kind === "counted" && found.process.exit === 0;
  if (!isWell || base === saved.commit || found.process.tests?.failed !== 0) return found;
  const first = await runAt(base, run, { ...scene, id: `${scene.id}-base` });
  const two = {
    before: { commit: base, printed: first.printed.join("\n") },
    after: { commit: saved.commit, printed: ran.printed.join("\n") },
    what: "run",
  };
  const runners = runnersIn(ran.executed);
  const silenced = [...(await silencedTests(repository, two)), ...moreSums(two, runners)];
  return { ...found, silenced };
}

/** How many runners ran that no other one started. */
function runnersIn(executed: Executed): number {
  const processes = executed.kind === "ran" ? (executed.observed?.processes ?? []) : [];
  const isWithin: boolean[] = [];
  let count = 0;
  // A parent comes before its children in the list.
  for (const [at, { argv, parent }] of processes.entries()) {
    const isBelow = parent !== undefined && isWithin[parent] === true;
    const isRunner = !isOnlyStarter(argv);
    isWithin[at] = isBelow || isRunner;
    if (isRunner && !isBelow) count += 1;
  }
  return count;
}

async function runAt(commit: string, run: TestRun, scene: RerunScene): Promise<Ran> {
  const { engine, repository, saved, env } = scene;
  const folder = new RunFolder(engine.owner);
  try {
    const own = folder.shared("tree");
    const tree = await repository.openRunTree({
      ...{ folder: own, commit, env, owner: engine.owner },
    });
    try {
      // Compiled forms of files are run instead of them, and these are of the agent's making.
      for (const { path } of commit === saved.commit ? saved.changed : []) {
        if (isCache(path)) rmSync(join(own, path), { force: true });
      }
      return await runOn(own, folder.shared("home"), run, scene);
    } finally {
      tree.remove();
    }
  } finally {
    folder.remove();
  }
}

interface Ran {
  readonly executed: Executed;
  readonly printed: readonly string[];
  readonly wallMs: number;
}

async function runOn(tree: string, home: string, run: TestRun, scene: RerunScene): Promise<Ran> {
  const { engine, root, repository, saved, limits, signal, id } = scene;
  const { seconds } = await repository.commitFacts(saved.commit);
  const prepared = await engine.prepare({
    id,
    root,
    argv: run.argv,
    cwd: run.cwd,
    env: { ...fixedEnvironment({ seed: "0", sourceDateEpoch: seconds }), HOME },
    mounts: [
      { source: tree, target: AGENT_TREE, isWritable: true },
      { source: home, target: HOME, isWritable: true },
    ],
    limits,
    // Where the run changed nothing, nothing that it starts is of the run's making.
    isObserved: saved.changed.length > 0,
  });
  const tails = { stdout: new Tail(), stderr: new Tail() };
  const began = performance.now();
  try {
    const onOutput = (stream: "stdout" | "stderr", chunk: Buffer) => tails[stream].take(chunk);
    const executed = await execute(prepared, { limits, signal, onOutput });
    const wallMs = Math.round(performance.now() - began);
    return { executed, printed: [tails.stdout.text, tails.stderr.text], wallMs };
  } finally {
    prepared.stop("it is over");
    prepared.release();
    await prepared.end;
  }
}

function judge(run: TestRun, saved: SavedTree, { executed, printed, wallMs }: Ran): Rerun {
  const what = `\`${run.argv.join(" ").slice(0, 200)}\`, run once more on the saved tree,`;
  const unknown = (why: string): Rerun => ({ kind: "unknown", why: `${what} ${why}` });
  if (executed.kind === "not-begun") return unknown("could not begin");
  const { code, signal, limit } = executed.end;
  const own = whyNoneOfItProves(executed.observed?.processes ?? [], saved);
  if (own !== undefined) return unknown(`proves nothing: ${own}`);
  if (limit !== undefined) return unknown(`was ended by ${limit}`);
  // Some runners sum up on one stream and some on the other, and a command can start both.
  const tests = testCounts(printed.join("\n"));
  const why = whyUnknown(run, saved, { code, tests });
  return why === undefined
    ? {
        ...{ kind: "counted", silenced: [] },
        process: processOf(run, saved, { code, signal, wallMs, tests }),
      }
    : unknown(why);
}

function whyUnknown(
  run: TestRun,
  { ignored }: SavedTree,
  { code, tests }: { readonly code: number | undefined; readonly tests: TestCounts | undefined },
): string | undefined {
  // What failed for the agent and fails again has failed, whether it counts tests or not.
  const hasFailed = run.hasFailed === true && code !== 0;
  if (tests === undefined && !hasFailed) return `printed no count of tests (exit code ${code})`;
  const isBad = code !== 0 || (tests?.failed ?? 0) > 0;
  if (isBad && tests?.failed === 0 && !hasFailed) return `ended with ${code}, and none failed`;
  return isBad && !ignored.every(isCache)
    ? `ended with ${code}, but without what git ignores, which the agent had`
    : undefined;
}

function processOf(
  { argv, cwd }: TestRun,
  { commit }: SavedTree,
  ran: {
    code: number | undefined;
    signal: string | undefined;
    wallMs: number;
    tests: TestCounts | undefined;
  },
): SeenProcess {
  return {
    by: "runtime",
    argv: [...argv],
    cwd,
    exit: ran.code ?? null,
    signal: ran.signal ?? null,
    wall_ms: ran.wallMs,
    cpu_ms: null,
    peak_bytes: null,
    tree_before: commit,
    // The copy is thrown away: whatever the tests wrote there is in no tree.
    tree_after: commit,
    tests: ran.tests ?? null,
  };
}

/** The end of a stream, and no more. */
class Tail {
  #chunks: Buffer[] = [];
  #bytes = 0;

  get text(): string {
    return Buffer.concat(this.#chunks).subarray(-TAIL_BYTES_MAX).toString("utf8");
  }

  take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes - (this.#chunks[0]?.length ?? 0) > TAIL_BYTES_MAX) {
      this.#bytes -= this.#chunks.shift()?.length ?? 0;
    }
  }
}
