import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

const withRoles = (roles: string) => (own: string) =>
  own.replace(/^roles: .*$/m, `roles: ${roles}`);
const BUILDER = "{ driver: command, argv: [node, tools/builder.mjs] }";
const TEAM = ["run", "--plan", PLAN, "--profile", "team"];

test("whoever does the work sits in no seat that judges it, and is told so before anything is recorded", async () => {
  const roles = "{ worker: builder, critic: builder, auditor: builder, voters: [vera, builder] }";
  const world = new SessionWorld(withRoles(roles));
  for (const profile of ["team", "strict"]) {
    const ended = await world.run(["run", "--plan", PLAN, "--profile", profile]);
    expect(ended.code).toBe(2);
    expect(ended.said).toContain(
      `builder sits as worker, critic, auditor and voter-2: in the profile ${profile} whoever does the work neither reviews, judges, audits nor votes on it; expected in sworn.yaml roles: { critic: <another>, auditor: <another>, voters: [vera, <another>] }`,
    );
  }
  expect(existsSync(join(world.project.path, ".sworn/traces"))).toBe(false);
});

test.each([
  ["run", "judge", TEAM],
  ["run", "reviewer", TEAM],
  ["work", "judge", ["work", PLAN, "--profile", "team"]],
  ["work", "reviewer", ["work", PLAN, "--profile", "strict"]],
])("sworn %s does not start with the worker as its %s", async (_, role, args) => {
  const world = new SessionWorld((own) =>
    own.replace("roles: { worker: builder,", `roles: { worker: builder, ${role}: builder,`),
  );
  const ended = await world.run(args);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain(`builder sits as worker and ${role}: in the profile`);
  expect(ended.said).toContain(`expected in sworn.yaml roles: { ${role}: <another> }`);
});

test.each([
  [
    "by its own name",
    "vera, vera",
    "vera sits as voter-1 and voter-2",
    "voters: [vera, <another>]",
  ],
  [
    "by another name",
    "vera, twin",
    "vera and twin have the same settings",
    "settings for twin than",
  ],
])("nobody has two votes, %s", async (_, voters, why, expected) => {
  const world = new SessionWorld((own) =>
    withRoles(`{ worker: builder, voters: [${voters}] }`)(own).replace(
      /^ {2}vera: (.*)$/m,
      "  vera: $1\n  twin: $1",
    ),
  );
  const ended = await world.run(TEAM);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain(why);
  expect(ended.said).toContain("nobody has two votes");
  expect(ended.said).toContain(expected);
});

test("a critic and an auditor who vote because nobody else does are two", async () => {
  const world = new SessionWorld(withRoles("{ worker: builder, critic: cleo, auditor: cleo }"));
  const { code, said } = await world.run(TEAM);
  expect(code).toBe(2);
  expect(said).toContain(
    "cleo sits as critic and auditor: in the profile team nobody has two votes",
  );
});

test("the worker under another name is still the worker, in a session and where it would make a quorum", async () => {
  const world = new SessionWorld((own) =>
    withRoles("{ worker: builder, critic: twin }")(own).replace(
      "agents:",
      `agents:\n  twin: ${BUILDER}`,
    ),
  );
  const run = await world.run(TEAM);
  expect(run.code).toBe(2);
  expect(run.said).toContain(
    "builder and twin have the same settings and sit as worker and critic: in the profile team whoever does the work neither reviews, judges, audits nor votes on it; expected in sworn.yaml agents: other settings for twin than for builder",
  );
  const work = await world.run(["work", PLAN, "--profile", "team"]);
  expect(work.code).toBe(2);
  expect(work.said).toContain("it lacks 1 more vote");
});

test("settings that make a voter of the worker after it began keep it from voting", async () => {
  const world = new SessionWorld();
  const before = world.file("sworn.yaml");
  const vera = (argv: string) => before.replace(/^ {2}vera: .*$/m, `  vera: ${argv}`);
  const waits = await world.run(TEAM, {
    says: "audit: pass",
    act: () => world.project.exchange("sworn.yaml", vera(BUILDER)),
  });
  const report = reportIn(waits);
  expect(waits.code).toBe(3);
  expect(report).toMatchObject({ status: "waits", state: "auditing" });
  expect(report.votes.map(({ agent }) => agent)).not.toContain("voter-1");
  expect(report.reasons).toEqual([
    expect.stringContaining(
      "builder and vera have the same settings and sit as worker and voter-1",
    ),
    `change sworn.yaml, then sworn resume; sworn cancel ${report.session} ends it`,
  ]);
  // Another program for the worker, meanwhile, does not undo that vera's did the work.
  const other = "{ driver: command, argv: [node, tools/pager.mjs] }";
  world.project.write(
    "sworn.yaml",
    vera(BUILDER).replace(/^ {2}builder: .*$/m, `  builder: ${other}`),
  );
  const resumed = async () =>
    (JSON.parse((await world.run(["resume"])).out) as { sessions: SessionReport[] }).sessions[0];
  expect(await resumed()).toMatchObject({ status: "waits", state: "auditing" });
  world.project.write("sworn.yaml", before);
  expect(await resumed()).toMatchObject({ status: "delivered", agreed: "votes", shared: [] });
});

/** A critic that asks for what only a judge can say, and the worker as that judge. */
function judgedByWorker(judge: string) {
  const condition = "GIVEN the output WHEN it is read THEN it names docs/slugs.md";
  const review = { proposal: "ST-01", status: "conditional", risk: "low", rationale: "Fine." };
  const answers = [{ challenges: [] }, { reviews: [{ ...review, conditions: [condition] }] }];
  const program = `const asked = require("fs").readFileSync(0, "utf8"); console.log(${JSON.stringify(answers.map((one) => JSON.stringify(one)))}[asked.includes('{"challenges"') ? 0 : 1])`;
  const cleo = `{ driver: command, argv: [node, -e, ${JSON.stringify(program)}] }`;
  // It does the page, and has a good word for it.
  const word = JSON.stringify({ points: 100, pass: true, reason: "Mine." });
  const both = `node tools/pager.mjs; echo '${word}'`;
  return (own: string) =>
    own
      .replace(
        /^ {2}pager: .*$/m,
        `  pager: { driver: command, argv: [sh, -c, ${JSON.stringify(both)}] }`,
      )
      .replace(/^ {2}cleo: .*$/m, `  cleo: ${cleo}`)
      .replace("roles: {", `roles: { ${judge}`);
}

test("the worker as its own judge is shown where somebody works alone", async () => {
  const world = new SessionWorld(judgedByWorker("judge: pager,"));
  const report = reportIn(await world.run(world.quick()));
  expect([report.status, report.reasons]).toEqual(["delivered", []]);
  expect(report.shared).toEqual(["judge and worker are both pager"]);
  expect(report.seats.find(({ agent }) => agent === "judge")).toMatchObject({ by: "pager" });
  const page = world.file(join(".sworn/session", report.session, "report.md"));
  expect(page).toContain("- judge: pager, asked by the runtime\n");
  expect(page).toContain("- judge and worker are both pager\n");
  const [work] = report.works;
  expect(world.file(join(".sworn/work", work?.work ?? "", "report.md"))).toContain(
    "- Not independent: judge and worker are both pager\n",
  );
});

test("in team a judge that is named while the session waits for one is not the worker", async () => {
  const world = new SessionWorld(judgedByWorker(""));
  const waits = reportIn(await world.run([...world.quick(), "--profile", "team"]));
  expect(waits.reasons[0]).toContain("nobody is named to judge ST-01");
  const before = world.file("sworn.yaml");
  world.project.write("sworn.yaml", before.replace("roles: {", "roles: { judge: pager,"));
  const ended = await world.run(["resume"]);
  const [report] = (JSON.parse(ended.out) as { sessions: SessionReport[] }).sessions;
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "waits", state: "executing" });
  expect(report?.reasons[0]).toContain("pager sits as worker and judge");
});
