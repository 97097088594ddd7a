// The status of a trace of 100,000 entries: opened, folded, checked against what the runtime signed, and
// put into words, against bare reading. Bare is: the same SQLite file opened, `SELECT line FROM entry
// ORDER BY seq` stepped through row by row, and each line given to JSON.parse; nothing is hashed, folded
// or checked. Ours hashes every line into the tree on a second thread, so that it needs two processors;
// a row without that thread stands beside it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { statusWords } from "../dist/cli/status-words.js";
import { Place } from "../dist/flow/place.js";
import { StatusReader } from "../dist/flow/status/project-status.js";
import { importBundle } from "../dist/flow/trace/bundle.js";
import { bundleOf } from "./bundle.mjs";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const MOST = 1.5;
const THREADS = 2;

export async function measure({ entries = "100000", rounds = "7" }) {
  const rows = [];
  for (const mix of ["messages", "work"]) {
    rows.push(...(await measureMix(mix, Number(entries), Number(rounds))));
  }
  return rows;
}

async function measureMix(mix, count, rounds) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-status-"));
  const options = { store: join(folder, ".sworn"), state: join(folder, "state") };
  const [place, single] = [THREADS, 0].map((threads) => new Place({ ...options, threads }));
  try {
    const { kind } = await importBundle(place, bundleOf(mix, count));
    if (kind !== "imported") throw new Error(`the bundle was not imported: ${kind}`);
    const [trace] = place.traces();
    const times = await alternate(
      {
        bare: () => timed(() => readRows(place.ledgerPath(trace), count)),
        ours: () => timed(() => show(place, count)),
        single: () => timed(() => show(single, count)),
      },
      { rounds, warmUp: 2 },
    );
    const row = (name, ours, target) =>
      compare({
        name: `${name}, ${count} ${mix}`,
        ours,
        bare: times.bare,
        per: count,
        unit: "µs",
        ...target,
      });
    return [
      row("status / reading rows", times.ours, { most: MOST }),
      row("status on one thread / reading rows", times.single, {}),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing is kept from one look to the next: each begins with an unopened file. */
async function show(place, count) {
  const status = await new StatusReader(place).read();
  const words = statusWords(status);
  const { open } = status.sessions;
  if (open !== 1 || status.counts.damaged > 0) throw new Error(`${count} entries: ${words}`);
}

function readRows(path, count) {
  const db = new DatabaseSync(path, { readOnly: true });
  let seen = 0;
  for (const { line } of db.prepare("SELECT line FROM entry ORDER BY seq").iterate()) {
    if (JSON.parse(line).seq === seen) seen += 1;
  }
  db.close();
  if (seen !== count) throw new Error(`${seen} of ${count} rows were read`);
}

await runAlone(import.meta.url, measure);
