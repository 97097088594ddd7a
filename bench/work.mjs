// What a work costs beyond its workers and proofs: a graph of 1,000 subtasks whose workers and proofs do
// nothing, in this process. Everything else happens as ever: each try is recorded, signed and on disk
// before, between and after, each has its staging folder and its sentinel, and the whole is put together
// and audited.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Place } from "../dist/flow/place.js";
import { ProjectStaging } from "../dist/flow/work/staging.js";
import { startWork } from "../dist/flow/work/work.js";
import { Repository } from "../dist/repo/index.js";
import { absolute, median, runAlone, timed } from "./measure.mjs";

const SUBTASKS = 1_000;
const WIDTH = 20;
const PARALLEL = 16;
const MS_A_SUBTASK_MAX = 15;

export async function measure({ rounds = "3" }) {
  const times = [];
  for (let round = 0; round < Number(rounds); round += 1) times.push(await oneWork());
  const ours = median(times) / SUBTASKS;
  const name = `work of ${SUBTASKS} subtasks that do nothing, for each`;
  return [absolute({ name, unit: "ms", ours, most: MS_A_SUBTASK_MAX })];
}

async function oneWork() {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-work-"));
  const repository = await openRepository(folder);
  try {
    const start = await repository.resolveCommit("HEAD");
    const plan = planOf(start);
    const setup = setupOf(folder, repository);
    const gated = { plan, report: {}, questions: [], held: new Set() };
    let outcome;
    const ms = await timed(async () => {
      outcome = await startWork(setup, gated, { start });
    });
    if (outcome.report.status !== "completed") throw new Error(outcome.report.reason);
    return ms;
  } finally {
    repository.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openRepository(folder) {
  const project = join(folder, "project");
  mkdirSync(project);
  writeFileSync(join(project, "README.md"), "# Nothing\n");
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const env = { PATH: process.env.PATH, HOME: folder };
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "-m", "begin"],
  ]) {
    execFileSync("git", [...who, ...args], { cwd: project, env });
  }
  return Repository.open(project, { env });
}

function setupOf(folder, repository) {
  const pass = async () => ({ verdict: "pass", by: "nobody", reasons: [] });
  const proof = { kind: "file", path: "README.md", present: true };
  const outcome = { proof, verdict: "pass", reason: "it is there", output: "" };
  let run = 0;
  return {
    place: new Place({
      store: join(repository.root, ".sworn"),
      state: join(folder, "state"),
      threads: availableParallelism(),
    }),
    repository,
    maker: repository.commitMaker(),
    staging: new ProjectStaging(repository.root),
    workerName: "nobody",
    worker: {
      work: async ({ at, staging }) => {
        run += 1;
        const text = `\`${staging}/output.json\`\n`;
        return { run: `run-${run}`, status: "completed", commit: at, words: text, isAsked: false };
      },
    },
    extract: (_words, { output }) => ({ path: output, bytes: Buffer.from('{"path":"README.md"}') }),
    prover: { prove: async () => [outcome] },
    gates: { review: pass, tests: pass },
    weakenedBy: async () => ({ weakened: [], notes: [] }),
    profile: "strict",
    parallel: PARALLEL,
    triesMax: 2,
    signal: new AbortController().signal,
    onEvent: () => {},
  };
}

/** Layers of subtasks, each of which stands on two of the layer before it. */
function planOf() {
  const id = (at) => `ST-${String(at).padStart(4, "0")}`;
  const subtasks = Array.from({ length: SUBTASKS }, (_, at) => {
    const [first, second] = [at - WIDTH, at - WIDTH + 1].filter((one) => one >= 0).map(id);
    const depends_on = at < WIDTH ? [] : [...new Set([first, second])];
    return {
      ...{ id: id(at), name: `Do ${at}`, type: "CONFIG", instruction: "Do nothing.", depends_on },
      context_required: Object.fromEntries(depends_on.map((one) => [one, ["path"]])),
      output_schema: { path: "string" },
      verification_functions: { python_assertions: [], natural_language_checks: [] },
      edge_cases: [],
      kingdom_collision_check: { verdict: "None", verification_status: "VERIFIED", evidence: "" },
      ghost_nodes: [],
      proofs: [{ kind: "file", path: "README.md", present: true }],
    };
  });
  const ids = subtasks.map((one) => one.id);
  return {
    ...{ verimapped_task: "Nothing", original_request: "Nothing", interpretation_selected: "None" },
    ...{ interpretations_rejected: [], ambiguities_resolved: [], scope: { in: [], out: [] } },
    ...{ negative_contract: "Nothing.", subtasks, deacon_required: true, assembly_order: ids },
    staging_paths: Object.fromEntries(ids.map((one) => [one, stagingOf(one)])),
    ...{ cove_critique_summary: "", confidence_deductions: [], confidence_score: 1 },
    ...{ handoff_ready: true, blocking_questions: [], witness_debrief: "" },
  };
}

function stagingOf(id) {
  const folder = `/project/.forge-staging/bench/polecat_${id}`;
  return {
    staging_dir: `${folder}/`,
    output_file: `${folder}/output.json`,
    sentinel_file: `${folder}/POLECAT_DONE`,
  };
}

await runAlone(import.meta.url, measure);
