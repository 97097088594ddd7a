import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentFor, roleAgents, unknownAgents } from "../../../src/flow/agent/role-agents.ts";
import { choosePlanner } from "../../../src/flow/plan/planner/choose-planner.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";

/** A project whose file names these agents. */
function projectWith(roles: object): string {
  const root = temporaryFolder();
  const agents = {
    quick: { driver: "command", argv: ["true"] },
    careful: { driver: "command", argv: ["sh"] },
  };
  writeFileSync(join(root, "sworn.yaml"), JSON.stringify({ agents, roles }));
  return root;
}

verifies("004-4", "a role without an agent of its own falls to the default one", async () => {
  const root = projectWith({ default: "careful", worker: "quick" });
  expect(roleAgents(root)).toEqual([
    { role: "planner", agent: "careful", by: "default" },
    { role: "worker", agent: "quick", by: "name" },
    { role: "reviewer", agent: "careful", by: "default" },
    { role: "judge", agent: "careful", by: "default" },
  ]);
  const search = { root, env: { PATH: "/usr/bin:/bin" }, home: root };
  expect((await choosePlanner(undefined, search)).name).toBe("careful");
  expect((await choosePlanner("quick", search)).name).toBe("quick");
});

test("a default that does the work neither reviews nor judges it, unless its name says so", () => {
  const roles = { default: "quick" };
  expect(agentFor("worker", { roles })).toBe("quick");
  expect(agentFor("reviewer", { roles })).toBe(undefined);
  expect(agentFor("judge", { roles: { ...roles, judge: "quick" } })).toBe("quick");
  expect(agentFor("reviewer", { roles }, "careful")).toBe("quick");
  expect(agentFor("reviewer", { roles: { ...roles, worker: "careful" } }, "quick")).toBe(undefined);
  expect(agentFor("planner", {})).toBe(undefined);
});

test("whoever has a role and is nobody is found, in every role", () => {
  const roles = {
    worker: "ghost",
    critic: "careful",
    voters: ["quick", "nobody"],
    default: "codex",
  };
  expect(unknownAgents(projectWith(roles))).toEqual([
    { role: "worker", agent: "ghost" },
    { role: "voters", agent: "nobody" },
  ]);
  expect(unknownAgents(projectWith({}))).toEqual([]);
});
