import { expect, test } from "vitest";
import { keyIdOf } from "../../src/base/index.ts";
import { type Event, linksOf } from "../../src/view/index.ts";
import { verifies } from "../verifies.ts";
import { worldIn } from "./way.ts";
import { freshKey, type World } from "./world.ts";

const MARA = { role: "operator" } as const;
const SWORN = { role: "runtime" } as const;
const joined = (more: object = {}) => ({
  agent: "nia",
  roles: ["executor"],
  ...freshKey(),
  ...more,
});
const join = (world: World, more: object) => world.ask("agent_enrolled", joined(more), MARA)?.rule;

test("an agent that joins later acts with its own key", () => {
  const world = worldIn("planning");
  world.take("agent_enrolled", joined(), SWORN);
  const nia = { role: "executor", agent: "nia" } as const;
  expect(world.ask("message_posted", { text: "t" }, nia)).toBeUndefined();
  expect(world.ask("message_posted", { text: "t" }, { ...nia, role: "critic" })?.rule).toBe(
    "ROLE_GUARD",
  );
  const key = world.session.agents.get("eli")?.key ?? "";
  expect(world.ask("message_posted", { text: "t" }, { ...nia, key })?.rule).toBe("KEY_GUARD");
});

test("joining gives nobody a second key, more roles, or a role that is settled", () => {
  const world = worldIn("planning");
  expect(join(world, {})).toBeUndefined();
  for (const agent of ["eli", "sworn", "mara"]) {
    expect(join(world, { agent })).toBe("IDENTITY_GUARD");
  }
  world.take("agent_enrolled", joined(), MARA);
  expect(join(world, { roles: ["critic"] })).toBe("IDENTITY_GUARD");
  expect(join(world, { agent: "max", roles: ["executor", "operator"] })).toBe("ROLE_GUARD");
  expect(join(world, { agent: "max", roles: ["runtime"] })).toBe("ROLE_GUARD");
});

test("whoever joins brings a key that is nobody's, usable, and under its own id", () => {
  const world = worldIn("planning");
  const [key, eli] = [...world.session.keys].find(([, { agent }]) => agent === "eli") ?? [];
  expect(join(world, { key, public: eli?.public })).toBe("KEY_GUARD");
  expect(join(world, { key: "0".repeat(32) })).toBe("KEY_GUARD");
  // The identity of the curve: one signature of this key fits every message.
  const everybody = Buffer.from([1, ...new Array<number>(31).fill(0)]).toString("base64");
  expect(join(world, { key: keyIdOf(everybody), public: everybody })).toBe("KEY_GUARD");
});

const start = (run_id: string, more: object = {}) => ({ run_id, agent: "eli", depth: 0, ...more });
const begin = (world: World, more: object) =>
  world.ask("run_started", start("r9", more), SWORN)?.rule;
const end = (world: World, more: object) =>
  world.ask("run_completed", { run_id: "r1", status: "completed", ...more }, SWORN)?.rule;

verifies("003-21", "a run begins once and ends once, in the runtime's words alone", () => {
  const world = worldIn("planning");
  expect(end(world, {})).toBe("ORDER_GUARD");
  world.take("run_started", start("r1"), SWORN);
  expect(world.ask("run_started", start("r1"), SWORN)?.rule).toBe("IDENTITY_GUARD");
  for (const role of ["planner", "executor", "operator"] as const) {
    expect(world.ask("run_started", start("r2"), { role })?.rule).toBe("ROLE_GUARD");
    expect(world.ask("run_completed", { run_id: "r1", status: "failed" }, { role })?.rule).toBe(
      "ROLE_GUARD",
    );
  }
  expect(end(world, {})).toBeUndefined();
  world.take("run_completed", { run_id: "r1", status: "partial" }, SWORN);
  expect(end(world, {})).toBe("ORDER_GUARD");
});

verifies("003-45", "a run that exits with another code than 0 is not completed", () => {
  const world = worldIn("planning");
  world.take("run_started", start("r1"), SWORN);
  expect(end(world, { exit_code: 0 })).toBeUndefined();
  expect(end(world, { exit_code: 1 })).toBe("ACTION_GUARD");
  for (const status of ["failed", "cancelled", "partial"]) {
    expect(end(world, { status, exit_code: 1 })).toBeUndefined();
  }
});

test("a run is as deep as its parents say, which must be running", () => {
  const world = worldIn("planning");
  expect(begin(world, {})).toBeUndefined();
  expect(begin(world, { depth: 1 })).toBe("LIMIT_GUARD");
  expect(begin(world, { parent_run_id: "r1", depth: 1 })).toBe("ORDER_GUARD");
  expect(begin(world, { agent: "zoe" })).toBe("ORDER_GUARD");
  world.take("run_started", start("r1"), SWORN);
  expect(begin(world, { parent_run_id: "r1", depth: 1 })).toBeUndefined();
  expect(begin(world, { parent_run_id: "r1" })).toBe("LIMIT_GUARD");
  expect(begin(world, { previous_run_id: "r1" })).toBe("ORDER_GUARD");
  world.take("run_started", start("r2", { parent_run_id: "r1", depth: 1 }), SWORN);
  world.take("run_completed", { run_id: "r1", status: "failed" }, SWORN);
  expect(begin(world, { parent_run_id: "r1", depth: 1 })).toBe("ORDER_GUARD");
  const next = start("r3", { previous_run_id: "r1", parent_run_id: "r2", depth: 2 });
  const event = world.toEvent("run_started", next, SWORN) as Event<"run_started">;
  expect(linksOf(world.session, event)).toEqual([
    { seq: 2, kind: "child_of" },
    { seq: 1, kind: "retries" },
  ]);
});
