import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../../src/flow/place.ts";
import { readTrace, sessionOf } from "../../../src/flow/trace/look.ts";
import type { SessionReport } from "../../../src/schema/session-report.ts";
import { sworn } from "../../fake/child.ts";
import { verifies } from "../../verifies.ts";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

/** From the first proposal to the delivery: one place in every state of the session. */
const PLACES = [
  "plan: 2 proposals",
  "ST-02: approved",
  "ST-01: is being proven",
  "work: completed",
  "audit: pass",
  "sworn: votes green",
  "voter-2: votes green",
  "deliver: packed",
];

/** Where the record of the world's only session stands, and who took its lead, in order. */
function recordOf({ project: { path, home } }: SessionWorld) {
  const place = new Place({ store: join(path, ".sworn"), state: join(home, "state") });
  const [id = ""] = readdirSync(join(path, ".sworn/session"));
  const trace = `trace_${id.toUpperCase()}`;
  const takings = readTrace(place, trace).flatMap(({ type, body }) =>
    type === "lease_taken" ? [{ holder: body.holder, until: body.until_beat }] : [],
  );
  return { state: sessionOf(place, trace).session.state, takings };
}

verifies(
  "002-44",
  "a session that is killed in every state goes on, and does nothing twice that was finished",
  async () => {
    const world = new SessionWorld();
    const [first = "", ...rest] = PLACES;
    const begun = await world.killed(["run", "--plan", PLAN, "--profile", "team"], first);
    const ends = [begun];
    const states = [recordOf(world).state];
    for (const place of rest) {
      ends.push(await world.killed(["resume"], place));
      states.push(recordOf(world).state);
    }
    // What it said stands in the message where one of them came to its end before it was killed.
    expect(ends.map(({ code, said, out }) => (code === null ? "" : said + out))).toEqual(
      PLACES.map(() => ""),
    );
    const last = await world.run(["resume"]);
    const { sessions } = JSON.parse(last.out) as { sessions: SessionReport[] };
    const [report] = sessions;
    expect(last.code).toBe(0);
    expect(sessions.length).toBe(1);
    expect(report).toMatchObject({ status: "delivered", rounds: 0, agreed: "votes" });
    // One plan, one work, one audit, one vote of each.
    expect(report?.works.length).toBe(1);
    expect(report?.proposals.length).toBe(2);
    expect(report?.audits.length).toBe(1);
    expect(report?.votes.map(({ agent }) => agent)).toEqual(["sworn", "voter-1", "voter-2"]);
    // Whoever finds the session open leads it. What is agreed on needs no leader to be delivered, so
    // that the last process, which finds it completed, takes no lead.
    expect(states.at(-1)).toBe("completed");
    const open = states.filter((state) => state !== "completed").length;
    const { takings } = recordOf(world);
    expect(new Set(takings.map(({ holder }) => holder)).size).toBe(1 + open);
    // The number counts takings: one of each, and another only where a beat ended under it.
    expect(report?.leader?.number).toBe(takings.length);
    const beats = takings.map(({ holder, until }) => `${holder} through ${until}`);
    expect(new Set(beats).size).toBe(takings.length);
    const branches = world.project.git("branch", "--list", "sworn/delivered/*");
    expect(branches.split("\n").length).toBe(1);
    expect((await world.run(["verify", report?.trace ?? ""])).code).toBe(0);
  },
);

test("a session that is killed before its first step is gone on with", async () => {
  const world = new SessionWorld();
  await world.killed(world.quick(), "session: is called");
  const last = JSON.parse((await world.run(["resume"])).out) as { sessions: SessionReport[] };
  expect(last.sessions).toMatchObject([{ status: "delivered" }]);
});

test("what was agreed on and not handed over waits to be, also where nobody voted", async () => {
  const world = new SessionWorld();
  const statusNow = async () => JSON.parse((await world.run(["status"])).out) as object;
  await world.killed(world.quick(), "deliver: packed");
  const gap = { kind: "session", urgency: "unproven", state: "not proven" };
  expect(await statusNow()).toMatchObject({
    items: [
      { kind: "session", urgency: "blocked", state: "not delivered", next: "sworn resume" },
      gap,
    ],
    sessions: { open: 1 },
  });
  expect((await world.run(["resume"])).code).toBe(0);
  expect(await statusNow()).toMatchObject({ items: [gap], sessions: { open: 0 } });
});

test("a session that an operator cancels is aborted, keeps what was done, and is not gone on with", async () => {
  const world = new SessionWorld();
  const { path: project, home } = world.project;
  const here = { project, state: join(home, "state") };
  let asked: ReturnType<typeof sworn> | undefined;
  const ended = await world.run(["run", "--plan", PLAN], {
    says: "ST-01: is being proven",
    act: (_, said) => {
      asked = sworn(here, ["cancel", /is called (\w+)/.exec(said)?.[1] ?? ""]);
    },
  });
  // It has not ended yet when that is said.
  expect((await asked)?.out).toMatch(/^Session \w+ was asked to end; what is done stays\.\n$/);
  const report = reportIn(ended);
  expect(ended.code).toBe(3);
  expect(report).toMatchObject({ status: "aborted", state: "aborted", delivery: null });
  // Nobody is sent to go on with it.
  expect(report.reasons).toEqual(["the operator called it off"]);
  const again = JSON.parse((await world.run(["resume"])).out) as object;
  expect(again).toMatchObject({ sessions: [], works: [] });
  expect((await world.run(["cancel", report.session])).code).toBe(2);
  // Nor does its work wait for anybody any more.
  const status = JSON.parse((await world.run(["status"])).out) as { items: { kind: string }[] };
  expect(status.items.filter(({ kind }) => kind === "work" || kind === "session")).toEqual([]);
});

test("Ctrl-C leaves a session open with all its work, and resume goes on with it", async () => {
  const world = new SessionWorld();
  const ended = await world.run(world.quick(), {
    says: "ST-01: is being proven",
    act: (child) => void child.kill("SIGINT"),
  });
  const report = reportIn(ended);
  expect(ended.code).toBe(1);
  expect(report.status).toBe("open");
  const last = JSON.parse((await world.run(["resume"])).out) as { sessions: SessionReport[] };
  expect(last.sessions[0]).toMatchObject({ session: report.session, status: "delivered" });
  expect(last.sessions[0]?.works[0]?.work).toBe(report.works[0]?.work);
});

test("a report that is stale, forged or damaged skips no delivery", async () => {
  const world = new SessionWorld();
  const older = reportIn(await world.run(world.quick()));
  expect(older.status).toBe("delivered");
  const folder = join(world.project.path, ".sworn/session");
  const branches = () => world.project.git("branch", "--list", "sworn/delivered/*").split("\n");
  await world.killed(world.quick(), "deliver: packed");
  const [id = ""] = readdirSync(folder).filter((one) => one !== older.session);
  const rehearsed = { ...older.delivery, status: "planned", trace: null };
  const forged = [JSON.stringify({ ...older, delivery: rehearsed }), "{", JSON.stringify(older)];
  for (const text of forged) {
    writeFileSync(join(folder, id, "report.json"), text);
    const { items } = JSON.parse((await world.run(["status"])).out) as { items: object[] };
    expect(items).toContainEqual(expect.objectContaining({ name: id, state: "not delivered" }));
  }
  expect(branches().length).toBe(1);
  const last = JSON.parse((await world.run(["resume"])).out) as { sessions: SessionReport[] };
  expect(last.sessions).toMatchObject([{ session: id, status: "delivered" }]);
  expect(branches().length).toBe(2);
});
