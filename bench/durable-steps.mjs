// A workflow of a thousand steps that do nothing, each on disk before the next begins: on a task's
// bus, with the beginning and the end of every step in signed entries of their own, and in LangGraph
// with its SQLite checkpoints, which are written without waiting for the disk. LangGraph is fetched once, into a folder outside of the repository.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Place } from "../dist/flow/place.js";
import { Bus, isRefused } from "../dist/flow/talk/bus.js";
import { endRun, startRun } from "../dist/flow/talk/join.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const STEPS = 1_000;
const INSTALL_MS_MAX = 300_000;
const PEER = [
  "@langchain/core@1.2.13",
  "@langchain/langgraph@1.4.18",
  "@langchain/langgraph-sdk@1.12.3",
  "@langchain/langgraph-checkpoint-sqlite@1.0.4",
];
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "sworn-bench");
export async function measure({ rounds = "5" }) {
  const graphOf = await openPeer();
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-steps-"));
  const place = new Place({ store: join(folder, ".sworn"), state: join(folder, "state") });
  let count = 0;
  try {
    const { ours, peer } = await alternate(
      {
        ours: () => {
          count += 1;
          return runOurs(place, count);
        },
        peer: () => {
          return runPeer(graphOf(join(folder, `peer-${count}.db`)));
        },
      },
      { rounds: Number(rounds), warmUp: 1 },
    );
    const name = `${STEPS} durable steps, signed / LangGraph`;
    return [compare({ name, ours, bare: peer, per: 1, most: 1 })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** That a step has ended and that the next one begins are on disk, together, before the next one does. */
async function runOurs(place, round) {
  const bus = await Bus.begin({ place, task: `steps-${round}` });
  const started = (step) => ({ run_id: idOf(step), agent: "noop", role: "executor", depth: 0 });
  const ended = (step) => ({
    run_id: idOf(step),
    status: "completed",
    exit_code: 0,
    summary: `${step}`,
  });
  const ms = await timed(async () => {
    accepted(await startRun(bus, started(0)));
    for (let step = 1; step < STEPS; step += 1) {
      const both = [endRun(bus, ended(step - 1)), startRun(bus, started(step))];
      for (const said of await Promise.all(both)) accepted(said);
    }
    accepted(await endRun(bus, ended(STEPS - 1)));
  });
  if (bus.talk().runs.size !== STEPS) throw new Error("not every step was recorded");
  bus.close();
  return ms;
}

function idOf(step) {
  return `20260101-${String(step).padStart(10, "0")}-1`;
}

function accepted(said) {
  if (isRefused(said)) throw new Error(said.reason);
}

async function runPeer(graph) {
  const options = { configurable: { thread_id: "steps" }, recursionLimit: STEPS + 10 };
  let last;
  const ms = await timed(async () => {
    last = await graph.invoke({ step: 0 }, options);
  });
  if (last?.step !== STEPS) throw new Error(`LangGraph ended at ${last?.step}`);
  return ms;
}

async function openPeer() {
  const folder = join(CACHE, PEER.join("+").replaceAll("/", "_"));
  if (!existsSync(folder)) fetchPeer(folder);
  const load = (path) => import(pathToFileURL(join(folder, "node_modules", path)).href);
  const { StateGraph, Annotation, START, END } = await load("@langchain/langgraph/dist/index.js");
  const { SqliteSaver } = await load("@langchain/langgraph-checkpoint-sqlite/dist/index.js");
  const State = Annotation.Root({ step: Annotation() });
  return (path) =>
    new StateGraph(State)
      .addNode("next", ({ step }) => ({ step: step + 1 }))
      .addEdge(START, "next")
      .addConditionalEdges("next", ({ step }) => (step < STEPS ? "next" : END))
      .compile({ checkpointer: SqliteSaver.fromConnString(path) });
}

/** Made aside and moved, so that a broken attempt is never taken for it. */
function fetchPeer(folder) {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(join(CACHE, "making-"));
  try {
    console.error(`fetching ${PEER.join(", ")}`);
    // What its parts ask of each other cannot all be had, and npm looks for it without an end.
    const quiet = ["--legacy-peer-deps", "--no-audit", "--no-fund"];
    execFileSync("npm", ["install", "--prefix", aside, ...quiet, ...PEER], {
      cwd: aside,
      timeout: INSTALL_MS_MAX,
      stdio: ["ignore", "ignore", "inherit"],
    });
    renameSync(aside, folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

await runAlone(import.meta.url, measure);
