import { expect, test } from "vitest";
import { refuse, type Step, says, serve } from "../../agent/inside/scripted-service.ts";
import { reportIn, SessionWorld, saying } from "./session-world.ts";

const CONDITION = "GIVEN the output WHEN it is read THEN it names docs/slugs.md";
const yes = says(JSON.stringify({ points: 100, pass: true, reason: "It names it." }));

/** A session whose critic asks for what only a judge can say, and whose judge answers like this. */
async function judgedBy(steps: readonly Step[]) {
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
    own
      .replace(/^ {2}cleo: .*$/m, `  cleo: ${cleo}`)
      .replace("agents:", `agents:\n  jan: ${jan}`)
      .replace("roles: {", "roles: { judge: jan,"),
  );
  world.env["SWORN_AGENT_KEY"] = "sk-real-0123456789";
  return { ended: await world.run(world.quick()), asked };
}

test("a judge that crashed and then talked nonsense is asked again, and its word counts", async () => {
  const { ended, asked } = await judgedBy([refuse(400), says("Looks good to me."), yes]);
  expect(asked.length).toBe(3);
  expect(reportIn(ended)).toMatchObject({ status: "delivered", reasons: [] });
});

test("a judge that never gives a verdict is inconclusive: the session ends, and is not done", async () => {
  const { ended, asked } = await judgedBy([says("Looks good to me, it passes.")]);
  const report = reportIn(ended);
  expect(asked.length).toBe(3);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "failed", state: "failed", delivery: null });
  expect(report.reasons.join("\n")).toContain(
    'the judge failed: "inconclusive, asked 3 times: jan gave no answer that can be read',
  );
});

test("an auditor whose word cannot be read is asked three times and has agreed to nothing", async () => {
  const world = new SessionWorld((own) =>
    own.replace(/^ {2}ada: .*$/m, `  ada: ${saying("All fine.")}`),
  );
  const report = reportIn(await world.run(world.quick()));
  expect(report).toMatchObject({ status: "failed", delivery: null });
  expect(report.reasons.join("\n")).toContain("inconclusive, asked 3 times: ada gave no answer");
});
