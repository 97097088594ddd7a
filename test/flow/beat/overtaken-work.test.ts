import { expect, onTestFinished, test } from "vitest";
import { recorderVoice } from "../../../src/flow/beat/beat-voice.ts";
import { takeLead } from "../../../src/flow/beat/lead-trace.ts";
import { openBeat } from "../../../src/flow/beat/open-beat.ts";
import { Recorder } from "../../../src/flow/record/recorder.ts";
import { readTrace } from "../../../src/flow/trace/look.ts";
import { WorkRecord } from "../../../src/flow/work/work-record.ts";
import { opened, talkPlace } from "../talk/scene.ts";

test("a work that another runtime has taken over writes nothing more, and says why", async () => {
  const { place, trace } = await opened({ place: talkPlace(), task: "login" });
  const record = WorkRecord.resume(place, trace);
  onTestFinished(() => record.close());
  await takeLead(record.voice, { phase: "work" });
  await Promise.all([record.note("one"), record.note("two")]);
  await openBeat(place, trace, {});
  await openBeat(place, trace, {});
  const other = Recorder.resume(place, trace);
  onTestFinished(() => other.close());
  await takeLead(recorderVoice(place, other), { phase: "work" }, "another");
  const size = readTrace(place, trace).length;
  await expect(record.note("three")).rejects.toMatchObject({
    code: "LEDGER_BUSY",
    message: expect.stringMatching(/another leads it by now \(lease 2, this process had 1\)/),
  });
  expect(readTrace(place, trace)).toHaveLength(size);
});

test("a lead that is taken anew while others write refuses none of their words", async () => {
  const { place, trace } = await opened({ place: talkPlace(), task: "login" });
  const record = WorkRecord.resume(place, trace);
  onTestFinished(() => record.close());
  await takeLead(record.voice, { phase: "work" });
  const said: Promise<unknown>[] = [];
  for (let at = 0; at < 5; at += 1) {
    said.push(record.note(`before ${at}`), takeLead(record.voice, { phase: "work" }));
    said.push(record.note(`after ${at}`));
  }
  await Promise.all(said);
  const notes = readTrace(place, trace).filter(({ type }) => type === "message_posted");
  expect(notes).toHaveLength(10);
});
