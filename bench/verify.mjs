// Verification of a bundle, against the bare cryptography over the same entries. The bare threads run
// already and hold parsed entries when their time begins; ours starts its threads, reads and parses
// within its time. A second, fairer row has both sides do all of it.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { openBundle, verifyBundle } from "../dist/verify/index.js";
import { bundleOf } from "./bundle.mjs";
import { measureLarge } from "./large.mjs";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const THREADS = Math.min(availableParallelism(), 8);

export async function measure({ entries = "50000", rounds = "7", memory = false }) {
  if (memory) return measureLarge(Number(entries));
  const rows = [];
  for (const mix of ["messages", "work"]) {
    rows.push(...(await measureMix(mix, Number(entries), Number(rounds))));
  }
  return rows;
}

async function measureMix(mix, count, rounds) {
  const path = bundleOf(mix, count);
  const workers = await startBare(path);
  const times = await alternate(
    {
      bare: () => runBare(workers),
      full: () => timed(() => verify(path, "full")),
      // The bare check once more, with all that a program has to do before it can begin.
      whole: () => timed(async () => stopBare(await runFresh(path))),
      fast: () => timed(() => verify(path, "fast")),
    },
    { rounds },
  );
  await stopBare(workers);
  const row = (name, ours, bare, target) =>
    compare({ name: `${name}, ${count} ${mix}`, ours, bare, per: count, unit: "µs", ...target });
  return [
    row("full / bare", times.full, times.bare, { most: 1.25 }),
    row("full / bare with start and parsing", times.full, times.whole, {}),
    row("bare / fast", times.bare, times.fast, { least: 8 }),
    row("full / fast", times.full, times.fast, {}),
  ];
}

async function verify(path, mode) {
  const options = { profile: "default", mode, threads: THREADS, expectOpen: true };
  const report = await verifyBundle(path, options);
  if (report.status === "fail") throw new Error(JSON.stringify(report.failures.slice(0, 3)));
}

/** Workers that hold an equal share of the parsed entries each, ready to begin. */
async function startBare(path) {
  const bundle = openBundle(path);
  const { keys } = JSON.parse(bundle.keys);
  const bytes = Buffer.concat([...bundle.lines()]);
  bundle.close();
  const workers = [];
  for (let from = 0; from < bytes.length; ) {
    const share = Math.ceil((bytes.length - from) / (THREADS - workers.length));
    const end = bytes.indexOf(10, from + share - 1) + 1;
    const workerData = { lines: Uint8Array.from(bytes.subarray(from, end)), keys };
    workers.push(new Worker(new URL("./bare-worker.mjs", import.meta.url), { workerData }));
    from = end;
  }
  await Promise.all(workers.map((worker) => once(worker, "message")));
  return workers;
}

function runBare(workers) {
  return timed(() => {
    const done = workers.map((worker) => once(worker, "message"));
    for (const worker of workers) worker.postMessage("go");
    return Promise.all(done);
  });
}

async function runFresh(path) {
  const workers = await startBare(path);
  await runBare(workers);
  return workers;
}

function stopBare(workers) {
  return Promise.all(workers.map((worker) => worker.terminate()));
}

await runAlone(import.meta.url, measure);
