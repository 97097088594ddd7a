import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../src/flow/place.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { opening, request } from "../fake/sandbox.ts";
import { intent, message, proposal, review } from "../flow/requests.ts";
import { Shell } from "./shell.ts";

const LONG = "a long text ".repeat(30).trim();
const BYTES = Buffer.from([0, 255, 27, 91, 50, 74, 10]);

async function recorded(): Promise<Shell> {
  const shell = new Shell();
  shell.write("bytes.bin", BYTES);
  const attached = { ...message(LONG), artifacts: [{ name: "raw", path: "bytes.bin" }] };
  shell.script("s.jsonl", opening(), proposal("p1"), review("p1"), intent("i1"), attached);
  expect((await shell.run("trace", "record", "s.jsonl")).exit).toBe(0);
  return shell;
}

test("an entry's telling fields come first and its hashes last", async () => {
  const { out } = await (await recorded()).run("trace", "show", "latest");
  const line = out.split("\n").find((text) => text.includes("tool_intent_signed")) ?? "";
  expect(line).toMatch(/intent_id=i1 .*tool_name=edit.* normalized_input_hash=[0-9a-f]{64}$/);
});

test("rows are cut to the width of a terminal, and whole in a pipe", async () => {
  const shell = await recorded();
  for (const line of [
    ["trace", "show", "latest"],
    ["trace", "tail", "latest"],
  ]) {
    expect((await shell.run(...line)).out).toContain(LONG);
    const narrow = (await shell.runWith({ columns: 80 }, ...line)).out.trimEnd().split("\n");
    expect(Math.max(...narrow.map((row) => row.length))).toBe(80);
    expect(narrow.at(-1)).toMatch(/…$/);
  }
});

test("the bytes of an artifact are written as they are, by name and by hash", async () => {
  const shell = await recorded();
  const { entries } = (await shell.run("trace", "show", "latest", "4", "--json")).json<{
    entries: { artifacts: { hash: string }[] }[];
  }>();
  const hash = entries[0]?.artifacts[0]?.hash ?? "";
  for (const wanted of ["raw", hash]) {
    const written: Uint8Array[] = [];
    const out = (text: string | Uint8Array) => written.push(Buffer.from(text));
    const { exit } = await shell.runWith(
      { out },
      "trace",
      "show",
      "latest",
      "4",
      "--artifact",
      wanted,
    );
    expect(exit).toBe(0);
    expect(Buffer.concat(written).equals(BYTES)).toBe(true);
  }
  const machine = await shell.run("trace", "show", "latest", "4", "--artifact", "raw", "--json");
  expect(machine.json()).toMatchObject({ artifact: hash });
});

test("on a terminal the bytes of an artifact cannot steer it", async () => {
  const shell = await recorded();
  const shown = await shell.runWith(
    { columns: 80 },
    ...["trace", "show", "latest", "4", "--artifact", "raw"],
  );
  expect(shown.out).toContain("\\u001b[2J");
  expect(shown.out).not.toContain("\u001b");
});

test("an artifact that is not there, or not as it was recorded, is told", async () => {
  const shell = await recorded();
  const none = await shell.run("trace", "show", "latest", "4", "--artifact", "other");
  expect(none.exit).toBe(2);
  expect(none.err).toContain(
    'entry 4 has no artifact "other": expected a name or a hash, it has raw',
  );
  const nowhere = await shell.run("trace", "show", "latest", "--artifact", "raw");
  expect(nowhere.exit).toBe(2);
  expect(nowhere.err).toContain("--artifact needs the number of an entry");
  const document = await shell.run("trace", "show", "latest", "4", "--artifact", "raw", "--json");
  const { artifact } = document.json<{ artifact: string }>();
  writeFileSync(join(shell.cwd, ".sworn/artifacts/sha256", artifact), "altered");
  const altered = await shell.run("trace", "show", "latest", "4", "--artifact", "raw");
  expect([altered.exit, altered.out]).toEqual([4, ""]);
});

test("evidence that an entry cites by its hash can be shown too", async () => {
  const shell = new Shell();
  const attached = { ...message("see"), artifacts: [{ name: "diff", text: "+ one line" }] };
  const decision = request("ada", "planner", "decision_recorded", {
    decision_id: "d1",
    context: "where",
    options: ["here"],
    choice: "here",
    evidence: ["diff"],
  });
  await shell.run("trace", "record", shell.script("s.jsonl", opening(), attached, decision));
  const { entries } = (await shell.run("trace", "show", "latest", "2", "--json")).json<{
    entries: { body: { evidence: string[] } }[];
  }>();
  const hash = entries[0]?.body.evidence[0] ?? "";
  expect((await shell.run("trace", "show", "latest", "2", "--artifact", hash)).out).toBe(
    "+ one line",
  );
});

/** Changes what the store holds, as somebody who can write to the disk would. */
async function tamper(shell: Shell, sql: string): Promise<void> {
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const folder = join(shell.cwd, ".sworn/traces");
  const db = new DatabaseSync(join(folder, readdirSync(folder)[0] ?? "", "ledger.db"));
  db.exec(sql);
  db.close();
}

test("what was altered is shown with a warning that names the entry, and ends with 4", async () => {
  const shell = await recorded();
  const sound = await shell.run("trace", "show", "latest", "1");
  expect([sound.exit, sound.err]).toEqual([0, ""]);
  await tamper(shell, "UPDATE entry SET line = replace(line, 'p1', 'p9') WHERE seq = 2");
  for (const shown of [["2"], ["3"], ["4", "--artifact", "raw"], []]) {
    const { exit, err, out } = await shell.run("trace", "show", "latest", ...shown);
    expect(exit).toBe(4);
    expect(out).not.toBe("");
    expect(err).toMatch(
      /^sworn: trace_\w+ is not as it was signed from entry 2 on: .*run "sworn verify trace_\w+"\n$/,
    );
  }
  const document = await shell.run("trace", "show", "latest", "2", "--json");
  expect(document.exit).toBe(4);
  expect(document.json()).toMatchObject({ verified: false, entries: [{ seq: 2 }] });
});

test("entries before the one that was altered are shown without a warning", async () => {
  const shell = await recorded();
  await tamper(shell, "UPDATE entry SET line = replace(line, 'p1', 'p9') WHERE seq = 2");
  const { exit, err } = await shell.run("trace", "show", "latest", "1");
  expect([exit, err]).toEqual([0, ""]);
  const document = await shell.run("trace", "show", "latest", "1", "--json");
  expect(document.json()).toMatchObject({ verified: true });
});

test("a checkpoint that was altered leaves nothing verified", async () => {
  const shell = await recorded();
  await tamper(shell, "UPDATE entry SET checkpoint = replace(checkpoint, '=', 'A')");
  expect((await shell.run("trace", "show", "latest", "0")).exit).toBe(4);
});

test("a cut end is told to whoever looks at the whole, and not in front of a sound entry", async () => {
  const shell = await recorded();
  await tamper(
    shell,
    "UPDATE entry SET checkpoint = (SELECT checkpoint FROM entry WHERE seq = 4) WHERE seq = 3; DELETE FROM entry WHERE seq = 4",
  );
  expect((await shell.run("trace", "show", "latest")).err).toContain("from entry 4 on");
  expect((await shell.run("trace", "show", "latest", "3")).exit).toBe(0);
});

test("a missing artifact is no reason to doubt an entry, also where a later one was altered", async () => {
  const shell = await recorded();
  const { json } = await shell.run("trace", "show", "latest", "--json");
  const { entries } = json<{ entries: { artifacts: { hash: string }[] }[] }>();
  const hash = entries[3]?.artifacts[0]?.hash ?? "";
  rmSync(join(shell.cwd, ".sworn/artifacts/sha256", hash));
  await tamper(shell, "UPDATE entry SET line = replace(line, 'long', 'tall') WHERE seq = 4");
  expect((await shell.run("trace", "show", "latest", "3")).exit).toBe(0);
  expect((await shell.run("trace", "show", "latest", "4")).exit).toBe(4);
});

test("the manifest of a sealed run is no proof, and the message says what to verify instead", async () => {
  const shell = new Shell();
  const path = ".sworn/runs/trace_01K0000000000000000000000A/manifest.json";
  mkdirSync(dirname(join(shell.cwd, path)), { recursive: true });
  writeFileSync(join(shell.cwd, path), "{}");
  const { exit, err } = await shell.run("verify", path);
  expect(exit).toBe(2);
  expect(err).toContain("sworn verify trace_01K0000000000000000000000A");
});

test("a trace that a killed process left empty is said never to have begun, and is in nobody's way", async () => {
  const shell = await recorded();
  const place = new Place({ store: join(shell.cwd, ".sworn"), state: join(shell.folder, "state") });
  const [sound = ""] = place.traces();
  const { key } = await place.keyring.ensure("sworn");
  const signer = await place.keyring.signer("sworn", key);
  if (signer === undefined) throw new Error("no signer");
  const empty = "trace_7ZZZZZZZZZZZZZZZZZZZZZZZZZ";
  place.prepareTrace(empty);
  LocalLedger.create(empty, place.ledgerPath(empty), place.heads(empty), signer).close();
  for (const words of ["show", "tail", "export", "prove"]) {
    const line = words === "prove" ? [empty, "0"] : [empty];
    const { exit, err } = await shell.run("trace", words, ...line);
    expect([words, exit, err]).toEqual([
      words,
      2,
      expect.stringMatching(/was begun, and nothing was ever recorded in it/),
    ]);
  }
  const listed = await shell.run("trace", "ls");
  expect([listed.exit, listed.out]).toEqual([
    0,
    expect.stringMatching(/7Z+ +unbegun +0 .*it never began/),
  ]);
  const latest = await shell.run("trace", "show", "latest", "--json");
  expect(latest.json()).toMatchObject({ trace: sound, verified: true });
  const { items } = (await shell.run("status", "--json")).json<{ items: { trace: string }[] }>();
  expect(items.map(({ trace }) => trace)).not.toContain(empty);
  // Entries that somebody took away are something else.
  rmSync(place.heads(empty).path);
  const { exit, err } = await shell.run("trace", "show", empty);
  expect([exit, err]).toEqual([4, expect.stringContaining("is not as it was signed")]);
});

test("a ledger that is gone, and one that was emptied, are said to be, with a way on that works", async () => {
  const shell = await recorded();
  const place = new Place({ store: join(shell.cwd, ".sworn"), state: join(shell.folder, "state") });
  const [trace = ""] = place.traces();
  const folder = place.traceFolder(trace);
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  const next = `put it back from a backup, or see "sworn trace recover ${trace}"`;
  for (const line of [["verify"], ["trace", "show"]]) {
    const { exit, err } = await shell.run(...line, trace);
    expect(exit).toBe(4);
    expect(err).toContain(`the ledger of ${trace} is gone (${place.ledgerPath(trace)})`);
    expect(err).toContain(next);
  }
  writeFileSync(place.ledgerPath(trace), "");
  const emptied = await shell.run("verify", trace);
  expect([emptied.exit, emptied.err]).toEqual([
    4,
    expect.stringMatching(
      `${trace}/ledger\\.db cannot be read as a ledger: .* or was emptied; run`,
    ),
  ]);
  const lost = await shell.run("trace", "recover", trace, "--accept-loss");
  expect([lost.exit, lost.err]).toEqual([4, expect.stringContaining(`move ${folder} away`)]);
  rmSync(folder, { recursive: true });
  expect((await shell.run("trace", "ls", "--json")).json()).toEqual({ traces: [] });
});
