import { cpSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { reportIn, SessionWorld, saying } from "./session-world.ts";

const EXAMPLES = resolve(import.meta.dirname, "../../../examples");
const REQUEST =
  'addOrder takes an order without items. It has to refuse an empty list with the error "an order needs an item". Nothing else changes, and the size of a list is not limited. In production, asking for such an order answers 404.';

/** Does what the plan of the example asks for. */
const WORKER = `
import { readFileSync } from "node:fs";
import { deliver, write } from "./order.mjs";
const file = "examples/review/after/src/orders.js";
const check = '  if (items.length === 0) throw new Error("an order needs an item");\\n';
write(file, readFileSync(file, "utf8").replace("  if (orders", check + "  if (orders"));
write("examples/review/after/test/orders.test.js", \`
const test = require("node:test");
const assert = require("node:assert");
const { addOrder, orders } = require("../src/orders.js");
test("test_an_order_without_items_is_refused", () => {
  assert.throws(() => addOrder(7, []), /an order needs an item/);
  assert.equal(orders.has(7), false);
});
\`);
deliver({ message: "an order needs an item" });
console.log("FLAW: none");
`;

/** A shop whose orders may be empty, and who puts that right. */
function shop(): SessionWorld {
  const judge = saying({
    points: 95,
    pass: true,
    reason: "the error is the one that is asked for",
  });
  const world = new SessionWorld(
    () =>
      `agents:
  thinker: { driver: command, argv: [node, examples/planner/planner.mjs], limits: { seconds: 60 } }
  builder: { driver: command, argv: [node, tools/shop.mjs] }
  judge: ${judge}
roles: { planner: thinker, worker: builder, judge: judge }
work: { tests: [node, --test, examples/review/after/test/] }
`,
  );
  const { path } = world.project;
  cpSync(join(EXAMPLES, "planner"), join(path, "examples/planner"), { recursive: true });
  cpSync(join(EXAMPLES, "review/after"), join(path, "examples/review/after"), { recursive: true });
  cpSync(join(EXAMPLES, "work/project/tools/order.mjs"), join(path, "tools/order.mjs"));
  writeFileSync(join(path, "tools/shop.mjs"), WORKER);
  world.project.commit();
  return world;
}

test("from a sentence: a planner's plan is worked on, proven, and delivered on a branch", async () => {
  const world = shop();
  const ended = await world.run(["run", REQUEST]);
  const report = reportIn(ended);
  expect([ended.code, report.status, report.reasons]).toEqual([0, "delivered", []]);
  const [branch = ""] = /sworn\/delivered\/\w+/.exec(ended.out) ?? [];
  const orders = world.project.git("show", `${branch}:examples/review/after/src/orders.js`);
  expect(orders).toContain("an order needs an item");
  expect(report.planning).not.toBeNull();
}, 120_000);

test("a session that is killed while it plans goes on with that itself, from its own commit", async () => {
  const world = shop();
  await world.killed(["run", REQUEST], "phase 2");
  const start = world.project.git("rev-parse", "HEAD");
  world.project.commit({ "later.txt": "Nobody planned from this.\n" });
  const ended = await world.run(["resume"]);
  const { sessions } = JSON.parse(ended.out) as { sessions: SessionReport[] };
  expect(sessions).toMatchObject([{ status: "delivered" }]);
  // All that is left of the planning is asked for once, and by the session.
  expect(ended.said.match(/phase 3, graph/g)).toHaveLength(1);
  expect(ended.said).toContain("plan: phase 3, graph");
  const { commit } = JSON.parse(
    world.file(`.sworn/work/${sessions[0]?.works[0]?.work}/report.json`),
  ) as { commit: string };
  expect(world.project.git("merge-base", "HEAD", commit)).toBe(start);
}, 120_000);
