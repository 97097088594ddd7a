import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { giveAway, SwornError } from "../../base/index.ts";
import type { Mount } from "../../sandbox/index.ts";
import { type Limits, WORKSPACE } from "../../schema/execution.ts";
import { AGENT_TREE } from "../agent-preamble.ts";
import { execute } from "../execute/index.ts";
import { isCache } from "../observe/index.ts";
import { closedFolder, fixedEnvironment, RunFolder } from "../workspace/index.ts";
import { readReport } from "./read-report.ts";
import type { SealedScene } from "./scene.ts";

const HOME = `${WORKSPACE.data}/home`;
const STREAM_BYTES_MAX = 8 * (1 << 20);
const MODULES = "node_modules";

/** One command that is run on the files of a commit. */
export interface SealedRun {
  readonly argv: readonly string[];
  readonly commit: string;
  /** What the work began with: compiled files that were committed since are left out. */
  readonly base: string;
  /** Changes the fresh copy before anything runs in it. */
  readonly lay?: ((folder: string) => Promise<void>) | undefined;
  /** The name of a file in the output folder that is read afterwards. */
  readonly report?: string | undefined;
  /** Files of the copy that are read afterwards; what the commit itself has there is taken away before. */
  readonly leaves?: readonly string[] | undefined;
  /** Instead of the scene's own. */
  readonly seconds?: number | undefined;
}

/** How it ended, and what it left. */
export interface SealedEnd {
  readonly code: number | undefined;
  readonly signal: string | undefined;
  /** The limit that ended it, where one did. */
  readonly limit: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly report: string | undefined;
  /** What the project has and the sandbox has not, in words for whoever wonders why it failed. */
  readonly lacking: string | undefined;
  /** The files that it was to leave, and has left. */
  readonly left: readonly string[];
}

/**
 * Runs a command on a fresh copy of a commit, which is thrown away afterwards, in a sandbox without
 * any network. Where the project has `node_modules`, they are there too, and cannot be changed: git
 * ignores them, and no worker has made them.
 *
 * @throws SwornError when the copy or the sandbox cannot be made.
 */
export async function runSealed(run: SealedRun, scene: SealedScene): Promise<SealedEnd> {
  const { repository, engine, env } = scene;
  const folder = new RunFolder(engine.owner);
  try {
    const own = folder.shared("tree");
    const tree = await repository.openRunTree({
      ...{ folder: own, commit: run.commit, env, owner: engine.owner },
    });
    try {
      await removeCaches(own, run, scene);
      // What was committed there would be taken for what the run left.
      for (const path of placesIn(own, run.leaves)) rmSync(path, { recursive: true, force: true });
      await run.lay?.(own);
      const modules = modulesFor(own, scene);
      if (run.lay !== undefined) giveAway(own, engine.owner);
      const lacking = typeof modules === "string" ? modules : undefined;
      const mounts = typeof modules === "string" ? [] : modules;
      return { ...(await runIn(own, folder.shared("home"), mounts, run, scene)), lacking };
    } finally {
      tree.remove();
    }
  } finally {
    folder.remove();
  }
}

/** Compiled forms of files are run instead of them, and these are of the worker's making. */
async function removeCaches(
  folder: string,
  { base, commit }: SealedRun,
  { repository }: SealedScene,
): Promise<void> {
  if (base === commit) return;
  for (const { path, after } of await repository.rawChanges(base, commit)) {
    if (isCache(path) && Number(after.mode) !== 0) rmSync(join(folder, path), { force: true });
  }
}

/** Where the project has them and the sandbox can see them, or why not; a commit's own folder of that name is what counts. */
function modulesFor(tree: string, { repository, engine }: SealedScene): Mount[] | string {
  const [source, place] = [join(repository.root, MODULES), join(tree, MODULES)];
  const there = lstatSync(source, { throwIfNoEntry: false });
  if (there === undefined || lstatSync(place, { throwIfNoEntry: false }) !== undefined) return [];
  // A link could lead anywhere on the host.
  if (!there.isDirectory())
    return `${MODULES} of the project is a link, which no sandbox follows: install into a folder`;
  const closed = closedFolder(source, engine.owner);
  if (closed !== undefined)
    return `${MODULES} of the project cannot be read in a sandbox: ${closed} is closed`;
  mkdirSync(place);
  return [{ source, target: `${AGENT_TREE}/${MODULES}`, isWritable: false }];
}

async function runIn(
  tree: string,
  home: string,
  modules: readonly Mount[],
  run: SealedRun,
  scene: SealedScene,
): Promise<Omit<SealedEnd, "lacking">> {
  const { engine, root, repository, signal } = scene;
  const limits = limitsFor(run, scene);
  const { seconds } = await repository.commitFacts(run.commit);
  const prepared = await engine.prepare({
    id: `proof-${randomBytes(8).toString("hex")}`,
    root,
    argv: run.argv,
    cwd: AGENT_TREE,
    env: { ...fixedEnvironment({ seed: "0", sourceDateEpoch: seconds }), HOME, NO_COLOR: "1" },
    mounts: [
      { source: tree, target: AGENT_TREE, isWritable: true },
      { source: home, target: HOME, isWritable: true },
      ...modules,
    ],
    limits,
  });
  const heard = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  try {
    const onOutput = (stream: "stdout" | "stderr", chunk: Buffer) => heard[stream].push(chunk);
    const executed = await execute(prepared, { limits, signal, onOutput });
    if (executed.kind === "not-begun") {
      const broken = executed.broken.map(({ name, seen }) => `${name}: ${seen}`).join("; ");
      throw new SwornError("SANDBOX_FAILED", `the sandbox does not hold (${broken})`);
    }
    const [stdout, stderr] = [heard.stdout, heard.stderr].map((chunks) =>
      Buffer.concat(chunks).toString("utf8"),
    );
    const report = run.report && readReport(join(prepared.output, run.report));
    const left = placesIn(tree, run.leaves).flatMap((path) => readReport(path) ?? []);
    return { ...executed.end, stdout: stdout ?? "", stderr: stderr ?? "", report, left };
  } finally {
    prepared.stop("it is over");
    prepared.release();
    await prepared.end;
  }
}

/** Whoever wrote the files owns the folders above them as well: none of them may lead elsewhere. */
function placesIn(tree: string, paths: readonly string[] = []): string[] {
  const isOwn = (path: string) =>
    path.split("/").every((_, at, parts) => {
      const folder = join(tree, ...parts.slice(0, at));
      return lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    });
  return paths.filter(isOwn).map((path) => join(tree, path));
}

function limitsFor({ seconds }: SealedRun, { limits }: SealedScene): Limits {
  const wall = seconds ?? limits.step_seconds;
  const bytes = Math.min(limits.stream_bytes, STREAM_BYTES_MAX);
  return { ...limits, step_seconds: wall, job_seconds: wall, stream_bytes: bytes };
}
