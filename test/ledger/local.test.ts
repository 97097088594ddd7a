import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { type Signer, sha256Hex } from "../../src/base/index.ts";
import { HeadFile } from "../../src/ledger/heads.ts";
import { openCheckpoint, TreeHead } from "../../src/ledger/index.ts";
import { LocalLedger } from "../../src/ledger/local.ts";
import { temporaryPlace } from "../fake/sandbox.ts";

const TRACE = "trace_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const GENESIS = { size: 0, hash: "0".repeat(64) };

/** A ledger of lines that chain and mean nothing; it must not care. */
async function ledgerOf(count: number) {
  const place = temporaryPlace();
  const { key } = await place.keyring.ensure("sworn");
  const signer = (await place.keyring.signer("sworn", key)) as Signer;
  place.prepareTrace(TRACE);
  const path = place.ledgerPath(TRACE);
  const heads = () => new HeadFile(join(place.keyFolder, "..", "heads", `${TRACE}.head`));
  const ledger = LocalLedger.create(TRACE, path, heads(), signer);
  onTestFinished(() => ledger.close());
  if (count > 0) expect(ledger.append(GENESIS, entriesAfter(GENESIS, count), signer)).toBe(true);
  return { ledger, signer, path, heads };
}

function entriesAfter({ size, hash }: { size: number; hash: string }, count: number, word = "x") {
  const entries = [];
  let prev = hash;
  for (let seq = size; seq < size + count; seq += 1) {
    const line = `{"word":"${word}","prev":"${prev}","seq":${seq},"sig":"none"}`;
    prev = sha256Hex(line);
    entries.push({ seq, line, hash: prev });
  }
  return entries;
}

function rootOf(lines: string[]): string {
  const tree = new TreeHead();
  for (const line of lines) tree.append(sha256Hex(line));
  return tree.root();
}

test("what was appended can be read, by this ledger and by another", async () => {
  const { ledger, path, heads } = await ledgerOf(3);
  const lines = entriesAfter(GENESIS, 3).map(({ line }) => line);
  expect([...ledger.read()]).toEqual(lines);
  expect([...ledger.read(2)]).toEqual(lines.slice(2));
  expect(ledger.head).toEqual({ size: 3, hash: sha256Hex(lines[2] ?? "") });
  expect(ledger.root).toBe(rootOf(lines));
  const reader = LocalLedger.openForReading(TRACE, path, heads());
  const seen: [string, number][] = [];
  reader.catchUp((line, seq) => seen.push([line, seq]));
  expect(seen).toEqual(lines.map((line, seq) => [line, seq]));
  expect(reader.head).toEqual(ledger.head);
  reader.close();
});

test("each commit has a signed checkpoint, in the store and outside it", async () => {
  const { ledger, signer, heads } = await ledgerOf(2);
  ledger.append(ledger.head, entriesAfter(ledger.head, 3), signer);
  const notes = [...ledger.checkpoints()];
  expect(notes.map(({ size }) => size)).toEqual([2, 5]);
  const lines = [...ledger.read()];
  for (const { size, note } of notes) {
    const root = rootOf(lines.slice(0, size));
    expect(openCheckpoint(note, TRACE, signer.public)).toEqual({ trace: TRACE, size, root });
    expect(heads().notes()).toContain(note);
    expect(ledger.checkpointOfSize(size)?.note).toBe(note);
  }
  expect(ledger.lastCheckpoint()?.size).toBe(5);
  expect(ledger.checkpointOfSize(4)).toBeUndefined();
});

test("an append on a head that is no longer the last is refused, and nothing is written", async () => {
  const { ledger, signer, path, heads } = await ledgerOf(2);
  const other = LocalLedger.openForAppend(TRACE, path, heads());
  onTestFinished(() => other.close());
  other.catchUp(() => {});
  const stale = other.head;
  expect(ledger.append(ledger.head, entriesAfter(ledger.head, 1, "first"), signer)).toBe(true);
  expect(other.append(stale, entriesAfter(stale, 1, "second"), signer)).toBe(false);
  expect(other.append(stale, entriesAfter(stale, 3, "third"), signer)).toBe(false);
  expect([...ledger.read()]).toHaveLength(3);
  expect([...ledger.read(2)].join()).toContain("first");
  // Refused is not broken: after catching up it appends.
  expect(other.hasNews()).toBe(true);
  other.catchUp(() => {});
  expect(other.hasNews()).toBe(false);
  expect(other.append(other.head, entriesAfter(other.head, 1, "second"), signer)).toBe(true);
  expect(ledger.hasNews()).toBe(true);
});

test("a wrong hash at the right length is a stale head too", async () => {
  const { ledger, signer } = await ledgerOf(2);
  const wrong = { size: 2, hash: "f".repeat(64) };
  expect(ledger.append(wrong, entriesAfter(wrong, 1), signer)).toBe(false);
  expect(ledger.append(GENESIS, entriesAfter(GENESIS, 1), signer)).toBe(false);
  expect([...ledger.read()]).toHaveLength(2);
});

test("a line that does not follow the one before it ends the reading", async () => {
  const { ledger, path, heads } = await ledgerOf(3);
  const db = new DatabaseSync(path);
  db.prepare("UPDATE entry SET line = replace(line, 'x', 'y') WHERE seq = 1").run();
  db.close();
  const reader = LocalLedger.openForReading(TRACE, path, heads());
  const seen: number[] = [];
  expect(() => reader.catchUp((_, seq) => seen.push(seq))).toThrow(
    expect.objectContaining({ code: "LEDGER_CORRUPT" }),
  );
  expect(seen).toEqual([0, 1]);
  reader.close();
  expect(ledger.head.size).toBe(3);
});

test("after an I/O error a ledger takes nothing more until it is opened again", async () => {
  const { ledger, signer, path, heads } = await ledgerOf(2);
  const { head } = ledger;
  const db = new DatabaseSync(path);
  // Stands for a disk that says no: the database itself refuses the write.
  db.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END",
  );
  const next = entriesAfter(head, 1);
  expect(() => ledger.append(head, next, signer)).toThrow(
    expect.objectContaining({ code: "LEDGER_WRITE_FAILED" }),
  );
  db.exec("DROP TRIGGER refuse");
  db.close();
  expect(() => ledger.append(head, next, signer)).toThrow(
    expect.objectContaining({ code: "STORE_READ_ONLY" }),
  );
  expect(ledger.head).toEqual(head);
  const again = LocalLedger.openForAppend(TRACE, path, heads());
  again.catchUp(() => {});
  expect(again.head).toEqual(head);
  expect(again.append(head, next, signer)).toBe(true);
  again.close();
});

test("a ledger that is open for reading is one unmoving view, and does not write", async () => {
  const { ledger, signer, path, heads } = await ledgerOf(2);
  const reader = LocalLedger.openForReading(TRACE, path, heads());
  expect([...reader.read()]).toHaveLength(2);
  ledger.append(ledger.head, entriesAfter(ledger.head, 2), signer);
  expect([...reader.read()]).toHaveLength(2);
  expect(() => reader.append(GENESIS, entriesAfter(GENESIS, 1), signer)).toThrow(
    expect.objectContaining({ code: "STORE_READ_ONLY" }),
  );
  reader.close();
});

test("what is no ledger of ours is not opened", async () => {
  const { path, heads } = await ledgerOf(1);
  expect(() => LocalLedger.openForReading(TRACE, `${path}.none`)).toThrow(
    expect.objectContaining({ code: "NOT_FOUND" }),
  );
  // Known outside by more than its beginning, it is no trace that never was.
  expect(() => LocalLedger.openForReading(TRACE, `${path}.none`, heads())).toThrow(
    expect.objectContaining({
      code: "STORE_UNREADABLE",
      message: expect.stringContaining("is gone"),
    }),
  );
  expect(existsSync(`${path}.none`)).toBe(false);
  for (const pragma of ["application_id = 1", "user_version = 99"]) {
    const { path: changed, ledger } = await ledgerOf(1);
    const db = new DatabaseSync(changed);
    db.exec(`PRAGMA ${pragma}`);
    db.close();
    expect(() => LocalLedger.openForReading(TRACE, changed, heads())).toThrow(
      expect.objectContaining({ code: "STORE_UNREADABLE" }),
    );
    expect(ledger.head.size).toBe(1);
  }
});

test("every commit is written through to the disk before it is acknowledged", async () => {
  const { path } = await ledgerOf(1);
  const db = new DatabaseSync(path);
  expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  db.close();
});

/** Lines as they come from a bundle, with what was verified about them. */
const foreign = (count: number) => {
  const entries = entriesAfter(GENESIS, count);
  const bytes = Buffer.from(entries.map(({ line }) => `${line}\n`).join(""));
  return { pieces: [bytes], note: "a note", head: entries.at(-1)?.hash ?? "" };
};

test("foreign entries are received whole, into an empty ledger only", async () => {
  const { path, heads } = await ledgerOf(0);
  await LocalLedger.receive(TRACE, path, heads(), foreign(3));
  const ledger = LocalLedger.openForReading(TRACE, path, heads());
  expect([...ledger.read()]).toEqual(entriesAfter(GENESIS, 3).map(({ line }) => line));
  expect(ledger.lastCheckpoint()).toEqual({ size: 3, note: "a note" });
  ledger.close();
  expect(heads().notes()).toContain("a note");
  await expect(LocalLedger.receive(TRACE, path, heads(), foreign(3))).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
  });
});

test("foreign entries that are not the verified ones are not received at all", async () => {
  const { path, heads } = await ledgerOf(0);
  const content = foreign(3);
  for (const changed of [
    { ...content, head: "0".repeat(64) },
    { ...content, pieces: foreign(2).pieces },
    { ...content, pieces: [Buffer.from("nonsense\n")] },
  ]) {
    await expect(LocalLedger.receive(TRACE, path, heads(), changed)).rejects.toMatchObject({
      code: "LEDGER_CORRUPT",
    });
    const ledger = LocalLedger.openForReading(TRACE, path, heads());
    expect([...ledger.read()]).toEqual([]);
    ledger.close();
  }
  expect(heads().notes()).not.toContain("a note");
});

test("entries that were sealed for another place are a mistake of ours", async () => {
  const { ledger, signer } = await ledgerOf(2);
  const misplaced = entriesAfter({ size: 5, hash: ledger.head.hash }, 1);
  expect(() => ledger.append(ledger.head, misplaced, signer)).toThrow("invariant");
  expect([...ledger.read()]).toHaveLength(2);
});
