import { expect, test } from "vitest";
import { DeliverRecord } from "../../src/flow/deliver/deliver-record.ts";
import { ExecRecord } from "../../src/flow/exec/exec-record.ts";
import { readTrace } from "../../src/flow/trace/look.ts";
import { WorkRecord } from "../../src/flow/work/work-record.ts";
import { temporaryPlace } from "../fake/sandbox.ts";

async function objectiveOf(text: string): Promise<string> {
  const place = temporaryPlace();
  const record = new DeliverRecord(place);
  try {
    await record.asked(text, {});
    const [first] = readTrace(place, record.trace);
    return first?.type === "session_initialized" ? first.body.objective : "";
  } finally {
    record.close();
  }
}

test("a text that is too long for an entry is never cut within a character", async () => {
  const objective = await objectiveOf(`${"a".repeat(1_998)}😀${"b".repeat(10)}`);
  expect(objective.isWellFormed()).toBe(true);
  expect(objective.slice(0, 1_998)).toBe("a".repeat(1_998));
});

test("nor within a secret, which nobody would recognise by its half", async () => {
  const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  const objective = await objectiveOf(`${"a ".repeat(990)}${secret} ${"b".repeat(10)}`);
  expect(objective).not.toContain(secret.slice(0, 12));
  expect(objective.length).toBeLessThanOrEqual(2_000);
});

test("a note of a work is cut as every other text is", async () => {
  const place = temporaryPlace();
  const begun = new ExecRecord(place);
  await begun.asked("true", {}, []);
  begun.close();
  const record = WorkRecord.resume(place, begun.trace);
  const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
  try {
    await record.note(`${"a ".repeat(990)}${secret} ${"b".repeat(10)}`);
    await record.note(`${"a".repeat(1_999)}😀`);
  } finally {
    record.close();
  }
  const notes = readTrace(place, begun.trace).flatMap(({ type, body }) =>
    type === "message_posted" ? [body.text] : [],
  );
  expect(notes[0]).not.toContain(secret.slice(0, 12));
  expect(notes[1]).toBe(`${"a".repeat(1_999)}…`);
});
