import { expect, test } from "vitest";
import { collectLeft } from "../../../src/flow/work/collect-left.ts";
import { stagingOf } from "../../../src/flow/work/staging.ts";
import type { WorkLeft, WorkOrder } from "../../../src/flow/work/work-parts.ts";
import { workerPrompt } from "../../../src/flow/work/worker-prompt.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { planOf, subtask } from "./work-world.ts";

const SECRET = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const HALF = SECRET.slice(0, 12);

/** Words of which the so manieth character is in the middle of a secret. */
function across(place: number): string {
  return `${"a ".repeat(place / 2 - 8)}${SECRET} ${"b ".repeat(20)}`;
}

test("what goes into an artifact from a worker's words holds no secret, and no half of one", async () => {
  const git = new GitFolder();
  const commit = git.commit({ "a.txt": "a\n" });
  const repository = await git.open();
  const order: WorkOrder = {
    ...{ subtask: subtask("ST-01"), task: "t", contract: "0".repeat(64), at: commit },
    ...{ staging: "s", prompt: "p", signal: new AbortController().signal, onStep: () => {} },
  };
  const left: WorkLeft = {
    ...{ run: "none", status: "failed", commit, words: "", isAsked: false },
    why: across(2_000),
    notes: [`it printed ${SECRET}`, across(2_000)],
    refuted: [across(2_000)],
  };
  const staging = stagingOf(planOf([order.subtask]), "ST-01");
  const maker = repository.commitMaker();
  const { work } = await collectLeft(order, left, staging, { repository, maker });
  expect(JSON.stringify(work)).not.toContain(HALF);
  expect(work.why?.length).toBeLessThanOrEqual(2_000);
  expect(work.notes[0]).toMatch(/^it printed \[REDACTED:/);
});

test("nor does the prompt that tells of an earlier try end within a secret", () => {
  const told = subtask("ST-01");
  const staging = stagingOf(planOf([told]), "ST-01");
  const feedback = { why: across(20_000), proofs: undefined };
  const prompt = workerPrompt({ subtask: told, staging, context: {}, feedback });
  expect(prompt).not.toContain(HALF);
});
