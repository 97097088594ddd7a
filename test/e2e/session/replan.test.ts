import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { reportIn, SessionWorld, saying } from "./session-world.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../../examples");
const REQUEST =
  'addOrder takes an order without items. It has to refuse an empty list with the error "an order needs an item". Nothing else changes, and the size of a list is not limited. In production, asking for such an order answers 404.';
const REASON = "It does not say that other orders stay as they are.";

/** Draws another graph once it is shown, as data, why the last one was rejected. */
const PLANNER = `
import { readFileSync } from "node:fs";
const answers = JSON.parse(readFileSync("examples/planner/answers.json", "utf8"));
const prompt = readFileSync(0, "utf8");
const phase = /<phase name="([a-z]+)"/.exec(prompt)?.[1] ?? "";
const isTold = prompt.split("\\n").some((line) => line.startsWith("|") && line.includes(${JSON.stringify(REASON)}));
const answer = answers[phase];
if (phase === "graph" && isTold) {
  answer.subtasks[0].instruction += " Orders that have items stay as they are.";
}
console.log(JSON.stringify(answer));
`;

/** Approves what says that other orders stay as they are; challenges nothing. */
const CRITIC = `
import { data, order } from "./order.mjs";
if (order.includes('{"challenges"')) console.log(JSON.stringify({ challenges: [] }));
else {
  const reviews = JSON.parse(data("proposals")).map(({ id, instruction }) => ({
    proposal: id, risk: "low", conditions: [],
    ...(instruction.includes("stay as they are") && !process.argv.includes("--never")
      ? { status: "approved", rationale: "Fine." }
      : { status: "rejected", rationale: ${JSON.stringify(REASON)} }),
  }));
  console.log(JSON.stringify({ reviews }));
}
`;

/** The shop of the examples, with a planner, a critic and a worker that is never asked for long. */
function shop({ critic, replans }: { critic: string; replans?: number }): SessionWorld {
  const judge = saying({ points: 95, pass: true, reason: "it is the one that is asked for" });
  const world = new SessionWorld(
    () =>
      `agents:
  thinker: { driver: command, argv: [node, tools/thinker.mjs], limits: { seconds: 60 } }
  builder: { driver: command, argv: [node, -e, "0"] }
  cleo: { driver: command, argv: [node, tools/cleo.mjs, ${critic}] }
  judge: ${judge}
roles: { planner: thinker, worker: builder, critic: cleo, judge: judge }
work: { retries: 0 }
${replans === undefined ? "" : `session: { replans: ${replans} }`}
`,
  );
  const { path } = world.project;
  cpSync(join(EXAMPLES, "planner"), join(path, "examples/planner"), { recursive: true });
  cpSync(join(EXAMPLES, "review/after"), join(path, "examples/review/after"), { recursive: true });
  writeFileSync(join(path, "tools/thinker.mjs"), PLANNER);
  writeFileSync(join(path, "tools/cleo.mjs"), CRITIC);
  world.project.commit();
  return world;
}

test("a plan that the critic rejects is planned anew with its reasons, and stays on record", async () => {
  const world = shop({ critic: "--fair" });
  const killed = await world.killed(["run", REQUEST], "ST-01: rejected");
  expect([killed.code, killed.said]).toEqual([null, expect.anything()]);
  const ended = await world.run(["resume"]);
  const { sessions } = JSON.parse(ended.out) as { sessions: SessionReport[] };
  const [report] = sessions;
  const of = { conditions: [] };
  expect(report?.proposals).toEqual([
    { ...of, id: "st-01", plan: 1, status: "rejected", is_superseded: true, rationale: REASON },
    {
      ...of,
      id: "st-01.p2",
      plan: 2,
      status: "approved",
      is_superseded: false,
      rationale: "Fine.",
    },
  ]);
  // The worker leaves nothing, so that the session ends there; another plan is not slipped in.
  expect(report).toMatchObject({ status: "failed" });
  expect(report?.works).toHaveLength(1);
  const verified = await world.run(["verify", report?.trace ?? ""]);
  expect(verified.code).toBe(0);
}, 180_000);

test("a critic that rejects every plan ends it after as many as the project allows", async () => {
  const world = shop({ critic: "--never", replans: 1 });
  const ended = await world.run(["run", REQUEST]);
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report.proposals.map(({ id, status }) => [id, status])).toEqual([
    ["st-01", "rejected"],
    ["st-01.p2", "rejected"],
  ]);
  expect(report).toMatchObject({ status: "failed", works: [] });
  // Neither planning is anybody's to go on with, so that nobody is sent to do it.
  const status = JSON.parse((await world.run(["status"])).out) as { items: { kind: string }[] };
  expect(status.items.filter(({ kind }) => kind === "planning" || kind === "session")).toEqual([]);
  expect(status).toMatchObject({ sessions: { open: 0 } });
  expect(report.reasons[0]).toBe(
    `the critic rejected in 2 plans, last ST-01 (${REASON}), and what is rejected is not done; say in the task what it has to keep to, or write the plan yourself: sworn run --plan <plan.json>`,
  );
}, 180_000);

test("a plan is made for the commit that the session begins with, and not for the last one", async () => {
  const world = shop({ critic: "--never", replans: 0 });
  const { project } = world;
  // On the branch the planner's own script is gone by now.
  project.git("rm", "--quiet", "tools/thinker.mjs");
  project.commit();
  const report = reportIn(await world.run(["run", REQUEST, "--at", "HEAD~1"]));
  expect(report.start).toBe(project.git("rev-parse", "HEAD~1"));
  expect(report.proposals).toMatchObject([{ id: "st-01", status: "rejected" }]);
}, 120_000);
