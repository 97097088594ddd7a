import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLAN, reportIn, SessionWorld } from "./session-world.ts";

const LISTED = "deliver: { kept: { kind: branch, prefix: kept/ } }\n";
const tracesOf = async (world: SessionWorld) =>
  (JSON.parse((await world.run(["trace", "ls"])).out) as { traces: unknown[] }).traces;

test("a place that is not listed is refused before anything is recorded", async () => {
  const world = new SessionWorld();
  const ended = await world.run([...world.quick(), "--to", "nowhere"]);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain("nowhere is not listed under deliver in sworn.yaml");
  expect(await tracesOf(world)).toEqual([]);
});

test.each(["run", "work"])(
  "sworn %s says what to do where nothing was committed yet",
  async (verb) => {
    const world = new SessionWorld();
    world.project.git("update-ref", "-d", "HEAD");
    const ended = await world.run(verb === "run" ? world.quick() : ["work", PLAN]);
    expect(ended.code).toBe(2);
    expect(ended.said).toContain(
      "the repository has no commits yet; work begins with a commit: git add -A && git commit -m begin, then try again",
    );
  },
);

test.each([
  ["run", "sworn"],
  ["work", "sworn/work"],
])(
  "sworn %s says that a branch called %s is in the way, before anybody works",
  async (verb, name) => {
    const world = new SessionWorld();
    world.project.git("branch", name);
    const ended = await world.run(verb === "run" ? world.quick() : ["work", PLAN]);
    expect(ended.code).toBe(3);
    expect(ended.said).toContain(`give it another name: git branch -m ${name} <name>`);
    expect(await tracesOf(world)).toEqual([]);
  },
);

test("what holds a secret, or is too long to be planned, is refused before anything is recorded", async () => {
  const world = new SessionWorld((own) => own.replace("roles: {", "roles: { planner: pager,"));
  const token = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL3nR6"}`;
  const plan = world.write("plan.json", readFileSync(PLAN, "utf8").replace("Titles", token));
  for (const args of [[`Push with ${token}`], ["--plan", plan]]) {
    const ended = await world.run(["run", ...args]);
    expect(ended.code).toBe(2);
    expect(ended.said).toContain("holds what looks like a secret (github-token); take it out");
    expect(ended.said + ended.out).not.toContain(token);
  }
  const long = await world.run(["run", "a ".repeat(30_000)]);
  expect(long.said).toContain("the request has 60000 letters, expected at most 50000");
  expect(await tracesOf(world)).toEqual([]);
});

test("an agent that nobody knows is refused before anything is recorded, in every seat", async () => {
  const world = new SessionWorld();
  const path = join(world.project.path, "sworn.yaml");
  const settings = readFileSync(path, "utf8");
  const refused = async (...args: string[]) => {
    const ended = await world.run([...world.quick(), ...args]);
    expect(ended.code).toBe(2);
    return ended.said;
  };
  expect(await refused("--agent", "nobody")).toContain('there is no agent "nobody"');
  for (const [from, to] of [
    ["victor] }", "voter9] }"],
    ["roles: {", "roles: { judge: judge9,"],
  ] as const) {
    writeFileSync(path, settings.replace(from, to));
    expect(await refused()).toMatch(/there is no agent "(?:voter9|judge9)"/);
  }
  expect(await tracesOf(world)).toEqual([]);
});

test("a session whose delivery is refused can be called off, and nothing is left of it to resume", async () => {
  const world = new SessionWorld((own) => own + LISTED);
  const waiting = await world.run([...world.quick(), "--to", "kept"], {
    says: "mechanical",
    act: () => world.project.exchange("sworn.yaml", world.file("sworn.yaml").replace(LISTED, "")),
  });
  expect(waiting.said).toContain("plan: 1 proposal, ");
  const { session, status, state, reasons } = reportIn(waiting);
  expect([status, state]).toEqual(["waits", "completed"]);
  expect(reasons.at(-1)).toBe(`sworn cancel ${session} gives the delivery up`);
  const sessions = async () => {
    const { out } = await world.run(["status"]);
    return (JSON.parse(out) as { sessions: { open: number; completed: number } }).sessions;
  };
  expect(await sessions()).toMatchObject({ open: 1 });
  expect((await world.run(["resume"])).code).toBe(3);
  expect((await world.run(["cancel", session])).code).toBe(0);
  expect(await sessions()).toMatchObject({ open: 0 });
  const after = await world.run(["resume"]);
  expect([after.code, JSON.parse(after.out)]).toMatchObject([0, { sessions: [], stuck: [] }]);
  const { items } = JSON.parse((await world.run(["status"])).out) as { items: { kind: string }[] };
  expect(items.filter(({ kind }) => kind === "delivery" || kind === "session")).toEqual([]);
  expect((await world.run(["cancel", session])).said).toContain("has come to its end");
});
