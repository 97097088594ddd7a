import { chmodSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deliverTask } from "../../../../src/flow/deliver/task/deliver-task.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { findReview } from "../../../../src/flow/vote/find-review.ts";
import { agreeOn, deliveryOf } from "./agreed-work.ts";
import { doneWork, git } from "./delivery-world.ts";

test("what arrived counts as delivered where its review cannot be told of it, and that is said", async () => {
  const done = await doneWork({ profile: "team" });
  const { trace, completion } = await agreeOn(done);
  const ledger = done.place.ledgerPath(trace);
  const sound = readFileSync(ledger);
  const to = deliveryOf(done, "branch", "not-a-real-token");
  // The votes were read when the packet was made, and are damaged before it is handed over.
  const onStep = (words: string) => {
    if (words.startsWith("packed")) truncateSync(ledger, 0);
  };
  const sent = await deliverTask({ ...to, onStep });
  expect(sent.effect?.status).toBe("sent");
  expect(sent.unmoved).toContain(trace);
  const types = readTrace(done.place, sent.trace ?? "").map(({ type }) => type);
  expect(types).toContain("final_statement_signed");
  writeFileSync(ledger, sound);
  const again = await deliverTask(to);
  expect([again.effect?.status, again.review]).toEqual(["present", "SUBMITTED"]);
  expect(findReview({ place: done.place, trace }, completion).phase).toBe("SUBMITTED");
});

test("where the record of what arrived cannot be ended, it is not told as failed, and done again is there", async () => {
  const done = await doneWork();
  const remote = join(done.home, "remote.git");
  git(done, "init", "-q", "--bare", remote);
  const artifacts = join(done.place.store, "artifacts");
  const hook = join(remote, "hooks", "post-update");
  writeFileSync(hook, `#!/bin/sh\nmv '${artifacts}' '${artifacts}.kept'\n: > '${artifacts}'\n`);
  chmodSync(hook, 0o755);
  writeFileSync(join(done.path, "sworn.yaml"), `deliver:\n  out: { kind: git, url: ${remote} }\n`);
  const to = { ...deliveryOf(done, "out", "not-a-real-token"), isSent: true };
  const said = await deliverTask(to).catch((error: Error) => error.message);
  expect(said).toMatch(/: sent at .*; it arrived, but its record trace_\w+ could not be brought/);
  expect(said).toContain(`"sworn deliver ${done.work} --to out" as before finds it there`);
  const branch = `sworn/delivered/${done.work}`;
  expect(git({ ...done, path: remote }, "rev-parse", branch)).toBe(done.commit);
  const trace = /its record (trace_\w+)/.exec(String(said))?.[1] ?? "";
  const types = readTrace(done.place, trace).map(({ type }) => type);
  expect(types).not.toContain("tool_execution_failed");
  rmSync(artifacts);
  renameSync(`${artifacts}.kept`, artifacts);
  rmSync(hook);
  expect((await deliverTask(to)).effect?.status).toBe("present");
});
