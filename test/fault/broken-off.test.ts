import { readdirSync, readlinkSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { fsck } from "../../src/flow/trace/fsck.ts";
import { request } from "../fake/sandbox.ts";
import { expectSound, linesOf, message, type Project, smallProject } from "./project.ts";

const NO_ROOTS = { artifactRoots: [] };
const question = request("ada", "planner", "question_asked", {
  question_id: "q1",
  text: "Which way?",
  default: "left",
});
const answer = request("mara", "operator", "question_answered", {
  question_id: "q1",
  answer: "Right.",
});

test("an entry whose head cannot be remembered is not reported as if nothing was written", async () => {
  const project = await smallProject();
  const recorder = Recorder.resume(project.place, project.trace);
  const giveBack = takeHeadsAway(project);
  const failure = await recorder.record([question], NO_ROOTS).then(
    () => undefined,
    (error: unknown) => error,
  );
  giveBack();
  recorder.close();
  // Either it counts as recorded, or the caller is told that only a look at the store can tell.
  if (failure !== undefined) expect(failure).toMatchObject({ code: "LEDGER_COMMIT_UNKNOWN" });
  else expect(linesOf(project)).toHaveLength(2);
});

test("a recorder that failed after a commit does not record the same thing twice", async () => {
  const project = await smallProject();
  const recorder = Recorder.resume(project.place, project.trace);
  const giveBack = takeHeadsAway(project);
  await recorder.record([question], NO_ROOTS).catch(() => {});
  giveBack();
  await recorder.record([question], NO_ROOTS).catch(() => {});
  recorder.close();
  expect(linesOf(project).filter((line) => line.includes("question_asked"))).toHaveLength(1);
  await expectSound(project);
});

test("what a broken-off group said has no effect on what comes after it", async () => {
  const project = await smallProject();
  const recorder = Recorder.resume(project.place, project.trace);
  const unreadable = { ...message("see the file"), artifacts: [{ path: "missing.txt" }] };
  await expect(recorder.record([question, unreadable], NO_ROOTS)).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(linesOf(project)).toHaveLength(1);
  // The question was never recorded, so there is nothing to answer.
  expect(await recorder.record([answer], NO_ROOTS)).toMatchObject({
    recorded: 0,
    refusal: { rule: "ORDER_GUARD" },
  });
  recorder.close();
  await expectSound(project);
});

// The SQLite binding keeps a closed connection until its statements are collected (decision 0017).
test.fails("a closed trace lets go of its files", async () => {
  const project = await smallProject([{ text: "one" }]);
  Recorder.resume(project.place, project.trace).close();
  for (let round = 0; round < 20; round += 1) await fsck(project.place, project.trace);
  expect(openFilesBelow(project.folder)).toEqual([]);
});

/** Makes the folder of heads unreachable; gives back what undoes it. */
function takeHeadsAway({ state }: Project): () => void {
  renameSync(join(state, "heads"), join(state, "heads-away"));
  return () => renameSync(join(state, "heads-away"), join(state, "heads"));
}

function openFilesBelow(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}
