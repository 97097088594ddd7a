import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../../src/flow/place.ts";
import { endWork } from "../../../src/flow/work/end-work.ts";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { SessionWorld } from "./session-world.ts";

test("a report of the work that is missing or broken is named, with what can be done", async () => {
  const world = new SessionWorld();
  const { path, home } = world.project;
  await world.killed(world.quick(), "ST-01: is being proven");
  const [work = ""] = readdirSync(join(path, ".sworn/work"));
  const [session = ""] = readdirSync(join(path, ".sworn/session"));
  // As if it was killed between the last entry of the work and its report.
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  await endWork(place, work, "it ended");
  const reasons = async () => {
    const ended = await world.run(["resume"]);
    expect(ended.code).toBe(3);
    return (JSON.parse(ended.out) as { sessions: SessionReport[] }).sessions[0]?.reasons ?? [];
  };
  const next = `put the file back as it was, then sworn resume; or sworn cancel ${session} ends it, and all that was done stays on record`;
  const report = `.sworn/work/${work}/report.json`;
  const about = async (why: RegExp) => {
    const [first, second] = await reasons();
    expect(first).toMatch(why);
    expect(first).toContain(report);
    expect([first?.includes("\n"), second]).toEqual([false, next]);
  };
  await about(/^the report of the work is missing: /);
  mkdirSync(join(path, ".sworn/work", work), { recursive: true });
  writeFileSync(join(path, report), '{"version":1,"status":"great"}');
  await about(
    /^the report of the work cannot be read: .*report\.json: work is missing \(expected text\); /,
  );
  writeFileSync(join(path, report), "{");
  await about(/^the report of the work cannot be read: /);
  expect((await world.run(["cancel", session])).code).toBe(0);
});
