// What the measurements share: alternating rounds, medians, verdicts, one table.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export const OPTIONS = {
  entries: { type: "string" },
  rounds: { type: "string" },
  json: { type: "boolean" },
  large: { type: "boolean" },
  memory: { type: "boolean" },
  strict: { type: "boolean" },
};

/** The value that a share of the sorted values lies below; 0.5 is the median. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values) => quantile(values, 0.5);

/** Milliseconds that something takes. */
export async function timed(run) {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/**
 * Runs each of the named functions once a round, in turns, so that noise of the machine meets them
 * alike. A function gives back its own milliseconds. The first rounds only warm up.
 */
export async function alternate(runs, { rounds, warmUp = 1 }) {
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      const ms = await run();
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

/**
 * One line of the table. The ratio is the median of the ratios within each round; a target counts
 * as missed only when three quarters of the rounds miss it.
 */
export function compare({ name, ours, bare, per = 1, unit = "ms", most, least }) {
  const ratios = ours.map((ms, round) => ms / bare[round]);
  const [low, ratio, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
  const scale = unit === "µs" ? 1_000 / per : 1 / per;
  return {
    name,
    unit,
    ours: median(ours) * scale,
    bare: median(bare) * scale,
    ratio,
    spread: [low, high],
    target: targetOf({ most, least }),
    verdict: verdictOf({ low, ratio, high, most, least }),
  };
}

function targetOf({ most, least }) {
  if (most !== undefined) return `≤ ${most}`;
  return least === undefined ? "" : `≥ ${least}`;
}

function verdictOf({ low, ratio, high, most = Infinity, least = -Infinity }) {
  if (most === Infinity && least === -Infinity) return "";
  if (ratio <= most && ratio >= least) return "ok";
  return low > most || high < least ? "missed" : "within noise";
}

/** A line for something that was measured once and stands for itself. */
export function absolute({ name, unit, ours, most, least }) {
  const verdict = verdictOf({ low: ours, ratio: ours, high: ours, most, least });
  return { name, unit, ours, target: targetOf({ most, least }), verdict };
}

/** Peak memory is that of a process, so it gets one that does nothing else. */
export function memoryAlone(url) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(url), "--memory", "--json"],
    { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the measurement of memory ended with ${status}`);
  return JSON.parse(stdout).rows;
}

export function printTable(rows) {
  const number = (value, digits) => (value === undefined ? "" : value.toFixed(digits));
  const cells = rows.map(({ name, unit, ours, bare, ratio, spread, target, verdict }) => [
    name,
    `${number(ours, 1)} ${unit}`,
    bare === undefined ? "" : `${number(bare, 1)} ${unit}`,
    ratio === undefined
      ? ""
      : `${number(ratio, 2)} (${spread.map((one) => number(one, 2)).join("–")})`,
    target,
    verdict,
  ]);
  const all = [["measurement", "ours", "bare", "ratio (quartiles)", "target", "verdict"], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all) {
    const line = row.map((cell, at) =>
      at === 0 || at > 3 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]),
    );
    console.log(line.join("  ").trimEnd());
  }
}

/** Runs a measurement when its file was started by itself. */
export async function runAlone(url, measure) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  const { values } = parseArgs({ options: OPTIONS });
  const rows = await measure(values);
  if (values.json) console.log(JSON.stringify({ node: process.version, rows }));
  else printTable(rows);
  if (values.strict && rows.some(({ verdict }) => verdict === "missed")) process.exitCode = 1;
}
