import { expect, test } from "vitest";
import { checkPlanAgain, checkTaskPlan } from "../../../src/flow/plan/task-plan.ts";
import { answer, ask, questionsOf, takeDefaults } from "../../../src/flow/talk/ask.ts";
import { type Bus, isRefused, OPERATOR } from "../../../src/flow/talk/bus.ts";
import { addFact } from "../../../src/flow/talk/facts.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { readBoard } from "../../../src/flow/talk/task-board.ts";
import { mayUnlock } from "../../../src/plan/index.ts";
import type { Verimap } from "../../../src/schema/plan.ts";
import { aPlan, planWith } from "../../plan/gate/a-plan.ts";
import { verifies } from "../../verifies.ts";
import { failuresOf, LEAD, said, talkAbout } from "../talk/scene.ts";

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR = 3_600_000;
const PROMISED = "DESIGN_COMPLETE_WITNESS_REQUIRED";

const bytesOf = (plan: unknown): Buffer => Buffer.from(JSON.stringify(plan));

/** The example, waiting for an answer about ST-02. */
function blocked(question = "Which limit?"): Verimap {
  return planWith((plan) => {
    plan.handoff_ready = false;
    plan.blocking_questions = [
      { id: "BQ-01", question, context: "It differs.", default_assumed: "10", blocking: "ST-02" },
    ];
  });
}

/** A task whose design was handed over, and a clock that tests move. */
async function designed(promise = PROMISED) {
  const clock = { now: NOON };
  const on = await talkAbout("login", { clock: () => clock.now });
  said(await addFact(on, OPERATOR, { title: "Promise", text: promise, fact_id: "design.promise" }));
  return { on, clock };
}

async function checked(on: Bus, plan: unknown) {
  const outcome = await checkTaskPlan(on, bytesOf(plan));
  if (isRefused(outcome)) throw new Error(outcome.reason);
  return outcome;
}

async function again(on: Bus) {
  const outcome = await checkPlanAgain(on);
  if (outcome === undefined || isRefused(outcome)) throw new Error("nothing was judged again");
  return outcome.report;
}

verifies(
  ["001-44", "001-60"],
  "every judgement is handed over on the board, ready or not",
  async () => {
    const { on } = await designed();
    const { report, digest } = await checked(on, aPlan());
    expect(report.ready).toBe(true);
    const common = { content_locked: true, agents_outstanding: [], dispatch_time: null };
    expect(readBoard(on).handover).toEqual({
      ...common,
      phase: "WITNESS_COMPLETE",
      handoff_ready: true,
      polecat_count: 4,
      deacon_required: true,
      unlock_condition: expect.stringContaining("sentinel"),
      plan: digest,
    });
    await checked(on, blocked());
    expect(readBoard(on)).toMatchObject({
      handover: { ...common, phase: "WITNESS_BLOCKED", handoff_ready: false },
      content_locked: true,
      lock: { holds: true },
    });
    await checked(on, { subtasks: 3 });
    expect(readBoard(on).handover).toMatchObject({ phase: "WITNESS_BLOCKED", polecat_count: 0 });
    expect(await failuresOf(on)).toEqual([]);
  },
);

verifies(
  "001-45",
  "the lock reaches the board, and only the runtime's record moves it",
  async () => {
    const { on } = await designed();
    expect(readBoard(on).content_locked).toBe(false);
    const { digest, handover } = await checked(on, blocked());
    expect(readBoard(on).content_locked).toBe(true);
    const forged = JSON.stringify({ ...handover, handoff_ready: true, content_locked: false });
    for (const author of [LEAD, OPERATOR]) {
      const meta = { "plan-digest": digest, handover: "WITNESS_COMPLETE" };
      said(await post(on, author, { text: forged, meta }));
      expect(readBoard(on)).toMatchObject({
        content_locked: true,
        handover: { handoff_ready: false },
      });
    }
    said(await answer(on, OPERATOR, "BQ-01", "12"));
    expect((await again(on)).ready).toBe(true);
    expect(readBoard(on)).toMatchObject({
      content_locked: true,
      handover: { handoff_ready: true },
    });
  },
);

test("a lock goes when work was handed out and all of it is done, not when nobody is outstanding", async () => {
  const { on } = await designed();
  const { handover } = await checked(on, aPlan());
  const ids = ["ST-01", "ST-02"];
  const all = new Set(ids);
  const dispatched = { ...handover, dispatch_time: "2026-01-01T12:00:00.000Z" };
  expect(mayUnlock(handover, ids, all)).toBe(false);
  expect(mayUnlock(dispatched, ids, new Set(["ST-01"]))).toBe(false);
  expect(mayUnlock(dispatched, [], all)).toBe(false);
  expect(mayUnlock({ ...dispatched, agents_outstanding: ["ST-02"] }, ids, all)).toBe(false);
  expect(mayUnlock({ ...dispatched, handoff_ready: false }, ids, all)).toBe(false);
  expect(mayUnlock(dispatched, ids, all)).toBe(true);
});

test("a plan's questions are asked on the task's bus, once, and a person's answer opens the gate", async () => {
  const { on } = await designed();
  expect((await checked(on, blocked())).report).toMatchObject({ ready: false, points: 95 });
  await checked(on, blocked());
  expect(questionsOf(on)).toMatchObject([
    {
      question_id: "bq-01",
      state: "open",
      text: "Which limit?\n\nIt differs.",
      default: "10",
      deadline: "2026-01-02T12:00:00.000Z",
    },
  ]);
  expect(readBoard(on).questions).toMatchObject([{ blocks: "st-02", tier: 3 }]);
  said(await answer(on, OPERATOR, "BQ-01", "12"));
  expect(await again(on)).toMatchObject({ ready: true, points: 95, questions: [] });
});

test("an agent's answer, the lead's included, opens nothing, and the question is asked again", async () => {
  const { on } = await designed();
  await checked(on, blocked());
  said(await answer(on, LEAD, "bq-01", "12"));
  expect(await again(on)).toMatchObject({ ready: false, questions: [{ id: "BQ-01" }] });
  await checked(on, blocked());
  expect(questionsOf(on).map(({ question_id }) => question_id)).toEqual(["bq-01", "bq-01.2"]);
  said(await answer(on, OPERATOR, "BQ-01.2", "12"));
  expect((await again(on)).ready).toBe(true);
});

test("the gate's question, asked by somebody else with a default of its own, opens nothing", async () => {
  const { on, clock } = await designed();
  const text = "Which limit?\n\nIt differs.";
  const deadline = new Date(NOON + HOUR).toISOString();
  const asking = { text, default: "No limit", question_id: "bq-01", deadline };
  said(await ask(on, LEAD, asking));
  clock.now += 2 * HOUR;
  expect(await takeDefaults(on)).toEqual(["bq-01"]);
  const { report } = await checked(on, blocked());
  expect(report).toMatchObject({ ready: false, questions: [{ id: "BQ-01" }] });
  expect(questionsOf(on).map(({ question_id }) => question_id)).toEqual(["bq-01", "bq-01.2"]);
});

test("an answer to another question of the same name answers nothing", async () => {
  const { on } = await designed();
  await checked(on, blocked());
  said(await answer(on, OPERATOR, "BQ-01", "12"));
  const { report } = await checked(on, blocked("Which database?"));
  expect(report).toMatchObject({ ready: false, questions: [{ question: "Which database?" }] });
});

test("a question that nobody answers in time takes its default, and costs", async () => {
  const { on, clock } = await designed();
  await checked(on, blocked());
  clock.now += 25 * HOUR;
  const { report } = await checked(on, blocked());
  expect(report).toMatchObject({ ready: true, points: 90 });
  expect(report.deductions[1]?.reason).toContain("nobody answered BQ-01");
});

verifies("001-37", "without a design the board asks, and a person's word settles it", async () => {
  const on = await talkAbout();
  const { report } = await checked(on, aPlan());
  expect(report).toMatchObject({ ready: false, points: 80, questions: [{ id: "BQ-9001" }] });
  expect(readBoard(on).handover?.phase).toBe("WITNESS_BLOCKED");
  said(await answer(on, OPERATOR, "BQ-9001", "Yes."));
  expect(await again(on)).toMatchObject({ ready: true, points: 95 });
});

verifies(
  "001-37",
  "a brief on the board is held to, and one that cannot be read stops",
  async () => {
    const { on } = await designed();
    const brief = (text: string, fact_id: string) =>
      addFact(on, OPERATOR, { title: "Brief", text, fact_id });
    said(await brief('{"subtask_count":4}', "design.witness_brief"));
    expect((await checked(on, aPlan())).report.ready).toBe(true);
    said(await brief('{"subtask_count":5}', "design.witness_brief.2"));
    expect((await checked(on, aPlan())).report.violations).toMatchObject([
      { rule: "phase-minus-1" },
    ]);
    said(await brief("three subtasks", "design.witness_brief.3"));
    await expect(checkTaskPlan(on, bytesOf(aPlan()))).rejects.toThrow(
      "design.witness_brief is no brief",
    );
  },
);

verifies("001-61", "a promise of COMPLETE is refused until a person records why", async () => {
  const { on } = await designed("COMPLETE");
  expect((await checked(on, aPlan())).report.violations).toMatchObject([
    { rule: "invariant-promise" },
  ]);
  const reason = { title: "Skipped", text: "a hotfix at night" };
  said(await addFact(on, LEAD, { ...reason, fact_id: "witness_skipped_reason" }));
  expect((await checked(on, aPlan())).report.ready).toBe(false);
  said(await addFact(on, OPERATOR, { ...reason, fact_id: "witness_skipped_reason.2" }));
  expect((await checked(on, aPlan())).report.ready).toBe(true);
});
