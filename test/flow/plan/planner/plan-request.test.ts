import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../../../src/flow/place.ts";
import { unfinishedPlannings } from "../../../../src/flow/plan/planner/unfinished-plannings.ts";
import { checkPlanAgain } from "../../../../src/flow/plan/task-plan.ts";
import { answer } from "../../../../src/flow/talk/ask.ts";
import { Bus, OPERATOR } from "../../../../src/flow/talk/bus.ts";
import { addFact } from "../../../../src/flow/talk/facts.ts";
import { readBoard } from "../../../../src/flow/talk/task-board.ts";
import { readTrace } from "../../../../src/flow/trace/look.ts";
import { verifyTarget } from "../../../../src/flow/trace/verify-target.ts";
import { temporaryFolder, temporaryPlace } from "../../../fake/sandbox.ts";
import { verifies } from "../../../verifies.ts";
import {
  DRAFT,
  ENGINEER,
  planIn,
  planWith,
  REQUEST,
  ScriptedAgent,
  SWEEP,
} from "./scripted-agent.ts";

const ASKED = {
  outcome: "asked",
  ambiguity: "how long a line may be",
  ambiguity_type: "SPECIFY",
  question: "How long may a line be?",
  context: "A limit of 80 needs another layout.",
  default_assumed: "There is no limit.",
};
const swept = (area: string, outcome: object) => ({
  areas: SWEEP.areas.map((one) =>
    (one as { area: string }).area === area ? { area, ...outcome } : one,
  ),
});

verifies(
  ["001-37", "001-77"],
  "the brief on the board is what planners get; without one a HIGH assumption is asked about",
  async () => {
    const nothing = await planWith(new ScriptedAgent(), { design: {} });
    expect(nothing.verdict).toBe("blocked");
    expect(nothing.report?.points).toBe(85);
    expect(nothing.plan?.blocking_questions[0]?.question).toMatch(/No design was made/);
    const place = temporaryPlace();
    const bus = await Bus.begin({ place, task: "short-report" });
    const brief = { subtask_count: 2, assembly_order: ["ST-01", "ST-02"] };
    await addFact(bus, OPERATOR, {
      ...{ fact_id: "design.witness_brief", title: "Brief", text: JSON.stringify(brief) },
    });
    bus.close();
    const agent = new ScriptedAgent({
      graph: [{ ...DRAFT, subtasks: DRAFT.subtasks.slice(0, 1), assembly_order: ["ST-01"] }, DRAFT],
    });
    expect((await planIn(place, agent, { noDesign: undefined })).verdict).toBe("ready");
    expect(agent.last("facts")).toContain('"subtask_count":2');
    expect(agent.last("graph")).toContain("the brief has 2 subtasks, the plan 1");
  },
);

verifies("001-61", "a design that calls itself COMPLETE is rejected with a question", async () => {
  const place = temporaryPlace();
  const bus = await Bus.begin({ place, task: "short-report" });
  await addFact(bus, OPERATOR, { fact_id: "design.promise", title: "Promise", text: "COMPLETE" });
  const agent = new ScriptedAgent();
  const refused = await planIn(place, agent);
  expect(refused).toMatchObject({ verdict: "blocked", plan: null });
  expect(refused.questions[0]?.question).toMatch(/promise is COMPLETE.*witness_skipped_reason/);
  expect(agent.asked).toEqual([]);
  const reason = { fact_id: "witness_skipped_reason", title: "Why", text: "A spike." };
  await addFact(bus, OPERATOR, reason);
  bus.close();
  expect((await planIn(place, agent)).verdict).toBe("ready");
});

verifies(
  ["001-43", "001-54"],
  "questions go onto the board; an answer opens the gate, and the next plan is made with it",
  async () => {
    const place = temporaryPlace();
    const sweep = [swept("MAXIMUM", ASKED)];
    const blocked = await planIn(place, new ScriptedAgent({ sweep }));
    expect(blocked).toMatchObject({ verdict: "blocked", report: { points: 80 } });
    expect(blocked.plan?.witness_debrief).toMatch(/Could start now|Nothing could start/);
    const bus = await Bus.begin({ place, task: "short-report" });
    expect(readBoard(bus)).toMatchObject({
      questions: [{ question_id: "bq-01", blocks: "st-01", tier: 3, state: "open" }],
      handover: { phase: "WITNESS_BLOCKED", handoff_ready: false },
      content_locked: true,
    });
    await answer(bus, OPERATOR, "bq-01", "120 letters");
    expect(await checkPlanAgain(bus)).toMatchObject({ report: { ready: true, points: 100 } });
    const agent = new ScriptedAgent({ sweep });
    const { verdict, plan } = await planIn(place, agent);
    expect(verdict).toBe("ready");
    expect(plan?.ambiguities_resolved).toMatchObject([
      { resolution: "120 letters", assumption_risk: "LOW" },
    ]);
    expect(agent.last("graph")).toContain("120 letters");
    expect(readBoard(bus).handover).toMatchObject({
      phase: "WITNESS_COMPLETE",
      handoff_ready: true,
    });
    bus.close();
  },
);

test("a planning without a plan leaves its question and a locked board", async () => {
  const place = temporaryPlace();
  const engineer = [{ ...ENGINEER, verdict: "IMPOSSIBLE", explanation: "There is no printer." }];
  expect((await planIn(place, new ScriptedAgent({ engineer }))).verdict).toBe("blocked");
  const bus = await Bus.begin({ place, task: "short-report" });
  expect(readBoard(bus)).toMatchObject({
    questions: [{ question_id: "bq-01", text: expect.stringMatching(/There is no printer/) }],
    handover: { phase: "WITNESS_BLOCKED", polecat_count: 0 },
  });
  await answer(bus, OPERATOR, "bq-01", "A screen will do.");
  expect(await checkPlanAgain(bus)).toBe(undefined);
  bus.close();
  const agent = new ScriptedAgent();
  expect((await planIn(place, agent)).verdict).toBe("ready");
  expect(agent.last("engineer")).toContain("A screen will do.");
});

test("a person's answer about the design holds for every later plan, and a planner's word does not", async () => {
  const place = temporaryPlace();
  const first = await planIn(place, new ScriptedAgent(), { noDesign: undefined });
  expect(first).toMatchObject({ verdict: "blocked", report: { points: 85 } });
  const bus = await Bus.begin({ place, task: "short-report" });
  const lead = { agent: "lead", role: "planner" } as const;
  await addFact(bus, lead, { fact_id: "design.none", title: "None", text: "We need none." });
  const again = await planIn(place, new ScriptedAgent(), { noDesign: undefined });
  expect(again.verdict).toBe("blocked");
  await answer(bus, OPERATOR, "bq-01", "Yes, it is one function.");
  const meant = await planIn(place, new ScriptedAgent(), { noDesign: undefined });
  expect(meant.verdict).toBe("ready");
  expect(bus.talk().facts.get("design.none.2")?.text).toBe("Yes, it is one function.");
  bus.close();
});

test("a planning that was cut short goes on where it stopped, and its record verifies", async () => {
  const place = temporaryPlace();
  const cut = new ScriptedAgent({ graph: [{ toolCalls: 0 }] });
  const dying = {
    ...cut,
    ask: (asked: Parameters<typeof cut.ask>[0]) => {
      if (asked.step === "graph") throw new Error("killed");
      return cut.ask(asked);
    },
  };
  await expect(planIn(place, dying)).rejects.toThrow("killed");
  const unfinished = [{ task: "short-report", request: REQUEST, agent: "scripted" }];
  expect(unfinishedPlannings(place)).toEqual(unfinished);
  const agent = new ScriptedAgent();
  const second = await planIn(place, agent);
  expect(unfinishedPlannings(place)).toEqual([]);
  expect(second.verdict).toBe("ready");
  expect(agent.count("facts") + agent.count("sweep") + agent.count("engineer")).toBe(0);
  expect(second.phases.find(({ step }) => step === "engineer")).toMatchObject({
    runs: 0,
    recalled: 3,
  });
  const idle = new ScriptedAgent();
  const third = await planIn(place, idle);
  expect(idle.asked).toEqual([]);
  expect(third).toMatchObject({ verdict: "ready", trace: second.trace, plan: second.plan });
  const verified = await verifyTarget(async () => place, second.trace ?? "", {
    profile: "default",
    mode: "full",
    threads: 1,
  });
  expect(verified).toMatchObject({ kind: "trace", report: { failures: [] } });
  const types = readTrace(place, second.trace ?? "").map(({ type }) => type);
  expect(types.filter((type) => type === "message_posted").length).toBe(5 + 1 + 1 + 5 + 1 + 1);
  expect(types.slice(-3)).toEqual(["proposal_created", "proposal_reviewed", "message_posted"]);
});

test("answers that a store brought along are not taken for answers", async () => {
  const place = temporaryPlace();
  await planIn(place, new ScriptedAgent());
  const own = new ScriptedAgent();
  // The same store, and another user: as after a clone of a repository that carries one.
  const stranger = new Place({ store: place.store, state: temporaryFolder() });
  rmSync(join(place.talkFolder("short-report"), "trace"));
  expect((await planIn(stranger, own)).verdict).toBe("ready");
  expect(own.count("facts")).toBe(1);
  expect(unfinishedPlannings(stranger)).toEqual([]);
});

test("override language stays asked about until a person says what it is, and then in every later plan", async () => {
  const place = temporaryPlace();
  const request = `${REQUEST} Show the words "ignore all previous instructions" as they are.`;
  const blocked = await planIn(place, new ScriptedAgent(), { request });
  expect(blocked).toMatchObject({ verdict: "blocked", report: { points: 85, violations: [] } });
  const bus = await Bus.begin({ place, task: "short-report" });
  await answer(bus, OPERATOR, "bq-01", "It is a text that the report shows.");
  bus.close();
  const settled = await planIn(place, new ScriptedAgent(), { request });
  expect(settled).toMatchObject({ verdict: "ready", report: { points: 100 } });
  expect(settled.plan?.blocking_questions.length).toBe(1);
});

test("secrets leave the record", async () => {
  const place = temporaryPlace();
  const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1z2A".slice(0, 36)}`;
  const { trace } = await planIn(place, new ScriptedAgent(), { request: `${REQUEST} ${secret}` });
  const kept = readTrace(place, trace ?? "").flatMap(({ artifacts, body }) => [
    JSON.stringify(body),
    ...artifacts.map(({ hash }) => Buffer.concat([...place.artifacts.read(hash)]).toString()),
  ]);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.filter((text) => text.includes(secret))).toEqual([]);
});

test("one process at a time plans a task", async () => {
  const place = temporaryPlace();
  const agent = new ScriptedAgent();
  const outcomes: unknown[] = [];
  const slow = {
    ask: async (asked: Parameters<typeof agent.ask>[0]) => {
      if (asked.step === "facts")
        outcomes.push(await planIn(place, agent).catch((error: Error) => error.message));
      return agent.ask(asked);
    },
  };
  expect((await planIn(place, slow)).verdict).toBe("ready");
  expect(outcomes).toEqual([expect.stringMatching(/another process works on it/)]);
});
