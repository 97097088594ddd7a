import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { verifies } from "../../verifies.ts";
import { PLAN, reportIn, SessionWorld, saying } from "./session-world.ts";

const approved = { proposal: "ST-01", status: "approved", risk: "low", rationale: "Fine." };
const critic = (word: object) => saying({ reviews: [{ ...approved, ...word }] });
/** Another agent in a seat of the example. */
const withAgent = (name: string, agent: string) => (own: string) =>
  own.replace(new RegExp(`^ {2}${name}: .*$`, "m"), `  ${name}: ${agent}`);

verifies("002-23", "what the critic rejects is not begun", async () => {
  const word = { status: "rejected", rationale: "It would delete pages." };
  const world = new SessionWorld(withAgent("cleo", critic(word)));
  const ended = await world.run(world.quick());
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report.proposals).toEqual([
    {
      ...{ id: "st-01", plan: 1, status: "rejected", is_superseded: false },
      ...{ rationale: "It would delete pages.", conditions: [] },
    },
  ]);
  expect(report).toMatchObject({ status: "failed", works: [] });
  // Nobody plans here, so that whoever wrote the plan is told what to do.
  expect(report.reasons[0]).toContain("ST-01 (It would delete pages.)");
  expect(report.reasons[0]).toContain("change the plan and run it again with sworn run --plan");
  expect((await world.run(["resume"])).out).toContain('"sessions":[]');
});

test("a plan of which one part is rejected goes back whole: nothing of it is approved", async () => {
  const reviews = [approved, { ...approved, proposal: "ST-02", status: "rejected" }];
  const world = new SessionWorld(withAgent("cleo", saying({ reviews })));
  const report = reportIn(await world.run(["run", "--plan", PLAN]));
  expect(report.status).toBe("failed");
  expect(report.proposals.map(({ id, status }) => [id, status])).toEqual([
    ["st-01", "proposed"],
    ["st-02", "rejected"],
  ]);
});

test("a critic whose answer cannot be read has approved nothing", async () => {
  const world = new SessionWorld(withAgent("cleo", saying("Looks good to me.")));
  const report = reportIn(await world.run(world.quick()));
  expect(report).toMatchObject({ status: "waits", state: "reviewing", works: [] });
  expect(report.proposals[0]?.status).toBe("proposed");
  expect(report.reasons[0]).toContain("cleo gave no answer that can be read");
});

test.each([
  ["says nothing", []],
  ["says two things", [approved, { ...approved, status: "rejected" }]],
])("a critic that %s about a proposal has approved nothing", async (_, reviews) => {
  const world = new SessionWorld(withAgent("cleo", saying({ reviews })));
  const report = reportIn(await world.run(world.quick()));
  expect(report).toMatchObject({ status: "waits", state: "reviewing", works: [] });
  expect(report.reasons[0]).toBe("cleo did not say one word about ST-01: nothing is approved");
});

verifies("002-25", "an intent whose risk the profile does not bear is blocked", async () => {
  const world = new SessionWorld(withAgent("cleo", critic({ risk: "critical" })));
  const ended = await world.run(world.quick());
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "failed", works: [] });
  expect(report.reasons[0]).toBe("the critic blocked st-01.r0: their risk is at or above critical");
});

verifies("002-22", "a condition of the critic becomes a criterion that is proven", async () => {
  const condition = "GIVEN the output WHEN it is read THEN it names docs/slugs.md";
  const word = { status: "conditional", conditions: [condition] };
  const judge = saying({ points: 100, pass: false, reason: "It names nothing." });
  const world = new SessionWorld((own) =>
    withAgent(
      "cleo",
      critic(word),
    )(own)
      .replace("agents:", `agents:\n  jan: ${judge}`)
      .replace("roles: {", "roles: { judge: jan,"),
  );
  const ended = await world.run(world.quick());
  const report = reportIn(ended);
  expect(report.proposals[0]).toMatchObject({ status: "conditional", conditions: [condition] });
  expect(ended.code).toBe(3);
  expect(report.reasons[0]).toContain("It names nothing.");
});

test("a condition waits for somebody who can judge it, and passes where it is met", async () => {
  const condition = "GIVEN the output WHEN it is read THEN it names docs/slugs.md";
  const reviews = [{ ...approved, status: "conditional", conditions: [condition] }];
  const answers = [{ challenges: [] }, { reviews }].map((one) => JSON.stringify(one));
  const program = `const asked = require("fs").readFileSync(0, "utf8"); console.log(${JSON.stringify(answers)}[asked.includes('{"challenges"') ? 0 : 1])`;
  const cleo = `{ driver: command, argv: [node, -e, ${JSON.stringify(program)}] }`;
  const world = new SessionWorld(withAgent("cleo", cleo));
  const waits = await world.run(world.quick());
  const report = reportIn(waits);
  expect(waits.code).toBe(3);
  expect(report).toMatchObject({ status: "waits", state: "executing" });
  expect(report.reasons).toEqual([
    `nobody is named to judge ST-01: ${condition}: name somebody else than the worker in sworn.yaml, roles: { judge: <name> }, then sworn resume`,
  ]);
  const { items } = JSON.parse((await world.run(["status"])).out) as {
    items: { kind: string; about: string; next: string }[];
  };
  const item = items.find(({ kind }) => kind === "session");
  expect(item?.about).toMatch(/^nobody is named to judge ST-01/);
  expect(item?.next).toBe(
    "sworn resume # once sworn.yaml has roles: { judge: <name> }, who is not the worker",
  );
  const judge = saying({ points: 100, pass: true, reason: "It names it." });
  const settings = world
    .file("sworn.yaml")
    .replace("agents:", `agents:\n  jan: ${judge}`)
    .replace("roles: {", "roles: { judge: jan,");
  world.project.write("sworn.yaml", settings);
  const ended = await world.run(["resume"]);
  const { sessions } = JSON.parse(ended.out) as { sessions: SessionReport[] };
  expect(ended.code).toBe(0);
  expect(sessions[0]).toMatchObject({ session: report.session, status: "delivered" });
  expect(sessions[0]?.proposals[0]).toMatchObject({ status: "conditional" });
});

test("in team, what done asks for and nobody has shown stops it before anybody votes", async () => {
  const world = new SessionWorld((own) =>
    own.replace("critic: cleo, ", "").replace(/^ {2}coverage:[\s\S]*$/m, ""),
  );
  const ended = await world.run([...world.quick(), "--profile", "team"]);
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "waits", state: "auditing", votes: [], delivery: null });
  expect(report.reasons[0]).toContain("not done: tests: unknown");

  // Proposed by hand, it is held against the same plan; another commit is not.
  const { trace, works } = report;
  const specOf = async (commit: string) => {
    const proposed = await world.run(["propose", commit, "--base", `${commit}^`, "--trace", trace]);
    const { done } = JSON.parse(proposed.out) as { done: { item: string; state: string }[] };
    return done.find(({ item }) => item === "spec")?.state;
  };
  const own = world.project.git("rev-parse", `sworn/work/${works[0]?.work}`);
  expect(await specOf(own)).toBe("done");
  world.project.commit({ "src/other.js": "export const other = 1;\n" });
  expect(await specOf("HEAD")).toBe("not-done");
});

test("strict asks for agents in the seats, and says who is missing", async () => {
  const world = new SessionWorld((own) => own.replace("auditor: ada, ", ""));
  const ended = await world.run(["run", "--plan", PLAN, "--profile", "strict"]);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain("nobody is named as auditor, which the profile strict needs");
});

verifies(
  "004-95",
  "a red vote sends the work back, and blocks it as long as it stands",
  async () => {
    const red = {
      ...{ vote: "red", rationale: "It is slow.", fix: "Make it fast." },
      evidence: ["src/slug.js:1"],
    };
    const world = new SessionWorld((own) =>
      withAgent("vera", saying(red))(own).replace("critic: cleo, ", ""),
    );
    const ended = await world.run(["run", "--plan", PLAN, "--profile", "team"]);
    const report = reportIn(ended);
    expect(ended.code).toBe(3);
    // With its reasons, so that whoever sees another state also sees what it waits for.
    expect([report.status, report.reasons]).toEqual([
      "failed",
      [expect.stringContaining("a red vote stands")],
    ]);
    expect(report.delivery).toBeNull();
    expect(report.works.length).toBeGreaterThan(1);
  },
);

test("the report says where one agent sits in two seats", async () => {
  const word = { status: "rejected", rationale: "No." };
  const world = new SessionWorld((own) =>
    withAgent("cleo", critic(word))(own).replace("auditor: ada", "auditor: cleo"),
  );
  const report = reportIn(await world.run(world.quick()));
  expect(report.shared).toEqual(["auditor and critic are both cleo"]);
});
