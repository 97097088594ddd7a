import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { Bus, OPERATOR } from "../../../src/flow/talk/bus.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { readBus } from "../../../src/flow/talk/read-bus.ts";
import { ensureTalkTrace, findTalkTrace } from "../../../src/flow/talk/talk-trace.ts";
import { opening, recording } from "../../fake/sandbox.ts";
import { failuresOf, opened, said, talkPlace } from "./scene.ts";

/** A process of its own that begins the task "bench" and speaks on its bus. */
const SPEAKER = resolve(import.meta.dirname, "../../../bench/bus-speaker.mjs");

test("a task has one trace, and the project has another", async () => {
  const place = talkPlace();
  expect(findTalkTrace({ place, task: "login" })).toBeUndefined();
  const own = await opened({ place, task: "login" });
  const project = await opened({ place });
  expect(own.trace).not.toBe(project.trace);
  expect(findTalkTrace({ place, task: "login" })).toBe(own.trace);
  expect((await opened({ place, task: "login" })).trace).toBe(own.trace);
  expect(place.tasks()).toEqual(["login"]);
  expect(await failuresOf(own)).toEqual([]);
});

test("whoever opens a new task at once ends on one trace, and nothing else is left", async () => {
  const place = talkPlace();
  const all = await Promise.all(
    Array.from({ length: 8 }, () => ensureTalkTrace({ place, task: "login" })),
  );
  expect(new Set(all).size).toBe(1);
  expect(place.traces()).toEqual([all[0]]);
});

test("a pointer to nothing, to another task's trace, or that is no pointer, is not followed", async () => {
  const place = talkPlace();
  const { trace } = await opened({ place, task: "other" });
  const path = join(place.talkFolder("login"), "trace");
  mkdirSync(dirname(path), { recursive: true });
  for (const text of [trace, "trace_01KDVDMS00SWRN000000000001", "../other", "x".repeat(1_000)]) {
    writeFileSync(path, text);
    expect(() => Bus.open({ place, task: "login" }), text).toThrow(/expected/);
  }
  writeFileSync(path, readFileSync(join(place.talkFolder("other"), "trace")));
  await expect(Bus.begin({ place, task: "login" })).rejects.toThrow("the trace of other");
});

test("a link in the place of a task's folder or pointer is not followed", async () => {
  const place = talkPlace();
  await opened({ place, task: "other" });
  symlinkSync(place.talkFolder("other"), place.talkFolder("login"));
  await expect(Bus.begin({ place, task: "login" })).rejects.toThrow("is a link");
  mkdirSync(place.talkFolder("late"));
  symlinkSync("../other/trace", join(place.talkFolder("late"), "trace"));
  await expect(Bus.begin({ place, task: "late" })).rejects.toThrow();
});

test("what is no name of a task is refused, and so is the project's own", async () => {
  const place = talkPlace();
  for (const task of ["", "../up", "Up", "a/b", "project", "a".repeat(65)]) {
    await expect(Bus.begin({ place, task }), task).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  }
  expect(place.traces()).toEqual([]);
});

test("a task that nobody spoke about is not found, and the one that was meant is named", async () => {
  const place = talkPlace();
  await opened({ place, task: "login" });
  expect(() => Bus.open({ place, task: "logn" })).toThrow("did you mean login?");
  expect(() => Bus.open({ place })).toThrow("nothing was said on the project's bus");
});

test("calls at once on one bus stand one after the other", async () => {
  const on = await opened({ place: talkPlace(), task: "login" });
  const texts = Array.from({ length: 20 }, (_, index) => `word ${index}`);
  const all = await Promise.all(texts.map((text) => post(on, OPERATOR, { text })));
  expect(all.map((one) => said(one).seq)).toEqual(texts.map((_, index) => index + 1));
  expect(readBus(on).map(({ text }) => text)).toEqual(texts);
});

test("the latest trace is the last thing that was done, not what was said about it since", async () => {
  const place = talkPlace();
  const on = await opened({ place, task: "login" });
  expect(place.find("latest")).toBe(on.trace);
  const { recorder } = await recording(place, [opening()]);
  said(await post(on, OPERATOR, { text: "done" }));
  expect(place.find("latest")).toBe(recorder.id);
  expect(place.find(on.trace)).toBe(on.trace);
});

test("what several processes say at once is all there, each in its own order", async () => {
  const place = talkPlace();
  const agents = ["speaker-0", "speaker-1", "speaker-2"];
  const ended = agents.map(async (agent) => {
    const child = fork(SPEAKER, [place.store, place.state, agent, "12"]);
    child.once("message", () => child.send("go"));
    const [code] = (await once(child, "exit")) as [number];
    return code;
  });
  expect(await Promise.all(ended)).toEqual([0, 0, 0]);
  const on = Bus.open({ place, task: "bench" });
  const said = readBus(on);
  on.close();
  for (const agent of agents) {
    const own = said.filter((one) => one.agent === agent).map(({ text }) => text);
    expect(own).toEqual(Array.from({ length: 12 }, (_, index) => `${agent} ${index}`));
  }
  expect(place.traces()).toHaveLength(1);
});
