import { expect, test } from "vitest";
import { BEFORE, claim, verdict, worldIn } from "./way.ts";
import { artifactOf, initialization, type World } from "./world.ts";

const AUDITOR = { role: "auditor" } as const;
const also = (agent: string, role: string) => ({
  agents: initialization().agents.map((one) =>
    one.agent === agent ? { ...one, roles: [...one.roles, role] } : one,
  ),
});
const begin = (world: World, agent = "otto", id = "v1") =>
  world.ask("verification_run_started", { verification_id: id }, { role: "auditor", agent })?.rule;
const end = (world: World, more: object = {}, agent = "otto", texts = ["a report"]) =>
  world.ask(
    "verification_run_completed",
    { ...verdict(world, "pass"), ...more },
    { role: "auditor", agent, texts },
  )?.rule;
const start = (world: World) =>
  world.take("verification_run_started", { verification_id: "v1" }, AUDITOR);
const failRun = (world: World) => {
  start(world);
  world.take("verification_run_completed", verdict(world, "fail"), {
    ...AUDITOR,
    texts: ["a report"],
  });
};

test("there is nothing to verify where nothing was claimed", () => {
  const world = worldIn("claiming");
  world.session.claims.clear();
  expect(begin(world)).toBe("ORDER_GUARD");
});

test("one verification runs at a time", () => {
  const world = worldIn("auditing");
  start(world);
  expect(begin(world, "otto", "v2")).toBe("ORDER_GUARD");
});

test("after a failed audit comes a rework or the end, not another audit", () => {
  const world = worldIn("auditing");
  failRun(world);
  expect(begin(world, "otto", "v2")).toBe("ORDER_GUARD");
});

test.each(["ada", "eli"])("%s worked in this session and may not audit it", (agent) => {
  expect(begin(worldIn("auditing", also(agent, "auditor")), agent)).toBe("INDEPENDENCE_GUARD");
});

test("a reviewer may audit in solo, and in no other profile", () => {
  const world = worldIn("auditing", also("cleo", "auditor"));
  expect(begin(world, "cleo")).toBeUndefined();
  for (const profile of ["team", "strict"] as const) {
    world.session.profile = profile;
    expect(begin(world, "cleo")).toBe("INDEPENDENCE_GUARD");
  }
});

test("a verification ends as it was begun: its name, its auditor", () => {
  const world = worldIn("auditing", also("mara", "auditor"));
  expect(end(world)).toBe("ORDER_GUARD"); // none began
  start(world);
  expect(end(world, { verification_id: "v2" })).toBe("ORDER_GUARD");
  expect(end(world, {}, "mara")).toBe("ROLE_GUARD");
  expect(end(world)).toBeUndefined();
});

test("a verification stores its report and covers everything before it", () => {
  const world = worldIn("auditing");
  start(world);
  expect(end(world, {}, "otto", [])).toBe("EVIDENCE_GUARD");
  expect(end(world, { report: artifactOf("another").hash })).toBe("EVIDENCE_GUARD");
  expect(end(world, { size: world.session.size - 1 })).toBe("FINALIZATION_GUARD");
  expect(end(world, { size: world.session.size + 1 })).toBe("FINALIZATION_GUARD");
});

test("without a final statement a verification can only fail", () => {
  const world = worldIn("claiming");
  start(world);
  expect(end(world, { status: "pass" })).toBe("FINALIZATION_GUARD");
  expect(end(world, { status: "pass-with-warnings" })).toBe("FINALIZATION_GUARD");
  expect(end(world, { status: "fail" })).toBeUndefined();
});

test("a failed audit leads back to work while rounds remain, then the session has failed", () => {
  const world = worldIn("auditing", { policy: { ...initialization().policy, rework_max: 1 } });
  failRun(world);
  expect(world.session.state).toBe("auditing");
  world.take("rework_opened", { round: 1, reasons: ["r"] }, AUDITOR);
  expect(world.session.state).toBe("executing");
  world.session.state = "claiming";
  failRun(world);
  expect(world.session.state).toBe("failed");
});

test("a rework follows a failed audit, with the next number, and asks for new work", () => {
  const world = worldIn("auditing");
  const open = (round: number) =>
    world.ask("rework_opened", { round, reasons: ["r"] }, AUDITOR)?.rule;
  expect(open(1)).toBe("ORDER_GUARD"); // no audit failed
  BEFORE.rework_opened?.(world);
  expect(open(2)).toBe("ORDER_GUARD");
  world.take("rework_opened", { round: 1, reasons: ["r"] }, AUDITOR);
  expect(world.session).toMatchObject({
    state: "executing",
    reworkRounds: 1,
    finishedExecutions: 0,
    finalStatement: undefined,
  });
  expect(world.ask("claim_issued", claim("c9"), { role: "executor" })?.rule).toBe("STATE_GUARD");
});
