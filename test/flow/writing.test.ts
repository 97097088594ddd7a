import { randomBytes } from "node:crypto";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { sessionOf } from "../../src/flow/trace/look.ts";
import { verifies } from "../verifies.ts";
import { Copy, codesOf } from "../verify/copy.ts";
import { claim, completed, evidence, intent, message, proposal, started } from "./requests.ts";
import { Stage } from "./stage.ts";

const NO_ROOTS = { artifactRoots: [] };

/** Runs SQL on the stored trace behind everybody's back. */
function tamper({ place, id }: Stage, sql: string, ...values: (string | number)[]): void {
  const db = new DatabaseSync(place.ledgerPath(id));
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}

/** A second writer of the same trace. */
function rival(stage: Stage): Stage {
  return new Stage(stage.place, Recorder.resume(stage.place, stage.id));
}

verifies(
  ["002-36", "002-38"],
  "writers of one trace never interleave: who lost the race judges again and appends after",
  async () => {
    const stage = await Stage.at("planning");
    const writers = [stage, rival(stage), rival(stage)];
    const perWriter = 12;
    await Promise.all(
      writers.map(async (writer, number) => {
        for (let count = 0; count < perWriter; count += 1) {
          const texts = [`${number}/${count}/a`, `${number}/${count}/b`];
          await writer.accept(...texts.map(message));
        }
      }),
    );
    const said = stage
      .entries()
      .flatMap((one) => (one.type === "message_posted" ? [one.body.text] : []));
    expect(said).toHaveLength(2 * perWriter * writers.length);
    // What was asked for in one call stands together.
    for (let at = 0; at < said.length; at += 2)
      expect(said[at + 1]).toBe(said[at]?.replace(/a$/, "b"));
    expect((await stage.verify()).failures).toEqual([]);
  },
);

verifies(
  "002-38",
  "a request that lost its race is judged against what came first, not against what it knew",
  async () => {
    const stage = await Stage.at("planning");
    const other = rival(stage);
    await stage.accept(proposal("p1"));
    // The other has not seen p1: its own p1 fits what it knows, and must still be refused.
    await other.refuse(proposal("p1"), "IDENTITY_GUARD");
    await other.accept(proposal("p2"));
    expect(other.session.size).toBe(3);
    await stage.refuse(proposal("p2"), "IDENTITY_GUARD");
    expect(stage.entries().map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect((await stage.verify()).failures).toEqual([]);
  },
);

verifies(
  "002-37",
  "artifacts stored side by side are all there, whole, when the entry that cites them is",
  async () => {
    const stage = await Stage.at("executing");
    const writers = [stage, rival(stage), rival(stage)];
    const texts = Array.from({ length: 6 }, () => randomBytes(50_000).toString("hex"));
    // Each writer brings the same bytes, so each also meets what another is storing.
    await Promise.all(
      writers.map((writer, number) =>
        writer.accept({ ...evidence(`n${number}`), artifacts: texts.map((text) => ({ text })) }),
      ),
    );
    for (const { hash, bytes } of stage.entries().flatMap(({ artifacts }) => artifacts)) {
      const stored = Buffer.concat([...stage.place.artifacts.read(hash)]);
      expect([sha256Hex(stored), stored.length]).toEqual([hash, bytes]);
    }
    expect((await stage.verify()).failures).toEqual([]);
  },
);

verifies(
  "002-37",
  "an artifact that cannot be stored keeps its entry from being recorded",
  async () => {
    const stage = await Stage.at("executing");
    const before = stage.lines();
    const { artifacts } = stage.place;
    const original = artifacts.put.bind(artifacts);
    const order: string[] = [];
    artifacts.put = (bytes) => {
      order.push(`stored at ${stage.lines().length}`);
      return original(bytes);
    };
    await stage.accept(evidence("first"));
    expect(order).toEqual([`stored at ${before.length}`]);
    artifacts.put = () => {
      throw new Error("no space left on device");
    };
    const attempt = stage.recorder.record([evidence("second")], NO_ROOTS);
    await expect(attempt).rejects.toThrow("no space left");
    expect(stage.lines()).toHaveLength(before.length + 1);
    artifacts.put = original;
    await stage.accept(evidence("third"));
  },
);

verifies("002-39", "an invalid signature fails the trace, and nothing is built on it", async () => {
  const stage = await Stage.at("claiming");
  stage.close();
  const { seq, sig } = stage.last("tool_execution_completed");
  const forged = Buffer.alloc(64, 7).toString("base64");
  tamper(stage, "UPDATE entry SET line = replace(line, ?, ?) WHERE seq = ?", sig, forged, seq);
  const before = stage.lines();
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_CORRUPT" }),
  );
  expect(stage.lines()).toEqual(before);
  const report = await stage.verify();
  expect(report).toMatchObject({ status: "fail", state: "failed" });
  expect(codesOf(report)).toContain("SIG_INVALID");
});

verifies(
  "002-39",
  "a recorder that is open stops at an entry that was slipped in under it with a false signature",
  async () => {
    const stage = await Stage.at("planning");
    const [first = ""] = stage.lines();
    const key = stage.session.agents.get("mara")?.key;
    const { at, trace } = JSON.parse(first) as { at: string; trace: string };
    const forged = JSON.stringify({
      actor: { agent: "mara", key, role: "operator" },
      artifacts: [],
      at,
      body: { text: "I never said that" },
      hlc: "ffff000000000000",
      parents: [],
      prev: sha256Hex(first),
      seq: 1,
      sig: Buffer.alloc(64, 7).toString("base64"),
      trace,
      type: "message_posted",
      v: 1,
    });
    tamper(stage, "INSERT INTO entry (seq, line) VALUES (1, ?)", forged);
    const attempt = stage.recorder.record([proposal("p1")], NO_ROOTS);
    await expect(attempt).rejects.toMatchObject({ code: "LEDGER_CORRUPT" });
    expect(stage.lines()).toHaveLength(2);
  },
);

verifies(
  "002-44",
  "after a crash the head is read again and work goes on at the next valid step only",
  async () => {
    const stage = await Stage.at("executing");
    await stage.accept(intent("i1"), started("e1", "i1"));
    const { size, hash } = stage.recorder.head;
    stage.close();
    const again = rival(stage);
    expect(again.recorder.head).toEqual({ size, hash });
    expect(again.session).toEqual(stage.session);
    await again.refuse(claim("c1", { evidence: ["in-i1"] }), "STATE_GUARD");
    await again.refuse(started("e2", "i1"), "ORDER_GUARD");
    await again.accept(completed("e1"), claim("c1"));
    expect(sessionOf(stage.place, stage.id).session.state).toBe("claiming");
    expect((await again.verify()).failures).toEqual([]);
  },
);

test.each([
  ["its chain", "UPDATE entry SET line = replace(line, 'Do it', 'Do IT') WHERE seq = 0"],
  ["its end", "DELETE FROM entry WHERE seq = (SELECT max(seq) FROM entry)"],
  ["its checkpoint", "UPDATE entry SET checkpoint = replace(checkpoint, 'sworn', 'sw0rn')"],
  ["its middle", "DELETE FROM entry WHERE seq = 1"],
])("a trace that was altered in %s is not continued", async (_, sql) => {
  const stage = await Stage.at("claiming");
  stage.close();
  tamper(stage, sql);
  const before = stage.lines();
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^LEDGER_(CORRUPT|BEHIND)$/) }),
  );
  expect(stage.lines()).toEqual(before);
  expect(await stage.verify()).toMatchObject({ status: "fail" });
});

verifies("002-52", "an entry that was altered or removed after all is found", async () => {
  const stage = await Stage.at("completed");
  for (let seq = 0; seq < stage.lines().length; seq += 1) {
    const altered = new Copy(stage);
    altered.edit(seq, /"at":"20/, '"at":"19');
    expect((await altered.verify()).status).toBe("fail");
    const removed = new Copy(stage);
    removed.lines.splice(seq, 1);
    expect((await removed.verify()).status).toBe("fail");
  }
});

const corrupt = expect.objectContaining({ code: "LEDGER_CORRUPT" });

test("what an agent signed but the runtime did not sign for is not built on", async () => {
  const stage = await Stage.at("planning");
  const copy = new Copy(stage);
  const body = { text: "behind the runtime's back" };
  await copy.forge({ agent: "mara", role: "operator", type: "message_posted", body });
  tamper(stage, "INSERT INTO entry (seq, line) VALUES (1, ?)", copy.lines[1] ?? "");
  await expect(stage.recorder.record([proposal("p1")], NO_ROOTS)).rejects.toEqual(corrupt);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(corrupt);
  expect(stage.lines()).toHaveLength(2);
});

test("a last entry with a false signature is not built on, whoever signed for it", async () => {
  const stage = await Stage.at("planning");
  await stage.accept(message("one"));
  stage.close();
  const copy = new Copy(stage);
  copy.edit(1, copy.entry(1).sig, Buffer.alloc(64, 7).toString("base64"));
  await copy.sign();
  const [, line = ""] = copy.lines;
  tamper(stage, "UPDATE entry SET line = ?, checkpoint = ? WHERE seq = 1", line, copy.checkpoint);
  const heads = stage.place.heads(stage.id);
  heads.remember(2, copy.checkpoint);
  heads.close();
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(corrupt);
});

test("an entry of another version is not built on", async () => {
  const stage = await Stage.at("planning");
  stage.close();
  tamper(stage, "UPDATE entry SET line = replace(line, '\"v\":1}', '\"v\":2}')");
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(corrupt);
  tamper(stage, "UPDATE entry SET line = substr(line, 1, length(line) - 1)");
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(corrupt);
});
