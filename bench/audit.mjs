// An audit of a whole tree, against the slowest of its analysers alone on the same tree.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Place } from "../dist/flow/place.js";
import { review } from "../dist/flow/review/review.js";
import { readText } from "../dist/flow/review/subject.js";
import { Repository } from "../dist/repo/index.js";
import { FILE_MEMBERS, ReviewPool, treeReviewers } from "../dist/scan/index.js";
import { absolute, alternate, compare, median, memoryAlone, runAlone, timed } from "./measure.mjs";

const LINES = 10_000;
const LARGE = 10;
/** Both cores of the smallest machine that counts. */
const THREADS = 2;
/** Files that are under way at once in the bare runs, as many as in ours. */
const AHEAD = 8;
const ENV = { PATH: process.env.PATH };

export async function measure({ rounds = "5", memory = false }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-audit-"));
  try {
    if (memory) return await measureMemory(makeWorld(folder, "large", LINES * LARGE));
    const small = makeWorld(folder, "small", LINES);
    const large = makeWorld(folder, "large", LINES * LARGE);
    return [...(await measureTimes(small, large, Number(rounds))), ...memoryAlone(import.meta.url)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTimes(small, large, rounds) {
  const scene = await openScene(large);
  const analysers = [...FILE_MEMBERS, ...treeReviewers(scene.paths)];
  const alone = Object.fromEntries(
    analysers.map((one) => [one.name, () => timed(() => runAnalyser(one, scene))]),
  );
  const { ours, less, ...times } = await alternate(
    { ours: () => timed(() => audit(large)), less: () => timed(() => audit(small)), ...alone },
    { rounds },
  );
  await scene.blobs.close();
  scene.repository.close();
  const [slowest, bare] = Object.entries(times).sort(([, a], [, b]) => median(b) - median(a))[0];
  const lines = LINES * LARGE;
  return [
    compare({
      name: `audit of ${lines} lines / its ${slowest} reviewer alone`,
      ours,
      bare,
      most: 1.3,
    }),
    compare({
      name: `audit of ${lines} lines / ${LARGE} times that of ${LINES}`,
      ours,
      bare: less.map((ms) => ms * LARGE),
      most: 1.2,
    }),
  ];
}

async function measureMemory(world) {
  await audit(world);
  const ours = process.resourceUsage().maxRSS / 1_024;
  const name = `peak memory, audit of ${LINES * LARGE} lines`;
  return [absolute({ name, unit: "MB", ours, most: 1_000 })];
}

/** Made by another process, so that what making it took is not part of this one's memory. */
function makeWorld(folder, name, lines) {
  const world = join(folder, name);
  mkdirSync(world);
  const maker = fileURLToPath(new URL("audit-world.mjs", import.meta.url));
  execFileSync(process.execPath, [maker, world, String(lines)]);
  return world;
}

/** What the command does, with a store of its own for each run. */
async function audit(folder) {
  const own = mkdtempSync(join(tmpdir(), "sworn-bench-audit-store-"));
  try {
    const place = new Place({ store: join(own, "store"), state: join(own, "state") });
    const { report, failed } = await review({
      kind: "audit",
      folder,
      wanted: { kind: "tree", at: "main" },
      reports: [],
      takesBaseline: false,
      env: ENV,
      threads: THREADS,
      signal: new AbortController().signal,
      placeFor: () => place,
      onProgress: () => {},
    });
    if (failed.length > 0) throw new Error(`failed: ${failed.join(", ")}`);
    if (report.status === "failed") throw new Error(report.status);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

async function openScene(folder) {
  const repository = await Repository.open(folder, { env: ENV });
  const files = [];
  for await (const file of repository.listTree(await repository.resolveCommit("main"))) {
    files.push(file);
  }
  const paths = new Set(files.map(({ path }) => path));
  return { repository, blobs: repository.openBlobs(), files, paths };
}

/** One analyser over all files that it covers: the same rules, the same threads, and nothing else. */
async function runAnalyser(analyser, { blobs, files }) {
  const covered = files.filter(({ path }) => analyser.covers(path));
  const pool = "start" in analyser ? undefined : new ReviewPool(THREADS);
  const reading = pool === undefined ? analyser.start() : undefined;
  const waiting = new Set();
  for (const file of covered) {
    const one = readText(blobs, file).then(async ({ text }) => {
      reading?.take({ path: file.path, text });
      await pool?.review({ path: file.path, text }, [analyser.name]);
      waiting.delete(one);
    });
    waiting.add(one);
    if (waiting.size >= AHEAD) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  await reading?.finish(new AbortController().signal);
  await pool?.close();
}

await runAlone(import.meta.url, measure);
