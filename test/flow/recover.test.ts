import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { exportTrace, importBundle } from "../../src/flow/trace/bundle.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { readTrace, summarize } from "../../src/flow/trace/look.ts";
import { recover } from "../../src/flow/trace/recover.ts";
import { temporaryFolder, temporaryPlace } from "../fake/sandbox.ts";
import { verifies } from "../verifies.ts";
import { claim, intent, message, review, work } from "./requests.ts";
import { Stage } from "./stage.ts";

function tamper({ place, id }: Pick<Stage, "place" | "id">, sql: string): void {
  const db = new DatabaseSync(place.ledgerPath(id));
  try {
    db.exec(sql);
  } finally {
    db.close();
  }
}

test("a sound trace is only looked at", async () => {
  const stage = await Stage.at("claiming");
  const before = stage.lines();
  const outcome = await recover(stage.place, stage.id, false);
  expect(outcome).toMatchObject({ kind: "sound", state: "claiming", entries: 6, problems: [] });
  expect(outcome.next).toContain("claim_issued");
  expect(await recover(stage.place, stage.id, true)).toMatchObject({ kind: "sound" });
  expect(stage.lines()).toEqual(before);
  await stage.accept(claim("c1"));
});

verifies(
  "002-44",
  "after damage the longest prefix that verifies goes on, with consent, at its next valid step",
  async () => {
    const stage = await Stage.at("claiming");
    stage.close();
    tamper(
      stage,
      "UPDATE entry SET line = replace(line, 'it is the plan', 'it is my plan') WHERE seq = 3",
    );
    const before = stage.lines();
    const asked = await recover(stage.place, stage.id, false);
    expect(asked).toMatchObject({ kind: "needs-consent", next: [] });
    expect(asked.problems.length).toBeGreaterThan(0);
    expect(stage.lines()).toEqual(before);
    const outcome = await recover(stage.place, stage.id, true);
    expect(outcome).toMatchObject({ kind: "recovered", state: "executing", entries: 4 });
    expect(readdirSync(outcome.kept ?? "")).toContain("ledger.db");
    const again = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
    expect(again.last("gap_recorded").body).toMatchObject({ lost_size: 6 });
    await again.refuse(claim("c1", { evidence: [`${"0".repeat(64)}`] }), "STATE_GUARD");
    await again.accept(...work(1), claim("c1"));
    expect(await again.verify()).toMatchObject({
      failures: [],
      warnings: expect.arrayContaining([expect.objectContaining({ code: "GAP_RECORDED" })]),
    });
    expect(await fsck(stage.place, stage.id)).toMatchObject({ status: "ok" });
  },
);

test("a trace that was put back to an older copy is found, and goes on only with consent", async () => {
  const stage = await Stage.at("claiming");
  stage.close();
  tamper(
    stage,
    "DELETE FROM entry WHERE seq >= 3; UPDATE entry SET checkpoint = NULL WHERE seq < 2",
  );
  const found = await fsck(stage.place, stage.id);
  expect(found.status).toBe("damaged");
  expect(found.problems.map(({ code }) => code)).toContain("STORE_BEHIND");
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow();
  expect(await recover(stage.place, stage.id, false)).toMatchObject({ kind: "needs-consent" });
  const outcome = await recover(stage.place, stage.id, true);
  expect(outcome).toMatchObject({ kind: "recovered", entries: 4, state: "executing" });
});

test("a head outside the store that is gone or altered is found", async () => {
  const stage = await Stage.at("claiming");
  stage.close();
  const { path } = stage.place.heads(stage.id);
  writeFileSync(path, "something else");
  const altered = await fsck(stage.place, stage.id);
  expect(altered.problems.map(({ code }) => code)).toEqual(["HEAD_DAMAGED"]);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
  rmSync(path);
  const gone = await fsck(stage.place, stage.id);
  expect(gone.problems.map(({ code }) => code)).toEqual(["HEAD_MISSING"]);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
  expect(await recover(stage.place, stage.id, true)).toMatchObject({ kind: "recovered" });
  const again = new Stage(stage.place, Recorder.resume(stage.place, stage.id));
  await again.accept(intent("i7"));
});

test("a trace of which nothing can be read is left alone", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  writeFileSync(stage.place.ledgerPath(stage.id), "not a database");
  for (const suffix of ["-wal", "-shm"])
    rmSync(stage.place.ledgerPath(stage.id) + suffix, { force: true });
  await expect(recover(stage.place, stage.id, true)).rejects.toMatchObject({
    code: expect.stringMatching(/^(LEDGER_CORRUPT|STORE_UNREADABLE)$/),
  });
  expect(existsSync(stage.place.ledgerPath(stage.id))).toBe(true);
  expect(summarize(stage.place)).toMatchObject([{ trace: stage.id, state: "failed" }]);
});

test("a checkpoint in the store that was altered is found, wherever it is", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("one"));
  await stage.accept(message("two"));
  stage.close();
  tamper(
    stage,
    "UPDATE entry SET checkpoint = replace(checkpoint, 'sworn', 'sw0rn') WHERE seq = 1",
  );
  const found = await fsck(stage.place, stage.id);
  expect(found.problems.map(({ code }) => code)).toEqual(["CHECKPOINT_DAMAGED"]);
});

test("fsck tells damage from a record that is whole but fails its own audit", async () => {
  const stage = await Stage.at("claiming");
  await stage.accept(claim("c1", { evidence: ["0".repeat(64)] }));
  const found = await fsck(stage.place, stage.id);
  expect(found.problems).toEqual([]);
  expect(await recover(stage.place, stage.id, false)).toMatchObject({ kind: "sound" });
});

test("a session that ended can be recovered too, and stays ended", async () => {
  const stage = await Stage.at("completed");
  stage.close();
  tamper(stage, "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)");
  const outcome = await recover(stage.place, stage.id, true);
  expect(outcome).toMatchObject({ kind: "recovered", state: "auditing" });
  const whole = await Stage.at("completed");
  whole.close();
  rmSync(whole.place.heads(whole.id).path);
  expect(await recover(whole.place, whole.id, true)).toMatchObject({
    kind: "recovered",
    state: "completed",
    next: ["review_moved", "gap_recorded"],
  });
  await new Stage(whole.place, Recorder.resume(whole.place, whole.id)).refuse(
    review("p1"),
    "STATE_GUARD",
  );
});

test("a trace that cannot go on here, for want of its key, is left as it is", async () => {
  const stage = await Stage.at("claiming");
  const path = join(temporaryFolder(), "a.tar");
  exportTrace(stage.place, stage.id, path);
  const place = temporaryPlace();
  await importBundle(place, path, undefined);
  const elsewhere = { place, id: stage.id };
  tamper(elsewhere, "UPDATE entry SET line = replace(line, 'it is the plan', 'x') WHERE seq = 3");
  const before = readTrace(place, stage.id);
  await expect(recover(place, stage.id, true)).rejects.toMatchObject({ code: "KEY_UNUSABLE" });
  expect(place.traces()).toEqual([stage.id]);
  expect(readTrace(place, stage.id)).toEqual(before);
  expect(place.heads(stage.id).exists()).toBe(true);
});
