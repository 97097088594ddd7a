import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import type { WorkReport } from "../../../src/schema/work.ts";
import { refuse, type Step, says, serve } from "../../agent/inside/scripted-service.ts";
import { PLAN, reportIn, SessionWorld, saying } from "./session-world.ts";

const CONDITION = "GIVEN the output WHEN it is read THEN it names docs/slugs.md";
const yes = says(JSON.stringify({ points: 100, pass: true, reason: "It names it." }));

const resumed = async (world: SessionWorld) =>
  (JSON.parse((await world.run(["resume"])).out) as { sessions: SessionReport[] }).sessions[0];

/** A session whose critic asks for what only a judge can say, and whose judge answers like this. */
async function judgedBy(steps: readonly Step[], more = (own: string) => own) {
  const { endpoint, asked } = await serve(steps);
  const critic = {
    ...{ proposal: "ST-01", status: "conditional", risk: "low", rationale: "Fine." },
    conditions: [CONDITION],
  };
  const answers = [{ challenges: [] }, { reviews: [critic] }].map((one) => JSON.stringify(one));
  const program = `const asked = require("fs").readFileSync(0, "utf8"); console.log(${JSON.stringify(answers)}[asked.includes('{"challenges"') ? 0 : 1])`;
  const cleo = `{ driver: command, argv: [node, -e, ${JSON.stringify(program)}] }`;
  const jan = `{ driver: model, provider: compatible, model: oak-1, endpoint: "${endpoint}", key_env: SWORN_AGENT_KEY }`;
  const world = new SessionWorld((own) =>
    more(own)
      .replace(/^ {2}cleo: .*$/m, `  cleo: ${cleo}`)
      .replace("agents:", `agents:\n  jan: ${jan}`)
      .replace("roles: {", "roles: { judge: jan,"),
  );
  world.env["SWORN_AGENT_KEY"] = "sk-real-0123456789";
  return { world, ended: await world.run(world.quick()), asked };
}

test("a judge that crashed and then talked nonsense is asked again, and its word counts", async () => {
  const { ended, asked } = await judgedBy([refuse(400), says("Looks good to me."), yes]);
  expect(asked.length).toBe(3);
  expect(reportIn(ended)).toMatchObject({ status: "delivered", reasons: [] });
});

const nonsense = says("Looks good to me, it passes.");

test("a judge that never gives a verdict keeps the session waiting, and resume asks it again", async () => {
  const { world, ended, asked } = await judgedBy([nonsense, nonsense, nonsense, yes]);
  const report = reportIn(ended);
  expect(asked.length).toBe(3);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "waits", state: "executing", delivery: null });
  expect(report.reasons[0]).toMatch(
    /^the judge of ST-01 gave no answer that counts: inconclusive, asked 3 times: jan gave no answer that can be read.*; sworn resume asks again$/,
  );
  const last = await resumed(world);
  expect(asked.length).toBe(4);
  expect(last).toMatchObject({ status: "delivered", rounds: 0 });
  // What the worker left is still there, and was judged; nobody worked again.
  const work = JSON.parse(
    world.file(`.sworn/work/${last?.works[0]?.work}/report.json`),
  ) as WorkReport;
  expect(work.subtasks[0]?.tries.map(({ status }) => status)).toEqual(["proven"]);
  for (const command of last?.verify ?? []) {
    expect((await world.run(command.split(" ").slice(1))).code, command).toBe(0);
  }
});

test("what a worker said that was not so is told of, also where a judge had to be asked again", async () => {
  const { world } = await judgedBy([nonsense, nonsense, nonsense, yes], (own) =>
    own.replace(
      "argv: [node, tools/pager.mjs]",
      "argv: [sh, -c, \"node tools/pager.mjs; echo 'All tests pass.'\"]",
    ),
  );
  const last = await resumed(world);
  expect(last).toMatchObject({ status: "delivered" });
  expect(last?.unproven).toContain(
    'ST-01: its worker said "All tests pass.": no test was run: no process was a test runner',
  );
});

test("an answer in prose is judged once a judge is heard, and not asked for again", async () => {
  const program = [
    'import { page } from "./tools/slug-files.mjs";',
    'const told = (path, text) => console.log("`" + path + "`:\\n\\n```\\n" + text + "```\\n");',
    'told("docs/slugs.md", page("src/slug.js", "-"));',
    'told("output.json", JSON.stringify({ path: "docs/slugs.md" }) + "\\n");',
  ].join(" ");
  const argv = JSON.stringify(["node", "--input-type=module", "-e", program]);
  const { world, ended } = await judgedBy([nonsense, nonsense, nonsense, yes], (own) =>
    own.replace("argv: [node, tools/pager.mjs]", () => `argv: ${argv}`),
  );
  expect(reportIn(ended)).toMatchObject({ status: "waits", state: "executing" });
  const last = await resumed(world);
  expect(last).toMatchObject({ status: "delivered", rounds: 0 });
  const [work] = last?.works ?? [];
  const { subtasks } = JSON.parse(
    world.file(`.sworn/work/${work?.work}/report.json`),
  ) as WorkReport;
  expect(subtasks[0]?.tries.map(({ status }) => status)).toEqual(["proven"]);
});

/** A program of the example in a seat, and none that answers in its place. */
const silent = "{ driver: command, argv: [sh, -c, 'exit 7'] }";
/** Answers what it is asked about the plan, and nothing about the claims. */
const halfCritic = saying({
  reviews: ["ST-01", "ST-02"].map((proposal) => ({
    ...{ proposal, status: "approved", risk: "low", rationale: "Fine." },
  })),
});

test.each([
  ["auditor", "ada", silent, "auditing", "the auditor gave no answer that counts: inconclusive"],
  ["critic", "cleo", halfCritic, "claiming", "inconclusive, asked 3 times: cleo gave no answer"],
  ["reviewer", "rita", silent, "executing", "the reviewer gave no answer that counts"],
])(
  "a silent %s keeps the session waiting, and nobody works again for it",
  async (_, name, agent, state, why) => {
    const settings = (own: string) =>
      own
        .replace("agents:", `agents:\n  rita: ${saying({ verdict: "accept", reasons: [] })}`)
        .replace("roles: {", "roles: { reviewer: rita,");
    const world = new SessionWorld(settings);
    const before = world.file("sworn.yaml");
    world.project.write(
      "sworn.yaml",
      before.replace(new RegExp(`^ {2}${name}: .*$`, "m"), `  ${name}: ${agent}`),
    );
    const ended = await world.run(["run", "--plan", PLAN, "--profile", "team"]);
    const report = reportIn(ended);
    expect(ended.code).toBe(3);
    expect(report).toMatchObject({ status: "waits", state, rounds: 0, delivery: null });
    expect(report.reasons[0]).toContain(why);
    expect(report.reasons.join("; ")).toContain("sworn resume asks again");
    expect(await resumed(world)).toMatchObject({ status: "waits", state, rounds: 0 });
    world.project.write("sworn.yaml", before);
    const last = await resumed(world);
    expect(last).toMatchObject({ status: "delivered", rounds: 0 });
    expect(last?.works.length).toBe(1);
  },
);

test("a work by itself stays open where its judge is silent", async () => {
  const world = new SessionWorld((own) =>
    own.replace("agents:", `agents:\n  jan: ${silent}`).replace("roles: {", "roles: { judge: jan,"),
  );
  const plan = JSON.parse(readFileSync(join(dirname(PLAN), "page.json"), "utf8")) as {
    subtasks: { proofs: object[] }[];
  };
  plan.subtasks[0]?.proofs.push({ kind: "judge", criterion: CONDITION });
  const path = world.write("judged.json", JSON.stringify(plan));
  const ended = await world.run(["work", path, "--agent", "pager"]);
  expect(ended.code).toBe(1);
  expect(JSON.parse(ended.out)).toMatchObject({
    status: "open",
    reason: expect.stringContaining("the judge of ST-01 gave no answer that counts"),
  });
  const again = JSON.parse((await world.run(["resume"])).out) as { works: WorkReport[] };
  expect(again.works).toMatchObject([{ status: "open" }]);
});
