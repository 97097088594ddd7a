import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLAN, SessionWorld } from "./session-world.ts";

const withRoles = (roles: string) => (own: string) =>
  own.replace(/^roles: .*$/m, `roles: ${roles}`);

test.each([
  ["run", ["run", "--plan", PLAN]],
  ["work", ["work", PLAN]],
])("sworn %s in team refuses before it starts where no quorum can be reached", async (_, args) => {
  const world = new SessionWorld(withRoles("{ worker: builder }"));
  const ended = await world.run([...args, "--profile", "team"]);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain(
    "the profile team needs a quorum of votes, which nobody here could reach: beside the runtime's own check and you it lacks 1 more vote; expected in sworn.yaml roles: { voters: [<name>, <name>] }",
  );
  expect(existsSync(join(world.project.path, ".sworn/traces"))).toBe(false);
});

test("whoever works has no vote on it, and a voter has to be somebody", async () => {
  const own = new SessionWorld(withRoles("{ worker: builder, critic: builder }"));
  const alone = await own.run(["work", PLAN, "--profile", "strict"]);
  expect(alone.said).toContain("the profile strict needs a quorum of votes");
  const world = new SessionWorld(withRoles("{ worker: builder, critic: ghost }"));
  const nobody = await world.run(["work", PLAN, "--profile", "team"]);
  expect(nobody.code).toBe(2);
  expect(nobody.said).toContain('there is no agent "ghost"');
});

test.each([
  ["run", "worker: ghost", ["run", "--plan", PLAN]],
  ["work", "worker: ghost", ["work", PLAN]],
  ["work", "worker: builder, reviewer: ghost", ["work", PLAN]],
  ["plan", "planner: ghost", ["plan", "Titles need an address"]],
])("sworn %s does not start where %s is nobody", async (_, roles, args) => {
  const world = new SessionWorld(withRoles(`{ ${roles} }`));
  const ended = await world.run(args);
  expect(ended.code).toBe(2);
  expect(ended.said).toContain('there is no agent "ghost"');
  expect(existsSync(join(world.project.path, ".sworn/traces"))).toBe(false);
});
