// Verification of very long traces: its memory must not grow with them, its time only in proportion.
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleOf } from "./bundle.mjs";
import { absolute, compare } from "./measure.mjs";

const PEAK_MB_MAX = 400;
const TIMES_LONGER = 10;
const GROWTH_MAX = 1.3 * TIMES_LONGER;
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

export function measureLarge(entries) {
  const small = bundleOf("messages", entries / TIMES_LONGER);
  const large = bundleOf("messages", entries);
  const runs = [verifyOnce(small), verifyOnce(large), verifyOnce(small)];
  const [before, long, after] = runs;
  return [
    absolute({
      name: `peak memory, ${entries} entries`,
      unit: "MB",
      ours: long.peakMb,
      most: PEAK_MB_MAX,
    }),
    absolute({
      name: `peak memory, ${entries / TIMES_LONGER} entries`,
      unit: "MB",
      ours: before.peakMb,
    }),
    compare({
      name: `verify ${entries} / ${entries / TIMES_LONGER} entries`,
      ours: [long.ms, long.ms],
      bare: [before.ms, after.ms],
      most: GROWTH_MAX,
    }),
  ];
}

function verifyOnce(bundle) {
  const peakFile = `${bundle}.peak`;
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", file("./peak.mjs"), file("../dist/cli/bin.js"), "verify", bundle, "--json"],
    { env: { ...process.env, BENCH_PEAK_FILE: peakFile }, encoding: "utf8" },
  );
  const ms = performance.now() - from;
  const failures = status === 0 ? [] : (JSON.parse(stdout || "{}").failures ?? [{ code: stderr }]);
  // These sessions have no end, which is the one thing that may be found wrong with them.
  const wrong = failures.find(({ code }) => code !== "SESSION_NOT_COMPLETED");
  if (wrong) throw new Error(`verify failed: ${JSON.stringify(wrong)}`);
  const peakMb = Number(readFileSync(peakFile, "utf8")) / 1024;
  rmSync(peakFile);
  return { ms, peakMb };
}
