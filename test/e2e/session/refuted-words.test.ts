import { expect, test } from "vitest";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

test("what a worker said that was not so is in the session's report, although its work is proven", async () => {
  const argv = ["sh", "-c", "node tools/pager.mjs; echo 'All tests pass.'"];
  const world = new SessionWorld((own) =>
    own.replace("argv: [node, tools/pager.mjs]", `argv: ${JSON.stringify(argv)}`),
  );
  const report = reportIn(await world.run(world.quick()));
  expect(report.status).toBe("delivered");
  expect(report.unproven).toContain(
    'ST-01: its worker said "All tests pass.": no test was run: no process was a test runner',
  );
  const { items } = JSON.parse((await world.run(["status"])).out) as { items: object[] };
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ urgency: "unproven", kind: "session", name: report.session, state: "not proven" },
      ...{ about: report.unproven.join("; "), next: `sworn verify ${report.trace}` },
    }),
  );
});

test("what a worker said of work that a rework keeps stays in the report as well", async () => {
  const world = new SessionWorld();
  const args = ["run", "--plan", PLAN, "--profile", "team", "--agent", "hasty"];
  const report = reportIn(await world.run(args));
  expect(report).toMatchObject({ status: "delivered", rounds: 1 });
  const told = report.unproven.filter((one) => one.includes('its worker said "All tests pass."'));
  expect(told.map((one) => one.slice(0, 5))).toEqual(["ST-01", "ST-02"]);
});
