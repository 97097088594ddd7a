import { join } from "node:path";
import { expect, test } from "vitest";
import { says, serve } from "../../agent/inside/scripted-service.ts";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

test("voters whose models are of one family are told of, in the report and in the review", async () => {
  const vote = { vote: "green", rationale: "It names its limits.", evidence: ["docs/slugs.md:1"] };
  const { endpoint } = await serve([says(JSON.stringify(vote)), says(JSON.stringify(vote))]);
  const model = (name: string) =>
    `{ driver: model, provider: compatible, model: ${name}, endpoint: "${endpoint}", key_env: SWORN_AGENT_KEY }`;
  const world = new SessionWorld((own) =>
    own
      .replace(/^ {2}vera: .*$/m, `  vera: ${model("oak-large-2")}`)
      .replace(/^ {2}victor: .*$/m, `  victor: ${model("oak-mini")}`),
  );
  world.env["SWORN_AGENT_KEY"] = "sk-real-0123456789";
  const ended = await world.run(["run", "--plan", PLAN, "--profile", "team"]);
  const report = reportIn(ended);
  expect([report.status, report.reasons]).toEqual(["delivered", []]);
  const seats = report.seats.filter(({ agent }) => agent.startsWith("voter-"));
  expect(seats.map(({ by, family }) => [by, family])).toEqual([
    ["vera", "oak"],
    ["victor", "oak"],
  ]);
  expect(new Set(report.seats.map(({ key }) => key)).size).toBe(report.seats.length);
  const said = "voter-2 (victor) is of the family of voter-1 (vera): oak";
  expect(report.shared).toEqual([said]);
  const page = world.file(join(".sworn/session", report.session, "report.md"));
  expect(page).toContain(`- ${said}\n`);
  expect(page).toMatch(/^- voter-1 \(critic\): vera, models of the family oak, key \w{12}$/m);

  const reviewed = await world.run(["status", "--review", "--trace", report.trace]);
  const note = "voter-2 is of the family of voter-1: oak";
  expect(JSON.parse(reviewed.out)).toMatchObject({ reviews: [{ notes: [note] }] });
  expect(reviewed.said).toContain(note);
});
