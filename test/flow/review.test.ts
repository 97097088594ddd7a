import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../src/flow/place.ts";
import { Recorder } from "../../src/flow/record/recorder.ts";
import { review } from "../../src/flow/review/review.ts";
import { temporaryFolder } from "../fake/sandbox.ts";
import { Stage } from "./stage.ts";

/** Here, in the source, there is no built thread to start, so every file reviewer fails that needs one. */
test("a reviewer whose thread does not start has failed, and has found nothing clean", async () => {
  const folder = temporaryFolder();
  const root = join(folder, "repo");
  mkdirSync(root);
  const long = `// ${"word ".repeat(8_000)}\n`;
  writeFileSync(join(root, "app.js"), `module.exports = (a) => eval(a);\n${long}`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: root,
    });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "a change");
  const place = new Place({ store: join(root, ".sworn"), state: join(folder, "state") });
  const told: { done: number; of: number }[] = [];
  const { report, failed } = await review({
    kind: "audit",
    folder: root,
    wanted: { kind: "tree" },
    reports: [],
    takesBaseline: false,
    env: process.env,
    threads: 1,
    signal: new AbortController().signal,
    placeFor: () => place,
    onProgress: (progress) => {
      if (progress.kind === "reviewing") told.push({ done: progress.done, of: progress.of });
    },
  });
  expect(told.filter(({ done, of }) => done < 0 || done > of)).toEqual([]);
  expect(told.at(-1)).toEqual({ done: 1, of: 1 });
  expect(failed).toEqual(["security", "secret", "correctness"]);
  expect(report.status).toBe("completed_with_gaps");
  expect(report.gaps.map(({ what, who }) => [what, who])).toEqual([
    ["app.js", "security"],
    ["app.js", "secret"],
    ["app.js", "correctness"],
  ]);
  const stage = new Stage(place, Recorder.resume(place, report.trace ?? ""));
  const types = stage.entries().map(({ type }) => type);
  expect(types.filter((type) => type === "tool_execution_failed")).toHaveLength(3);
  expect(
    stage.entries().some(({ body }) => "claim_id" in body && body.claim_id === "security"),
  ).toBe(false);
  expect(await stage.verify()).toMatchObject({ status: "pass", state: "completed" });
});
