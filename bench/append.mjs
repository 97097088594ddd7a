// Durable appends through the recorder, against bare inserts and signatures of the same bytes.
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { Place } from "../dist/flow/place.js";
import { Recorder } from "../dist/flow/record/recorder.js";
import { text } from "./bundle.mjs";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const OPTIONS = { artifactRoots: [] };
const AGENTS = {
  ada: "planner",
  eli: "executor",
  cleo: "critic",
  otto: "auditor",
  mara: "operator",
};
/**
 * A block is so many commits of so many entries. The log file of a new database grows until its
 * first thousand pages are full and is then written over, which is faster: the first blocks bring
 * both sides there.
 */
const SINGLES = { size: 1, count: 50, warmUp: 25 };
/** Few, so that a trace of a thousand entries stays about that long. */
const FEW = { size: 1, count: 15, warmUp: 3 };
const BATCHES = { size: 64, count: 8, warmUp: 10 };

export async function measure({ rounds = "31" }) {
  const folder = mkdtempSync(join(tmpdir(), "sworn-bench-append-"));
  const world = {
    folder,
    place: new Place({ store: join(folder, ".sworn"), state: join(folder, "state") }),
    rounds: Number(rounds),
  };
  try {
    return [
      ...(await measureAgainstBare(world, { name: "one append", most: 1.5, ...SINGLES })),
      ...(await measureAgainstBare(world, {
        name: "an append in a batch of 64",
        most: 1.4,
        ...BATCHES,
      })),
      await measureGrowth(world),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A commit carries its entries' signatures and the checkpoint's. The first row counts the entries'
 * alone on the bare side, the second one counts what we sign as well.
 */
async function measureAgainstBare({ folder, place, rounds }, { name, most, size, count, warmUp }) {
  const recorder = await startTrace(place);
  const stored = new DatabaseSync(place.ledgerPath(recorder.id), { readOnly: true });
  const bare = openBare(join(folder, `bare-${size}.db`));
  const same = openBare(join(folder, `same-${size}.db`));
  let from = 0;
  // The very bytes that were recorded a moment ago.
  const recorded = () =>
    stored.prepare("SELECT line, checkpoint FROM entry WHERE seq >= ? ORDER BY seq").all(from);
  const times = await alternate(
    {
      ours: () => {
        from = recorder.head.size;
        return appendBlock(recorder, size, count);
      },
      bare: () => bare.insert(recorded(), size, ({ line }) => [line]),
      same: () =>
        same.insert(recorded(), size, ({ line, checkpoint }) => [line, checkpoint ?? []].flat()),
    },
    { rounds, warmUp },
  );
  for (const open of [recorder, stored, bare, same]) open.close();
  const row = (title, against, target) =>
    compare({
      name: title,
      ours: times.ours,
      bare: against,
      per: count * size,
      unit: "µs",
      ...target,
    });
  return [
    row(name, times.bare, { most }),
    row(`${name}, against the same signatures`, times.same, {}),
  ];
}

/** An append must cost the same whatever came before it: two traces take turns, one ten times as long. */
async function measureGrowth({ place, rounds }) {
  const { size, count, warmUp } = FEW;
  // The shorter one is filled entry by entry, or its log file would still be growing.
  const small = await startTrace(place, 1_000, 1);
  const large = await startTrace(place, 10_000, 250);
  const times = await alternate(
    {
      small: () => appendBlock(small, size, count),
      large: () => appendBlock(large, size, count),
    },
    { rounds, warmUp },
  );
  small.close();
  large.close();
  const name = "one append at 10,000 / at 1,000 entries";
  return compare({
    name,
    ours: times.large,
    bare: times.small,
    per: count,
    unit: "µs",
    most: 1.2,
  });
}

/** A request as a script gives it: read from JSON, so that its strings are plain ones. */
function message(number) {
  const [agent, role] = Object.entries(AGENTS)[number % 5];
  const request = { actor: { agent, role }, type: "message_posted", body: { text: text(number) } };
  return JSON.parse(JSON.stringify(request));
}

async function startTrace(place, size = 1, group = 1) {
  const recorder = Recorder.start(place);
  const agents = Object.entries(AGENTS).map(([agent, role]) => ({ agent, roles: [role] }));
  const body = { task: "bench", objective: text(0), profile: "solo", agents };
  const actor = { agent: "ada", role: "planner" };
  await record(recorder, [{ actor, type: "session_initialized", body }]);
  while (recorder.head.size < size) {
    const more = Math.min(group, size - recorder.head.size);
    await record(
      recorder,
      Array.from({ length: more }, (_, number) => message(number)),
    );
  }
  return recorder;
}

function appendBlock(recorder, size, count) {
  const from = recorder.head.size;
  const groups = Array.from({ length: count }, (_, group) =>
    Array.from({ length: size }, (_, one) => message(from + group * size + one)),
  );
  return timed(async () => {
    for (const group of groups) await record(recorder, group);
  });
}

async function record(recorder, requests) {
  const { refusal } = await recorder.record(requests, OPTIONS);
  if (refusal) throw new Error(refusal.reason);
}

/** The same kind of table with the same durability, and nothing around it. */
function openBare(path) {
  const db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE entry (seq INTEGER PRIMARY KEY, line TEXT NOT NULL, checkpoint TEXT)",
  );
  db.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
  const [begin, insert, commit] = [
    "BEGIN IMMEDIATE",
    "INSERT INTO entry VALUES (?, ?, ?)",
    "COMMIT",
  ].map((sql) => db.prepare(sql));
  const { privateKey } = generateKeyPairSync("ed25519");
  let seq = 0;
  const insertAll = (rows, size, signed) => {
    for (let from = 0; from < rows.length; from += size) {
      begin.run();
      for (const row of rows.slice(from, from + size)) {
        for (const text of signed(row)) sign(null, Buffer.from(text), privateKey);
        insert.run(seq++, row.line, row.checkpoint);
      }
      commit.run();
    }
  };
  return { insert: (...args) => timed(() => insertAll(...args)), close: () => db.close() };
}

await runAlone(import.meta.url, measure);
