import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { rotateKey } from "../../src/flow/keys.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { exportTrace } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { recover } from "../../src/flow/trace/recover.ts";
import { verifyTarget } from "../../src/flow/trace/verify-target.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { codesOf } from "../verify/copy.ts";
import { message } from "./requests.ts";
import { Stage } from "./stage.ts";

const OPTIONS = { profile: "default", mode: "full", threads: 0 } as const;

const verify = async ({ place, id }: Stage) => {
  const outcome = await verifyTarget(async () => place, id, OPTIONS);
  if (outcome.kind !== "trace") throw new Error("expected a trace");
  return outcome.report;
};

function change({ place, id }: Stage, sql: string): void {
  const db = new DatabaseSync(place.ledgerPath(id));
  db.exec(sql);
  db.close();
}

/** Puts another ledger where a trace's own was. */
function replaceLedger({ place, id }: Stage, from: string): void {
  const path = place.ledgerPath(id);
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  cpSync(from, path);
}

test("a copy from before the runtime's new key is older, although its keys sign no later head", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  const old = join(temporaryFolder(), "old.db");
  cpSync(stage.place.ledgerPath(stage.id), old);
  await rotateKey(stage.place, "sworn");
  replaceLedger(stage, old);
  expect(codesOf(await verify(stage))).toEqual(["TAIL_MISSING"]);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
});

test("a trace that was emptied does not begin again", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  change(stage, "DELETE FROM entry");
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
  const out = join(temporaryFolder(), "empty.tar");
  expect(() => exportTrace(stage.place, stage.id, out)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
  expect((await fsck(stage.place, stage.id)).status).toBe("damaged");
});

test("an emptied ledger with noise for a head is not a new one", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  change(stage, "DELETE FROM entry");
  writeFileSync(stage.place.heads(stage.id).path, "noise");
  expect((await fsck(stage.place, stage.id)).status).toBe("damaged");
});

test("the whole ledger of another trace is not the one that was asked for", async () => {
  const stage = await Stage.at("planning");
  const other = await Stage.at("claiming", {}, stage.place);
  for (const one of [stage, other]) one.close();
  replaceLedger(stage, stage.place.ledgerPath(other.id));
  expect(codesOf(await verify(stage))).toContain("CHAIN_BREAK");
  await expect(recover(stage.place, stage.id, true)).rejects.toMatchObject({
    code: "LEDGER_CORRUPT",
    message: expect.stringContaining("Nothing was changed"),
  });
});

test("an artifact that is a folder is a finding, and no reason to touch a sound ledger", async () => {
  const stage = await Stage.at("claiming");
  const path = stage.place.artifacts.pathOf(sha256Hex("output of e1"));
  rmSync(path);
  mkdirSync(path);
  const before = stage.lines();
  expect(codesOf(await verify(stage))).toEqual(["ARTIFACT_MISSING"]);
  const outcome = await recover(stage.place, stage.id, true);
  expect(outcome).toMatchObject({ kind: "needs-copies", entries: before.length });
  expect(outcome.problems[0]).toContain("cannot be read");
  expect(stage.lines()).toEqual(before);
});

test("a size that nobody signed does not get into the record of a loss", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("one"));
  stage.close();
  change(stage, "UPDATE entry SET line = replace(line, 'one', 'two') WHERE seq = 1");
  const note = `sworn.trace/${stage.id}\n999999\n${Buffer.alloc(32).toString("base64")}\n`;
  const stranger = Buffer.alloc(68, 7).toString("base64");
  writeFileSync(stage.place.heads(stage.id).path, `${note}\n— sworn ${stranger}\n`);
  expect(await recover(stage.place, stage.id, true)).toMatchObject({ kind: "recovered" });
  const again = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
  expect(again.last("gap_recorded").body).not.toHaveProperty("lost_size");
});

test("a ledger that somebody is writing to is not set aside", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("one"));
  stage.close();
  change(stage, "UPDATE entry SET line = replace(line, 'one', 'two') WHERE seq = 1");
  const path = stage.place.ledgerPath(stage.id);
  const writer = new DatabaseSync(path);
  writer.exec("BEGIN IMMEDIATE");
  try {
    await expect(recover(stage.place, stage.id, true)).rejects.toMatchObject({
      code: "LEDGER_BUSY",
    });
  } finally {
    writer.exec("ROLLBACK");
    writer.close();
  }
  expect((await fsck(stage.place, stage.id)).status).toBe("damaged");
  expect(dirname(path)).toBe(stage.place.traceFolder(stage.id));
});
