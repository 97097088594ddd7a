import { expect, test } from "vitest";
import { CLEO, granted, OTTO, reviewScene } from "../flow/vote/review-scene.ts";
import { Shell } from "./shell.ts";

/** A review with two green votes, and a person's command line beside it. */
async function atTheDesk() {
  const scene = await reviewScene();
  const { completion_id: id } = granted(await scene.propose());
  const shell = new Shell();
  const { git } = scene;
  const io = { cwd: git.path, env: { ...git.env, SWORN_STATE_DIR: scene.place.state } };
  const run = (...argv: string[]) => shell.runWith(io, ...argv);
  return { ...scene, id, run };
}

test("a person votes, sees where it stands, and the third green vote is consensus", async () => {
  const { id, run, vote } = await atTheDesk();
  granted(await vote(CLEO, id, "green"));
  granted(await vote(OTTO, id, "green"));
  const open = await run("status", "--review", "--task", "limit");
  expect(open.out).toContain(`${id}: REVIEW, 2 green, 0 yellow, 0 red`);
  expect(open.out).toContain("blocked: missing: 1 more vote");
  const ballot = ["vote", id, "green", "--why", "I read it"];
  const wrong = await run(...ballot, "--evidence", "src/a.js:99");
  expect(wrong).toMatchObject({ exit: 3, out: expect.stringContaining("[EVIDENCE_GUARD]") });
  expect((await run(...ballot)).exit).toBe(2);
  expect((await run("vote", "k9", "green", "--why", "x", "--evidence", "src/a.js:2")).exit).toBe(2);
  const good = await run(...ballot, "--evidence", "src/a.js:2", "--json");
  expect(good.json()).toMatchObject({ moved: "consensus", review: { phase: "CONSENSUS" } });
  expect((await run("status", id, "--review")).out).toContain("next: deliver it");
});

test("yellow needs its three parts, red its fix, and a second vote replaces the first", async () => {
  const { id, run } = await atTheDesk();
  const say = (...words: string[]) =>
    run("vote", id, ...words, "--why", "w", "--evidence", "src/a.js:2");
  expect((await say("yellow")).exit).toBe(3);
  expect((await say("yellow", "--mitigation", "later; nia")).exit).toBe(2);
  expect((await say("yellow", "--mitigation", "Say why; nia; 2030-01-01")).exit).toBe(0);
  expect((await say("red")).exit).toBe(3);
  const red = await say("red", "--fix", "Take 4");
  expect(red.out).toContain("in place of your earlier vote");
  expect(red.out).toContain("blocked: the red vote of operator");
});

test("decisions are recorded, listed and walked back to; a draft says what it lacks", async () => {
  const { run } = await atTheDesk();
  const task = ["--task", "limit"];
  const decide = ["decide", "Five", "--context", "How many", "--id", "d1", ...task];
  expect(await run(...decide, "--file", "src/a.js")).toMatchObject({
    exit: 0,
    out: "Decided d1.\n",
  });
  expect((await run("decide", "--why", "src/a.js", ...task)).out).toMatch(/d1 +Five/);
  expect((await run("decide", "--json")).json()).toMatchObject({
    decisions: [{ decision_id: "d1", justifies: [{ kind: "file", to: "src/a.js" }] }],
  });
  expect((await run("decide", "Six", ...task)).err).toContain("--context is missing");
  const draft = await run("propose", ...task, "--base", "HEAD~1", "--defer", "docs=d1");
  expect(draft.out).toMatch(/is a draft/);
  expect(draft.out).toMatch(/docs +deferred/);
  expect(draft.out).toMatch(/tests +not-done +unknown: no tests/);
  expect((await run("propose", ...task, "--defer", "docs")).exit).toBe(2);
});
