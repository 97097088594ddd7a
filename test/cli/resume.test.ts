import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ulid } from "../../src/base/index.ts";
import { Place } from "../../src/flow/place.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { GitFolder } from "../repo/git-folder.ts";
import { Shell } from "./shell.ts";

/** A project, and something in its store that has folders and a record. */
function projectWith(...kinds: ("session" | "work")[]) {
  const project = new GitFolder();
  project.commit({ "a.txt": "one\n" });
  const { path, home, env } = project;
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  const trace = `trace_${ulid(1)}`;
  const id = trace.slice("trace_".length).toLowerCase();
  for (const kind of kinds) mkdirSync(join(place.store, kind, id), { recursive: true });
  mkdirSync(dirname(place.ledgerPath(trace)), { recursive: true });
  const io = { cwd: path, home, env: { ...env, SWORN_STATE_DIR: place.state } };
  const run = (command: string) => () => new Shell().runWith(io, command, "--json");
  return { place, trace, id, resume: run("resume"), status: run("status") };
}

test("a session whose record is broken keeps nothing else from going on, but the works it may lead", async () => {
  const { place, trace, id, resume } = projectWith("session", "work");
  writeFileSync(place.ledgerPath(trace), "no database");
  const ran = await resume();
  expect(ran.exit).toBe(1);
  expect(ran.json()).toMatchObject({
    works: [],
    sessions: [],
    stuck: [
      expect.stringMatching(`^session ${id} cannot go on: .* cannot be read as a ledger`),
      expect.stringMatching("^works cannot go on: which of them a session leads is not known: "),
    ],
  });
});

test("a work whose record is broken is said to be, and keeps nothing else from going on", async () => {
  const { place, trace, id, resume } = projectWith("work");
  writeFileSync(place.ledgerPath(trace), "no database");
  const ran = await resume();
  expect(ran.exit).toBe(1);
  expect(ran.json()).toMatchObject({
    stuck: [expect.stringMatching(`^work ${id} cannot go on: .* cannot be read as a ledger`)],
  });
});

test.each(["work", "session"] as const)(
  "a %s that was killed before its first entry is none, and waits for nobody",
  async (kind) => {
    const { place, trace, resume, status } = projectWith(kind);
    const { key } = await place.keyring.ensure("sworn");
    const signer = await place.keyring.signer("sworn", key);
    if (signer === undefined) throw new Error("no signer");
    place.prepareTrace(trace);
    LocalLedger.create(trace, place.ledgerPath(trace), place.heads(trace), signer).close();
    const ran = await resume();
    expect([ran.exit, ran.err]).toEqual([
      0,
      "Nothing was left behind: every run of this project came to its end.\n",
    ]);
    expect((await status()).json()).toMatchObject({ items: [], sessions: { open: 0 } });
  },
);
