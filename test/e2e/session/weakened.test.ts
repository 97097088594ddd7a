import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { WorkReport } from "../../../src/schema/work.ts";
import { membersOf } from "../../flow/deliver/task/delivery-world.ts";
import { reportIn, SessionWorld } from "./session-world.ts";

const PAGE = resolve(import.meta.dirname, "../../../examples/run/page.json");
/** Takes the assertion out of a test that was there, beside the page that it was asked for. */
const GUTS =
  "node tools/pager.mjs; sed -i '/Hello World/s/assert.*/void wordsOf;/' test/words.test.js";
const WORDS = /^1 test was weakened: ST-01: test\/words\.test\.js:\d+: .*had 1 assertion before/;

test("who works alone is told to the end that a test demands nothing any more", async () => {
  const world = new SessionWorld((own) =>
    own.replace("argv: [node, tools/pager.mjs]", `argv: ${JSON.stringify(["sh", "-c", GUTS])}`),
  );
  const plan = readFileSync(PAGE, "utf8").replace(
    '"files": ["docs/"]',
    '"files": ["docs/", "test/"]',
  );
  const args = ["run", "--plan", world.write("plan.json", plan), "--agent", "pager"];
  const report = reportIn(await world.run(args));
  expect(report).toMatchObject({ status: "delivered" });
  const { work = "", trace = "" } = report.works[0] ?? {};
  const pages = [
    world.file(`.sworn/session/${report.session}/report.md`),
    membersOf(report.delivery?.packet ?? "")
      .get("PACKET.md")
      ?.toString() ?? "",
  ];
  for (const page of pages) {
    expect(page.split("\n").map((line) => line.replace(/^- /, ""))).toContainEqual(
      expect.stringMatching(WORDS),
    );
  }
  const own = world.file(`.sworn/work/${work}/report.md`);
  expect(own).toMatch(/## Weakened tests\n\n- ST-01: test\/words\.test\.js:\d+: /);
  expect(report.weakened).toEqual([expect.stringMatching(/^ST-01: test\/words\.test\.js:\d+: /)]);
  const kept = JSON.parse(world.file(`.sworn/work/${work}/report.json`)) as WorkReport;
  expect(kept.subtasks[0]?.tries[0]?.weakened).toHaveLength(1);
  expect((await world.run(["verify", trace])).code).toBe(0);
  expect((await world.run(["verify", report.delivery?.packet ?? ""])).code).toBe(0);
});
