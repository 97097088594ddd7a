import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { PLAN, reportIn, SessionWorld, saying } from "./session-world.ts";

const TEAM = ["run", "--plan", PLAN, "--profile", "team"];
const RED = {
  ...{ vote: "red", rationale: "It keeps no digits.", fix: "Keep digits in src/slug.js." },
  evidence: ["src/slug.js:1"],
};
const GREEN = { vote: "green", rationale: "I was wrong.", evidence: ["src/slug.js:1"] };
const withVera = (vera: string) => (own: string) =>
  own.replace(/^ {2}vera: .*$/m, `  vera: ${vera}`);
const resumed = ({ out }: { out: string }) =>
  (JSON.parse(out) as { sessions: SessionReport[] }).sessions[0];

test("a red vote against files that stay the same is asked for again, until no round is left", async () => {
  const world = new SessionWorld(withVera(saying(RED)));
  const ended = await world.run(TEAM);
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "failed", rounds: 2, delivery: null });
  expect(report.works.length).toBe(3);
  // Once in each round, and once more in the first, where all vote a second time.
  expect(ended.said.split("votes red: It keeps no digits.").length - 1).toBe(4);
  expect(report.audits.map(({ verdict, by }) => `${verdict}, by ${by}`).slice(1)).toEqual([
    "fail, by the votes",
    "fail, by the votes",
  ]);
  expect(report.reasons).toEqual([
    "a red vote stands: voter-1 (vera) voted red: It keeps no digits.; it asks for: Keep digits in src/slug.js. (looked at src/slug.js:1); no round of rework is left: do what is asked for, or say it in the task, then run it again with sworn run",
  ]);
  expect((await world.run(["verify", report.trace])).code).toBe(0);
}, 120_000);

test("who voted red and sees it otherwise at a second look lets the same files through", async () => {
  const words = [RED, GREEN].map((one) => JSON.stringify(one));
  const program = `const asked = require("fs").readFileSync(0, "utf8"); console.log(${JSON.stringify(words)}[asked.includes("your last vote, red") ? 1 : 0])`;
  const vera = `{ driver: command, argv: [node, -e, ${JSON.stringify(program)}] }`;
  const world = new SessionWorld(withVera(vera));
  const report = reportIn(await world.run(TEAM));
  expect(report).toMatchObject({ status: "delivered", rounds: 1, agreed: "votes" });
  expect(report.votes.map(({ agent, vote }) => `${agent} ${vote}`)).toContain("voter-1 green");
}, 120_000);

test("a vote that brings agreement at the second asking keeps nobody waiting for the others", async () => {
  const words = [RED, GREEN].map((one) => JSON.stringify(one));
  // The votes until now are in the question: at the second asking its own red one is among them.
  const program = `const asked = require("fs").readFileSync(0, "utf8"); console.log(${JSON.stringify(words)}[asked.includes("It keeps no digits.") ? 1 : 0])`;
  const vera = `{ driver: command, argv: [node, -e, ${JSON.stringify(program)}] }`;
  const world = new SessionWorld(withVera(vera));
  const report = reportIn(await world.run(TEAM));
  expect([report.status, report.rounds, report.reasons]).toEqual(["delivered", 0, []]);
}, 120_000);

test("an operator's red vote is named with what it asks for, and takes the rounds that there are", async () => {
  const yellow = {
    ...{ vote: "yellow", rationale: "Thin.", evidence: ["docs/slugs.md:1"] },
    mitigations: [{ action: "Name limits.", owner: "docs team", deadline: "2027-01-31" }],
  };
  const world = new SessionWorld((own) =>
    withVera(saying(yellow))(own).replace(
      /^ {2}victor: .*$/m,
      `  victor: ${saying({ ...yellow, rationale: "Too thin." })}`,
    ),
  );
  const { reasons, trace } = reportIn(await world.run(TEAM));
  const [, id = ""] = /--for (\S+) --trace/.exec(reasons.at(-1) ?? "") ?? [];
  const red = ["--why", "No.", "--evidence", "docs/slugs.md:1", "--fix", "Name them."];
  expect((await world.run(["vote", id, "red", ...red, "--trace", trace])).code).toBe(0);
  const ended = resumed(await world.run(["resume"]));
  expect(ended).toMatchObject({ status: "failed", rounds: 2 });
  expect(ended?.reasons[0]).toContain(
    "a red vote stands: operator voted red: No.; it asks for: Name them. (looked at docs/slugs.md:1); no round of rework is left",
  );
}, 180_000);
