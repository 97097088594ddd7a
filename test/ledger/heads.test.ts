import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { HeadFile } from "../../src/ledger/heads.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { message } from "../flow/requests.ts";
import { Stage } from "../flow/stage.ts";

const fresh = () => new HeadFile(join(temporaryFolder(), "t.head"));

test("a head file has sixteen slots of 512 bytes, closed to others", () => {
  const heads = fresh();
  expect(heads.exists()).toBe(false);
  for (let size = 0; size < 100; size += 1) heads.remember(size, `note ${size}\n`);
  heads.close();
  const { size, mode } = statSync(heads.path);
  expect(size).toBe(16 * 512);
  expect((mode & 0o777).toString(8)).toBe("600");
  expect(new Set(heads.notes()).size).toBe(16);
  expect(heads.notes()).toContain("note 99\n");
});

test.each([1, 2, 7, 16, 64, 256])(
  "of sizes that grow by %i the newest two are both kept, whichever is written last",
  (step) => {
    const heads = fresh();
    for (let size = step; size < 40 * step; size += step) {
      heads.remember(size, `note ${size}\n`);
      heads.remember(size - step, `note ${size - step}\n`);
      expect(heads.notes()).toContain(`note ${size}\n`);
      expect(heads.notes()).toContain(`note ${size - step}\n`);
    }
    heads.close();
  },
);

test.each([1, 2, 3, 15, 16, 17, 255, 256, 257])(
  "the newest of sizes that grow by %i is always there",
  (step) => {
    const heads = fresh();
    for (let size = 0; size < 40 * step; size += step) {
      heads.remember(size, `note ${size}\n`);
      expect(heads.notes()).toContain(`note ${size}\n`);
    }
    heads.close();
  },
);

const note = (size: number) => `sworn.trace/t\n${size}\nroot\n\n— sworn sig\n`;

test("the head before the newest never takes its slot, also where many digits change at once", () => {
  for (const size of [128, 2048, 4096, 32_768, 0x80_000, 0x8000_0000, 2 ** 52]) {
    const heads = fresh();
    heads.remember(size, `note ${size}\n`);
    heads.remember(size - 1, `note ${size - 1}\n`);
    heads.close();
    expect(heads.notes()).toContain(`note ${size}\n`);
  }
});

test.each([0, 1, 15, 16, 100, 127])(
  "a slow process that remembers %i entries at last takes no newer head away",
  (late) => {
    for (let newest = late + 1; newest < late + 300; newest += 7) {
      const fast = fresh();
      const slow = new HeadFile(fast.path);
      for (let size = Math.max(1, newest - 40); size <= newest; size += 1) {
        if (size !== late) fast.remember(size, note(size));
      }
      slow.remember(late, note(late));
      fast.close();
      slow.close();
      expect(fast.notes()).toContain(note(newest));
    }
  },
);

test("an older head goes to a slot of its own where a newer one has taken its place", () => {
  const heads = fresh();
  heads.remember(16, note(16));
  heads.remember(1, note(1));
  heads.close();
  expect(heads.notes()).toEqual([note(16), note(1)]);
});

test("a slot that says nothing of a size is used again", () => {
  const heads = fresh();
  heads.remember(1, "garbage\nin many\nlines");
  heads.remember(1, note(1));
  heads.close();
  expect(heads.notes()).toEqual([note(1)]);
});

test("a note that is longer than a slot is refused, and nothing is cut", () => {
  const heads = fresh();
  heads.remember(1, "x".repeat(512));
  expect(() => heads.remember(2, "x".repeat(513))).toThrow(
    expect.objectContaining({ code: "LIMIT_EXCEEDED" }),
  );
  heads.close();
  expect(heads.notes()).toEqual(["x".repeat(512)]);
});

test("remembering goes on in a file that is there", () => {
  const heads = fresh();
  heads.remember(1, "one");
  heads.close();
  heads.close();
  const again = new HeadFile(heads.path);
  again.remember(2, "two");
  again.close();
  expect(again.notes().sort()).toEqual(["one", "two"]);
});

/** A trace of several commits whose head file can be spoiled. */
async function manyCommits() {
  const stage = await Stage.at("planning");
  for (let count = 0; count < 20; count += 1) await stage.accept(message(`m${count}`));
  stage.close();
  return { stage, path: stage.place.heads(stage.id).path };
}

test("a trace goes on although one slot of its head file is damaged, whichever it is", async () => {
  const { stage, path } = await manyCommits();
  const whole = readFileSync(path);
  for (let slot = 0; slot < 16; slot += 1) {
    const bytes = Buffer.from(whole);
    bytes.fill(0x41, slot * 512, (slot + 1) * 512);
    writeFileSync(path, bytes);
    const recorder = Recorder.resume(stage.place, stage.id);
    expect(recorder.head.size).toBe(21);
    recorder.close();
  }
});

test("the newest head in the file counts, wherever it stands", async () => {
  const { stage, path } = await manyCommits();
  const lines = stage.lines();
  const { DatabaseSync } = await import("@photostructure/sqlite");
  const db = new DatabaseSync(stage.place.ledgerPath(stage.id));
  db.exec("DELETE FROM entry WHERE seq > 18");
  db.close();
  expect(lines).toHaveLength(21);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
  const bytes = readFileSync(path);
  const turned = Buffer.concat([bytes.subarray(512), bytes.subarray(0, 512)]);
  writeFileSync(path, turned);
  expect(() => Recorder.resume(stage.place, stage.id)).toThrow(
    expect.objectContaining({ code: "LEDGER_BEHIND" }),
  );
});
