import { expect, test } from "vitest";
import { CLEO, granted, MEASURED, OTTO, reviewScene } from "../flow/vote/review-scene.ts";
import { Shell } from "./shell.ts";

const BEAT_MS = 900_000;

/** A review that was proposed so many beats ago, and a person's command line beside it. */
async function desk(beats = 0) {
  const scene = await reviewScene(() => Date.now() - beats * BEAT_MS);
  const { completion_id: id } = granted(await scene.propose());
  const shell = new Shell();
  const io = {
    cwd: scene.git.path,
    env: { ...scene.git.env, SWORN_STATE_DIR: scene.place.state },
  };
  const run = (...argv: string[]) => shell.runWith(io, ...argv);
  const decide = (...more: string[]) => run("decide", "So be it", "--context", "c", ...more);
  const status = async () => (await run("status", "--review", "--task", "limit")).out;
  return { ...scene, id, run, decide, status };
}

const YELLOW = ["--mitigation", "Say why; nia; 2030-01-01"];
const LOOKED = ["--why", "w", "--evidence", "src/a.js:2"];

test("a changed proposal makes votes stale, and the status shows the new one without them", async () => {
  const { id, run, vote, propose, status } = await desk();
  granted(await vote(CLEO, id, "green"));
  const { completion_id: next } = granted(await propose({ why: "Another reason" }));
  expect(await status()).toContain(`${next}: REVIEW, 0 green, 0 yellow, 0 red`);
  const stale = await run("vote", id, "green", ...LOOKED);
  expect(stale).toMatchObject({ exit: 3, out: expect.stringContaining("it is stale") });
  expect((await run("status", id, "--review")).out).toContain(`it was revised by ${next}`);
});

test("a yellow vote names its option when that is missing, a red one too, and neither by halves", async () => {
  const { id, run } = await desk();
  const yellow = await run("vote", id, "yellow", ...LOOKED);
  expect(yellow.out).toContain("a yellow vote needs --mitigation 'action; owner; deadline'");
  const red = await run("vote", id, "red", ...LOOKED);
  expect(red.out).toContain("a red vote needs --fix 'what to do'");
  const none = await run("vote", id, "--why", "w");
  expect(none).toMatchObject({ exit: 2, err: expect.stringContaining("green, yellow or red") });
});

test("perma-yellow: one more round, then a recorded disagreement, and nothing beyond", async () => {
  const { id, run, vote, decide, status } = await desk();
  granted(await vote(CLEO, id, "yellow"));
  granted(await vote(OTTO, id, "yellow"));
  const third = await run("vote", id, "yellow", ...LOOKED, ...YELLOW, "--json");
  expect(third.json()).toMatchObject({ moved: "converge" });
  const early = await run("vote", id, "yellow", ...LOOKED, ...YELLOW, "--json");
  expect(early.json()).toMatchObject({ moved: null, replaced: true });
  expect(await status()).toContain('the doubts stay: "sworn decide"');
  expect((await decide("--for", id)).out).toContain(`${id}: disagreement`);
  expect(await status()).toContain("REVIEW, 0 green, 3 yellow, 0 red");
  // Only a person who bears the doubts by name takes it further.
  expect((await decide("--for", id, "--accept")).out).toContain(`${id}: consensus`);
});

test("without a quorum in four beats more reviewers are asked, after eight less at once", async () => {
  expect(await (await desk(5)).status()).toContain("ask more reviewers");
  expect(await (await desk(9)).status()).toContain("propose less at once");
  expect(await (await desk(1)).status()).toContain("next: wait for votes");
});

test("an owner who stays away: both seats are green, and a decision lets the two decide", async () => {
  const { id, vote, decide, status } = await desk(5);
  granted(await vote(CLEO, id, "green"));
  granted(await vote(OTTO, id, "green"));
  expect(await status()).toContain("the owner stays away");
  expect((await decide("--for", "latest", "--task", "limit")).out).toContain(`${id}: consensus`);
});

test("a review is rejected, and nothing follows that", async () => {
  const { id, run, vote, status } = await desk();
  granted(await vote(CLEO, id, "green"));
  expect((await run("settle", id, "--rejected")).exit).toBe(2);
  const both = await run("settle", id, "--rejected", "--merged", "--why", "w");
  expect(both.exit).toBe(2);
  const rejected = await run("settle", id, "--rejected", "--why", "Nobody needs it");
  expect(rejected.out).toContain(`${id}: rejected`);
  expect(await status()).toContain(`${id}: REJECTED`);
  expect((await run("vote", id, "green", ...LOOKED)).out).toContain("is in REJECTED");
});

test("the checks vote by running the tests, red where the proposal says something else", async () => {
  const { git, run, propose } = await desk();
  const { writeFileSync } = await import("node:fs");
  const settle = (count: number) =>
    writeFileSync(
      `${git.path}/sworn.yaml`,
      JSON.stringify({
        work: {
          tests: ["printf", `# tests ${count}\n# suites 0\n# pass ${count}\n# fail 0\n`],
        },
      }),
    );
  settle(3);
  const { completion_id: id } = granted(await propose({ facts: MEASURED }));
  const green = await run("vote", id, "--checks");
  expect(green.out).toMatch(/sworn \(check: tests\) +quality +green/);
  expect((await run("vote", id, "green", "--checks")).exit).toBe(2);
  settle(2);
  const red = await run("vote", id, "--checks");
  expect(red.out).toContain("2 tests pass, and the proposal says 3.");
  expect(red.out).toContain("blocked: the red vote of sworn");
});

test("a decision that moves nothing says what it did not move, and why", async () => {
  const { id, decide, vote, propose } = await desk();
  granted(await vote(CLEO, id, "green"));
  const early = await decide("--for", id, "--accept");
  expect(early.exit).toBe(0);
  expect(early.out).toMatch(
    new RegExp(
      `^Decided d-\\S+\\.\nIt moves nothing: ${id} has no quorum \\(.*2 more votes.*\\); --accept bears doubts, and no votes that are missing\n`,
    ),
  );
  const { completion_id: next } = granted(await propose({ why: "Another reason" }));
  expect((await decide("--for", id)).out).toContain(
    `It moves nothing: ${id} was replaced by ${next}: decide about that one, --for ${next}`,
  );
  const facts = { ...MEASURED, docs: undefined };
  const { completion_id: draft } = granted(await propose({ facts, why: "A third" }));
  expect((await decide("--for", draft)).out).toMatch(
    /It moves nothing: \S+ is a draft that nobody votes on \(not done: docs\); what can wait is proposed again with sworn propose, --defer <item>=d-/,
  );
});
