import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SwornError } from "../../src/base/index.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { start, sworn } from "../fake/child.ts";
import { appendTogether, ownTexts } from "./many-processes.ts";
import { APPEND_CHILD, expectSound, message, smallProject, textsOf } from "./project.ts";

const BATCH = 16;

test("eight processes appending to one trace lose nothing and fork nothing", () =>
  appendTogether(8, 40));

test("four commands recording batches into one trace keep every batch whole and in order", async () => {
  const project = await smallProject();
  const names = ["north", "east", "south", "west"];
  const batches = [0, 1, 2];
  await Promise.all(
    names.map(async (name) => {
      for (const batch of batches) {
        const script = join(project.project, `${name}-${batch}.jsonl`);
        const requests = Array.from({ length: BATCH }, (_, at) =>
          message(`${name} ${batch} ${at}`),
        );
        writeFileSync(script, requests.map((one) => `${JSON.stringify(one)}\n`).join(""));
        const ended = await sworn(project, ["trace", "record", "--trace", project.trace, script]);
        expect(ended.code, ended.err).toBe(0);
      }
    }),
  );
  const texts = textsOf(project);
  expect(texts).toHaveLength(names.length * batches.length * BATCH);
  for (const name of names) {
    const expected = batches.flatMap((batch) =>
      Array.from({ length: BATCH }, (_, at) => `${name} ${batch} ${at}`),
    );
    expect(ownTexts(texts, name)).toEqual(expected);
  }
  // A batch is one commit: nobody else's entries stand inside it.
  const owners = texts.map((text) => text.split(" ").slice(0, 2).join(" "));
  expect(owners.filter((owner, at) => owner !== owners[at - 1])).toHaveLength(
    names.length * batches.length,
  );
  await expectSound(project);
});

test("looking at a trace while others append to it raises no false alarm", async () => {
  const project = await smallProject();
  const writer = start(process.execPath, [
    APPEND_CHILD,
    ...[project.store, project.state, project.trace, "writer", "2000", "1", "no"],
  ]);
  await writer.said("ack");
  const alarms = new Set<string>();
  let sizes = 0;
  for (let look = 0; look < 30; look += 1) {
    const { entries, problems, report } = await fsck(project.place, project.trace);
    for (const { code } of [...problems, ...(report?.failures ?? [])]) alarms.add(code);
    if (entries > 1) sizes += 1;
  }
  writer.process.kill("SIGKILL");
  await writer.ended;
  expect(sizes).toBe(30);
  expect([...alarms]).toEqual([]);
});

test("a trace can be opened for appending while others append to it", async () => {
  const project = await smallProject();
  const writer = start(process.execPath, [
    APPEND_CHILD,
    ...[project.store, project.state, project.trace, "writer", "2000", "1", "no"],
  ]);
  await writer.said("ack");
  const alarms = new Set<string>();
  for (let look = 0; look < 30; look += 1) {
    try {
      Recorder.resume(project.place, project.trace).close();
    } catch (error) {
      alarms.add((error as SwornError).code);
    }
  }
  writer.process.kill("SIGKILL");
  await writer.ended;
  expect([...alarms]).toEqual([]);
});
