// A work whose record carries as many bytes of artifacts as asked for, in a project of its own.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Place } from "../dist/flow/place.js";
import { Recorder } from "../dist/flow/record/recorder.js";
import { ProjectStaging } from "../dist/flow/work/staging.js";
import { startWork } from "../dist/flow/work/work.js";
import { Repository } from "../dist/repo/index.js";

const FILE_BYTES = 50 << 20;
const PIECE_BYTES = 1 << 20;

/** Makes the work; gives back its id, where its store is and where the bytes lie beside it. */
export async function makeWorld(folder, bytes) {
  const files = writeArtifacts(join(folder, "artifacts"), bytes);
  const repository = await openRepository(folder);
  try {
    const start = await repository.resolveCommit("HEAD");
    const gated = { plan: planOf(), report: {}, questions: [], held: new Set() };
    const { report } = await startWork(setupOf(folder, repository, files), gated, { start });
    if (report.status !== "completed") throw new Error(report.reason);
    return { work: report.work, project: repository.root, artifacts: join(folder, "artifacts") };
  } finally {
    repository.close();
  }
}

/** Lines as a build prints them, no two files alike: the search for secrets has to read all of it. */
function writeArtifacts(folder, bytes) {
  mkdirSync(folder);
  const names = [];
  for (let done = 0; done < bytes; done += FILE_BYTES) {
    const name = join(folder, `build-${String(names.length).padStart(3, "0")}.log`);
    names.push(name);
    writeLog(name, names.length, Math.min(FILE_BYTES, bytes - done));
  }
  return names;
}

function writeLog(name, seed, bytes) {
  const fd = openSync(name, "w");
  for (let done = 0, part = 0; done < bytes; part += 1) {
    let text = "";
    for (let line = 0; text.length < PIECE_BYTES; line += 1) {
      const word = createHash("sha1")
        .update(`${seed} ${part} ${line >> 4}`)
        .digest("hex")
        .slice(0, 8);
      text += `[${seed}:${part}:${line}] compiled src/part-${word}/index.ts in ${line % 97} ms, 0 warnings\n`;
    }
    const piece = Buffer.from(text).subarray(0, Math.min(PIECE_BYTES, bytes - done));
    writeSync(fd, piece);
    done += piece.length;
  }
  closeSync(fd);
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

function setupOf(folder, repository, files) {
  const place = new Place({ store: join(repository.root, ".sworn"), state: join(folder, "state") });
  const pass = async () => ({ verdict: "pass", by: "nobody", reasons: [] });
  const proof = { kind: "file", path: "made.txt", present: true };
  const outcome = { proof, verdict: "pass", reason: "it is there", output: "" };
  const maker = repository.commitMaker();
  return {
    ...{ place, repository, maker, staging: new ProjectStaging(repository.root) },
    workerName: "nobody",
    worker: {
      work: async ({ at, staging }) => {
        await recordArtifacts(place, folder, files);
        const patch =
          "diff --git a/made.txt b/made.txt\nnew file mode 100644\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n";
        const commit = await maker.withPatch(at, Buffer.from(patch), "make it");
        const words = `\`${staging}/output.json\`\n`;
        return { run: "run-1", status: "completed", commit, words, isAsked: false };
      },
    },
    extract: (_words, { output }) => ({ path: output, bytes: Buffer.from('{"path":"made.txt"}') }),
    prover: { prove: async () => [outcome] },
    gates: { review: pass, tests: pass },
    weakenedBy: async () => ({ weakened: [], notes: [] }),
    ...{ profile: "solo", parallel: 1, triesMax: 1 },
    signal: new AbortController().signal,
    onEvent: () => {},
  };
}

/** While it works, the worker's logs are put on record as anybody's attachments are. */
async function recordArtifacts(place, folder, files) {
  const [trace] = readdirSync(join(place.store, "traces"));
  const recorder = Recorder.resume(place, trace);
  const actor = { agent: "worker", role: "executor" };
  try {
    for (const path of files) {
      const request = {
        ...{ actor, type: "message_posted", body: { text: "a log" } },
        artifacts: [{ path, media_type: "text/plain" }],
      };
      const { refusal } = await recorder.record([request], { artifactRoots: [folder] });
      if (refusal) throw new Error(refusal.reason);
    }
  } finally {
    recorder.close();
  }
}

function planOf() {
  const id = "ST-01";
  const staging = "/project/.forge-staging/bench/polecat_ST-01";
  const subtask = {
    ...{ id, name: "Do it", type: "CONFIG", instruction: "Make made.txt.", depends_on: [] },
    ...{ context_required: {}, output_schema: { path: "string" }, edge_cases: [], ghost_nodes: [] },
    verification_functions: { python_assertions: [], natural_language_checks: [] },
    kingdom_collision_check: { verdict: "None", verification_status: "VERIFIED", evidence: "" },
    proofs: [{ kind: "file", path: "made.txt", present: true }],
  };
  return {
    ...{ verimapped_task: "Nothing", original_request: "Nothing", interpretation_selected: "None" },
    ...{ interpretations_rejected: [], ambiguities_resolved: [], scope: { in: [], out: [] } },
    ...{ negative_contract: "Nothing.", subtasks: [subtask], deacon_required: false },
    assembly_order: [id],
    staging_paths: {
      [id]: {
        staging_dir: `${staging}/`,
        output_file: `${staging}/output.json`,
        sentinel_file: `${staging}/POLECAT_DONE`,
      },
    },
    ...{ cove_critique_summary: "", confidence_deductions: [], confidence_score: 1 },
    ...{ handoff_ready: true, blocking_questions: [], witness_debrief: "" },
  };
}
