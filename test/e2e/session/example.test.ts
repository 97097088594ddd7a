import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../../verifies.ts";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

verifies(
  "004-91",
  "a task goes through every seat, under one leader, to a branch that was agreed on",
  async () => {
    const world = new SessionWorld();
    const { project } = world;
    const before = project.git("rev-parse", "HEAD");
    const ended = await world.run(["run", "--plan", PLAN, "--profile", "team"]);
    expect(ended.said + ended.out).toContain("consensus");
    expect(ended.code).toBe(0);
    const report = reportIn(ended);
    expect(report).toMatchObject({
      status: "delivered",
      state: "completed",
      rounds: 0,
      agreed: "votes",
      unproven: [],
      shared: [],
      leader: { number: 1 },
    });
    expect(report.votes.map(({ agent, role, vote }) => `${agent} ${role} ${vote}`)).toEqual([
      "sworn runtime green",
      "voter-1 critic green",
      "voter-2 critic green",
    ]);
    expect(report.done.every(({ state }) => state === "done")).toBe(true);
    expect(report.proposals.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "st-01 approved",
      "st-02 approved",
    ]);
    // Each seat has a key of its own.
    expect(new Set(report.seats.map(({ key }) => key)).size).toBe(report.seats.length);
    const branch = report.delivery?.where.replace("branch ", "") ?? "";
    expect(project.git("show", `${branch}:src/slug.js`)).toContain("wordsOf(title).join");
    // The branch that somebody has checked out, and its files, are as they were.
    expect(project.git("rev-parse", "HEAD")).toBe(before);
    expect(project.git("status", "--porcelain", "--untracked-files=all")).toBe("");
    for (const one of [report.trace, report.works[0]?.trace ?? "", report.delivery?.packet ?? ""]) {
      expect((await world.run(["verify", one])).code).toBe(0);
    }
    expect(world.file(join(".sworn/session", report.session, "report.md"))).toContain(
      "## Who agreed\n\n- agreed by votes",
    );
    // What was delivered is not delivered again.
    const again = await world.run(["resume"]);
    expect(JSON.parse(again.out)).toMatchObject({ sessions: [], works: [], recovered: [] });
  },
);

verifies(
  "002-33",
  "a result that is faked so that every proof passes is refused, and nothing is delivered",
  async () => {
    const world = new SessionWorld();
    const args = ["run", "--plan", PLAN, "--profile", "strict", "--agent", "liar"];
    const ended = await world.run(args);
    const report = reportIn(ended);
    expect(ended.code).toBe(3);
    expect(report).toMatchObject({ status: "failed", state: "failed", agreed: "no", rounds: 1 });
    expect(report.reasons).toEqual([
      'src/slug.js returns a fixed answer: return "hello-big-world";',
    ]);
    expect(report.works.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(report.delivery).toBeNull();
    expect(world.project.git("branch", "--list", "sworn/delivered/*")).toBe("");
    expect((await world.run(["verify", report.trace])).code).toBe(0);
  },
);
