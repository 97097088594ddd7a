import { expect, test } from "vitest";
import { reportIn, SessionWorld } from "./session-world.ts";

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
});
