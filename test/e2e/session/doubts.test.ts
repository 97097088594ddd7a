import { expect, test } from "vitest";
import type { Review } from "../../../src/flow/vote/read-reviews.ts";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { verifies } from "../../verifies.ts";
import { PLAN, reportIn, SessionWorld, saying } from "./session-world.ts";

const TEAM = ["run", "--plan", PLAN, "--profile", "team"];

const yellow = {
  ...{ vote: "yellow", rationale: "The limits are thin.", evidence: ["docs/slugs.md:1"] },
  mitigations: [{ action: "Name all limits.", owner: "docs team", deadline: "2027-01-31" }],
};
/** The voters of the example, each with an answer of its own. */
const voting = (vera: object, victor: object) => (own: string) =>
  own
    .replace(/^ {2}vera: .*$/m, `  vera: ${saying(vera)}`)
    // Another argument, because two names for one program are one voter.
    .replace(/^ {2}victor: .*$/m, `  victor: ${saying(victor).replace("] }", ", victor] }")}`);
const resumed = ({ out }: { out: string }) =>
  (JSON.parse(out) as { sessions: SessionReport[] }).sessions[0];
/** Those that were not revised. */
const reviewsIn = ({ out }: { out: string }) =>
  (JSON.parse(out) as { reviews: Review[] }).reviews.filter((one) => one.revised_by === null);

verifies(
  "004-94",
  "one green and two yellow votes wait for a person's decision, and pass with it",
  async () => {
    const world = new SessionWorld(voting(yellow, yellow));
    const waits = await world.run(TEAM);
    const report = reportIn(waits);
    expect(waits.code).toBe(3);
    expect(report).toMatchObject({ status: "waits", state: "auditing", rounds: 0, delivery: null });
    expect(report.reasons[0]).toContain("1 green, 2 yellow: they pass with a recorded decision");
    expect(report.reasons[1]).toContain("Name all limits. (docs team, until 2027-01-31)");
    const [, id = ""] = /--for (\S+) --trace/.exec(report.reasons.at(-1) ?? "") ?? [];

    // Whoever looks is told that it waits for a person, and what to type.
    const status = JSON.parse((await world.run(["status"])).out) as { items: object[] };
    expect(status.items).toContainEqual(
      expect.objectContaining({
        ...{ kind: "review", name: id, waits_for: "you" },
        next: `sworn decide '<choice>' --context '<why>' --for ${id} --trace ${report.trace}`,
      }),
    );
    expect(status.items).toContainEqual(
      expect.objectContaining({ kind: "session", name: report.session, waits_for: "you" }),
    );

    // Without the decision nothing passes, however often it is gone on with.
    expect(resumed(await world.run(["resume"]))).toMatchObject({ status: "waits", rounds: 0 });
    const words = ["The docs team names them.", "--context", "The limits are thin."];
    const where = ["--for", id, "--trace", report.trace];
    expect((await world.run(["decide", ...words, ...where])).code).toBe(0);
    const ended = await world.run(["resume"]);
    const last = resumed(ended);
    expect(ended.code).toBe(0);
    expect(last).toMatchObject({ status: "delivered", agreed: "votes", rounds: 0 });
    expect(last?.votes.map(({ vote }) => vote).toSorted()).toEqual(["green", "yellow", "yellow"]);
    expect(last?.votes[1]?.mitigations).toEqual(yellow.mitigations);
    expect(last?.decisions).toMatchObject([{ by: "operator", choice: words[0] }]);
    for (const command of last?.verify ?? []) {
      expect((await world.run(command.split(" ").slice(1))).code, command).toBe(0);
    }
  },
);

test("changed lines that tests do not reach are not done, and pass only where a person lets them wait", async () => {
  const world = new SessionWorld();
  const files = "tools/slug-files.mjs";
  const long =
    'join("-");\n}\n\nexport function never(title) {\n  const one = title.trim();\n  const two = one.repeat(2);\n  return two + one;\n}\n';
  world.project.commit({ [files]: world.file(files).replace('join("-");\n}\n', long) });
  const report = reportIn(await world.run(TEAM));
  expect(report).toMatchObject({ status: "waits", state: "auditing", votes: [] });
  expect(report.reasons[0]).toMatch(
    /^not done: tests: tests reach \d\d % of the change, expected 80 %$/,
  );
  // Looking again changes nothing.
  expect(resumed(await world.run(["resume"]))).toMatchObject({ status: "waits", votes: [] });
  const [review] = reviewsIn(await world.run(["status", "--review"]));
  expect(review).toMatchObject({ phase: "DRAFT", blockers: ["not done: tests"] });
  const about = ["--context", "never()", "--for", review?.completion_id ?? ""];
  const decided = await world.run(["decide", "It can wait.", ...about, "--trace", report.trace]);
  expect([decided.code, decided.said]).toEqual([0, expect.anything()]);
  expect((JSON.parse(decided.out) as { not_moved: string }).not_moved).toBe(
    `${review?.completion_id} is a draft that nobody votes on (not done: tests); with this decision that can wait: sworn resume`,
  );
  const last = await world.run(["resume"]);
  expect(last.said).toContain(
    "everything that done asks for is shown, but for tests: that may wait",
  );
  const ended = resumed(last);
  expect(ended).toMatchObject({ status: "delivered", agreed: "votes", rounds: 0 });
  expect(ended?.done.find(({ item }) => item === "tests")?.state).toBe("deferred");
  expect(ended?.unproven[0]).toContain("tests: tests reach");
  expect(ended?.votes[0]?.rationale).toContain("what done asks for is shown, but for tests");
});

test("a decision that its maker could not act on any more is acted on by whoever goes on", async () => {
  const world = new SessionWorld(voting(yellow, yellow));
  const { trace, reasons } = reportIn(await world.run(TEAM));
  const [, id = ""] = /--for (\S+) --trace/.exec(reasons.at(-1) ?? "") ?? [];
  // As if it was killed between the two: the decision stands, the review was not moved.
  const request = {
    type: "decision_recorded",
    body: {
      ...{ context: "Thin limits", options: ["bear"], choice: "bear" },
      links: [{ kind: "completion", to: id }],
    },
  };
  const decided = (agent: string, role: string, decision_id: string) => {
    const body = { ...request.body, decision_id };
    const words = JSON.stringify({ ...request, actor: { agent, role }, body });
    const script = world.write("decision.jsonl", `${words}\n`);
    return world.run(["trace", "record", script, "--trace", trace]);
  };
  // A reviewer's decision is recorded, and is no person's.
  expect((await decided("critic", "critic", "d0")).code).toBe(0);
  expect(resumed(await world.run(["resume"]))).toMatchObject({ status: "waits" });
  expect((await decided("operator", "operator", "d1")).code).toBe(0);
  expect(resumed(await world.run(["resume"]))).toMatchObject({ status: "delivered" });
});

verifies(
  "004-96",
  "votes that do not agree after a second round are recorded as a disagreement, and it goes back",
  async () => {
    const world = new SessionWorld(voting(yellow, yellow));
    const report = reportIn(await world.run(TEAM));
    const [, id = ""] = /--for (\S+) --trace/.exec(report.reasons.at(-1) ?? "") ?? [];
    const red = ["--why", "No.", "--evidence", "docs/slugs.md:1", "--fix", "Name them."];
    const voted = await world.run(["vote", id, "red", ...red, "--trace", report.trace]);
    expect([voted.code, voted.out]).toEqual([0, expect.anything()]);
    const ended = resumed(await world.run(["resume"]));
    expect(ended?.rounds).toBeGreaterThan(0);
    expect(ended?.decisions[0]).toMatchObject({
      by: "sworn",
      choice: "it is not accepted as it is",
    });
    expect(ended?.decisions[0]?.context).toContain("operator votes red: No.");
  },
);

test("a session that lacks voters waits for them as many beats as the project says", async () => {
  const world = new SessionWorld((own) =>
    own.replace("[vera, victor]", "[vera]").concat("beat: { seconds: 1, patience: 1000 }\n"),
  );
  const { reasons, trace } = reportIn(await world.run(TEAM));
  const [, id = ""] = /sworn vote (\S+) /.exec(reasons.at(-1) ?? "") ?? [];
  const lacks = [
    "missing: 1 more vote",
    `vote with sworn vote ${id} green --why '<why>' --evidence '<file>:<line>' --trace ${trace}, or yellow, or red, then sworn resume`,
  ];
  expect(reasons).toEqual(lacks);
  const sessionNow = async () => {
    const { out } = await world.run(["status"]);
    const { items } = JSON.parse(out) as { items: { kind: string; next: string; about: string }[] };
    return items.find(({ kind }) => kind === "session");
  };
  expect(await sessionNow()).toMatchObject({
    next: "sworn resume # once you have voted: see sworn status --review",
    about: expect.stringMatching(/^missing: 1 more vote/),
  });
  // More than the four beats that are waited where nobody says otherwise.
  await new Promise((done) => setTimeout(done, 5_000));
  expect(resumed(await world.run(["resume"]))?.reasons).toEqual(lacks);
  const ballot = ["--why", "Fine", "--evidence", "src/slug.js:5", "--trace", trace];
  expect((await world.run(["vote", id, "green", ...ballot])).code).toBe(0);
  // What it waited for is there: nobody is told any more that it is missing.
  expect(await sessionNow()).toMatchObject({
    next: "sworn resume",
    about: expect.not.stringContaining("missing"),
  });
});
