import { expect, test } from "vitest";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import type { WorkReport } from "../../../src/schema/work.ts";
import { PLAN, SessionWorld } from "./session-world.ts";

test("a rework redoes what the audit named and keeps the rest, also when it is killed meanwhile", async () => {
  const world = new SessionWorld();
  const args = ["run", "--plan", PLAN, "--profile", "team", "--agent", "hasty"];
  const killed = await world.killed(args, "ST-02: kept from");
  expect(killed.code).toBeNull();
  expect(killed.said).toContain("ST-01: begins with what the last work left");
  const ended = await world.run(["resume"]);
  const { sessions } = JSON.parse(ended.out) as { sessions: SessionReport[] };
  const [report] = sessions;
  expect([ended.code, report?.status, report?.rounds]).toEqual([0, "delivered", 1]);
  const [first, second] = (report?.works ?? []).map(
    ({ work }) => JSON.parse(world.file(`.sworn/work/${work}/report.json`)) as WorkReport,
  );
  const runsOf = (one: WorkReport | undefined, id: string) =>
    one?.subtasks.find((each) => each.id === id)?.tries.map(({ run }) => run) ?? [];
  // The page is the one that was there; the module is another worker's run.
  expect(runsOf(second, "ST-02").at(-1)).toBe(runsOf(first, "ST-02").at(-1));
  expect(runsOf(second, "ST-01")).not.toEqual(runsOf(first, "ST-01"));
  // All of it is proven again, in a record of its own.
  for (const { status, tries } of second?.subtasks ?? []) {
    expect(status).toBe("proven");
    expect(tries.at(-1)?.proofs.every(({ verdict }) => verdict === "pass")).toBe(true);
  }
  for (const command of report?.verify ?? []) {
    expect((await world.run(command.split(" ").slice(1))).code, command).toBe(0);
  }
});
