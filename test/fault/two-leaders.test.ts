import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recorderVoice } from "../../src/flow/beat/beat-voice.ts";
import { takeLead } from "../../src/flow/beat/lead-trace.ts";
import { openBeat } from "../../src/flow/beat/open-beat.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { readTrace } from "../../src/flow/trace/look.ts";
import { type Running, start } from "../fake/child.ts";
import { expectSound, smallProject, textsOf } from "./project.ts";

const CHILD = resolve(import.meta.dirname, "lead-child.mjs");

type Project = Awaited<ReturnType<typeof smallProject>>;

function leader(project: Project, name: string): Running {
  const { store, state, trace } = project;
  return start(process.execPath, [CHILD, store, state, trace, name]);
}

/** What a child was told is on disk. */
function acknowledged(out: string): string[] {
  return [...out.matchAll(/^ack (.+)$/gm)].map((match) => match[1] ?? "");
}

test("a runtime that is stopped and overtaken goes on and is refused, and nothing is lost", async () => {
  const project = await smallProject();
  const first = leader(project, "first");
  await first.said("ack first 3");
  first.process.kill("SIGSTOP");
  // It is there, and its lease counts for this beat and the next: nobody takes over yet.
  const early = await leader(project, "early").ended;
  expect(early.out).toMatch(/^failed LEDGER_BUSY .*another runtime leads it/);
  for (const _ of [1, 2]) {
    expect(await openBeat(project.place, project.trace, {})).toHaveProperty("beat");
  }
  const second = leader(project, "second");
  await second.said("ack second 3");
  first.process.kill("SIGCONT");
  const ended = await first.ended;
  expect(ended.out).toMatch(/^refused ORDER_GUARD the lease that stands is 2, the entry names 1$/m);
  second.process.kill("SIGKILL");
  const { out } = await second.ended;
  const said = [...acknowledged(ended.out), ...acknowledged(out)];
  const texts = textsOf(project);
  expect(texts.filter((text) => said.includes(text))).toEqual(said);
  // From the takeover on there is no word of the first.
  const entries = readTrace(project.place, project.trace);
  const taken = entries.findIndex(
    (entry) => entry.type === "lease_taken" && entry.body.number === 2,
  );
  expect(taken).toBeGreaterThan(0);
  for (const { fence, type, body } of entries.slice(taken + 1)) {
    expect(fence).toBe(2);
    if (type === "message_posted") expect(body.text).toMatch(/^second /);
  }
  await expectSound(project);
});

test("the lead of a process that is gone is taken at once, without waiting for a beat", async () => {
  const project = await smallProject();
  const first = leader(project, "first");
  await first.said("ack first 1");
  first.process.kill("SIGKILL");
  await first.ended;
  const recorder = Recorder.resume(project.place, project.trace);
  onTestFinished(() => recorder.close());
  const voice = recorderVoice(project.place, recorder);
  expect(await takeLead(voice, { phase: "work" })).toBe(2);
  await expectSound(project);
});
