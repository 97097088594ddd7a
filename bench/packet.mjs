// What a packet of 500 MB of artifacts costs to make and to verify, by the commands that people use:
// the peak memory of each, which must not grow with the packet, and its time beside tar and sha256sum
// over the same bytes. Making one reads its bytes several times: it is searched for secrets, packed, and
// verified as a stranger would before it is handed over.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { absolute, compare, runAlone } from "./measure.mjs";
import { makeWorld } from "./packet-world.mjs";

/** `--entries` is how many megabytes, here. */
const MEGABYTES = 500;
const PEAK_MB_MAX = 300;
const BIN = fileURLToPath(new URL("../dist/cli/bin.js", import.meta.url));
const PEAK = fileURLToPath(new URL("./peak.mjs", import.meta.url));

export async function measure({ entries = String(MEGABYTES), rounds = "1" }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-packet-"));
  try {
    const world = await makeWorld(folder, Number(entries) * 1_000_000);
    const times = { making: [], verifying: [], tar: [], sum: [] };
    const peaks = { making: 0, verifying: 0 };
    for (let round = 0; round < Number(rounds); round += 1) {
      const made = sworn(folder, world.project, ["deliver", world.work, "--json"]);
      const { path } = JSON.parse(made.out).packet;
      const verified = sworn(folder, world.project, ["verify", path, "--json"]);
      if (JSON.parse(verified.out).status === "fail") throw new Error(verified.out);
      times.making.push(made.ms);
      times.verifying.push(verified.ms);
      peaks.making = Math.max(peaks.making, made.peakMb);
      peaks.verifying = Math.max(peaks.verifying, verified.peakMb);
      const tar = join(folder, "bare.tar");
      times.tar.push(bare(["tar", "-cf", tar, world.artifacts], ["sha256sum", tar]));
      times.sum.push(bare(["sha256sum", path]));
    }
    return rowsOf(`${entries} MB`, times, peaks);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(size, { making, verifying, tar, sum }, peaks) {
  return [
    absolute({
      name: `packet of ${size}, made: peak memory`,
      unit: "MB",
      ours: peaks.making,
      most: PEAK_MB_MAX,
    }),
    absolute({
      name: `packet of ${size}, verified: peak memory`,
      unit: "MB",
      ours: peaks.verifying,
      most: PEAK_MB_MAX,
    }),
    compare({ name: `packet of ${size}, made, to tar and sha256sum`, ours: making, bare: tar }),
    compare({ name: `packet of ${size}, verified, to sha256sum`, ours: verifying, bare: sum }),
  ];
}

function sworn(folder, cwd, args) {
  const peakFile = join(folder, "peak");
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, SWORN_STATE_DIR: join(folder, "state") },
    BENCH_PEAK_FILE: peakFile,
  };
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", PEAK, BIN, ...args], {
    ...{ cwd, env, encoding: "utf8" },
  });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`sworn ${args[0]} ended with ${status}: ${stdout}${stderr}`);
  return { ms, out: stdout, peakMb: Number(readFileSync(peakFile, "utf8")) / 1_000 };
}

function bare(...commands) {
  const from = performance.now();
  for (const [program, ...args] of commands) execFileSync(program, args, { stdio: "pipe" });
  return performance.now() - from;
}

await runAlone(import.meta.url, measure);
