import { expect, test } from "vitest";
import { readTrace } from "../../../src/flow/trace/look.ts";
import type { Replanner } from "../../../src/flow/work/replan.ts";
import type { WorkOrder } from "../../../src/flow/work/work-parts.ts";
import type { WorkEvent } from "../../../src/flow/work/work-scene.ts";
import { verifies } from "../../verifies.ts";
import { type Act, honest, planOf, subtask, WorkWorld } from "./work-world.ts";

const ONE = planOf([subtask("ST-01")]);

test("two subtasks that contradict each other are both kept, and both are named", async () => {
  const world = await WorkWorld.open((order) => ({
    ...honest(order, 1),
    files: {
      [`${order.subtask.id.toLowerCase()}.txt`]: "",
      "README.md": `# ${order.subtask.id}\n`,
    },
  }));
  const { report } = await world.run(planOf([subtask("ST-01"), subtask("ST-02")]));
  expect(report).toMatchObject({
    status: "failed",
    conflicts: [{ subtask: "ST-02", files: ["README.md"] }],
  });
  const [conflict] = report.conflicts;
  expect(world.project.git("show", `${conflict?.ours}:README.md`)).toBe("# ST-01");
  expect(world.project.git("show", `${conflict?.theirs}:README.md`)).toBe("# ST-02");
  expect(report.branch).toBe(undefined);
  // Both were proven, each for itself, and that stands.
  expect(report.subtasks.map(({ status }) => status)).toEqual(["proven", "proven"]);
});

test("what held alone is proven again on the branch, where it can break beside others", async () => {
  const act: Act = (order) => {
    const own = honest(order, 1);
    return order.subtask.id === "ST-01"
      ? own
      : { ...own, files: { ...own.files, "breaks.txt": "" } };
  };
  const world = await WorkWorld.open(act);
  const none = { kind: "file" as const, path: "breaks.txt", present: false };
  const first = subtask("ST-01");
  const plan = planOf([{ ...first, proofs: [...first.proofs, none] }, subtask("ST-02")]);
  const { report } = await world.run(plan);
  expect(report.reason).toMatch(
    /^the exit gate "proofs" does not let it through: ST-01 on the branch/,
  );
});

verifies(
  "001-7",
  "the authors' own word, the reviewer's and the machine's come in this order, and one no is enough",
  async () => {
    const asked: string[] = [];
    const say = (name: string, verdict: "pass" | "fail") => async () => {
      asked.push(name);
      return { verdict, by: name, reasons: verdict === "fail" ? ["a hole"] : [] };
    };
    const flawed = await WorkWorld.open((order) => ({
      ...honest(order, 1),
      words: "FLAW: it leaks",
      isAsked: true,
    }));
    const gates = { review: say("reviewer", "fail"), tests: say("tests", "pass") };
    const self = await flawed.run(ONE, { gates });
    expect(self.report.reason).toBe(
      'the exit gate "self" does not let it through: ST-01: it leaks',
    );
    const admitted = planOf([subtask("ST-01", { ghost_nodes: ["it leaks"] })]);
    const reviewed = await flawed.run(admitted, { gates });
    expect(reviewed.report.reason).toBe('the exit gate "reviewer" does not let it through: a hole');
    // Alone, a flaw that its author admits is a gap, and not the end.
    const solo = await flawed.run(ONE, {
      profile: "solo",
      gates: { ...gates, review: say("reviewer", "pass") },
    });
    expect(solo.report).toMatchObject({
      status: "completed-with-gaps",
      unproven: ["self: ST-01: it leaks"],
    });
    expect(asked).toEqual(["reviewer", "reviewer", "tests"]);
    expect(await flawed.verified(solo.report.trace)).toBe("pass");
  },
);

test("a debt that the work leaves is a ghost node of the plan or refused, and what nobody could decide is said", async () => {
  const world = await WorkWorld.open((order) => ({
    ...honest(order, 1),
    files: { "st-01.txt": "fine\n// TODO handle empty titles\n" },
  }));
  const { report } = await world.run(ONE);
  expect(report.reason).toContain(
    "st-01.txt:2 leaves a debt that the plan does not list under ghost_nodes: // TODO handle empty titles",
  );
  const tagged = planOf([subtask("ST-01", { ghost_nodes: ["TODO handle empty titles"] })]);
  // What nobody could decide is a gap that the report names; in a strict work it is the end.
  const unsure = async () => ({
    verdict: "unproven" as const,
    by: "nobody",
    reasons: ["no tests"],
  });
  const gates = { ...world.setup().gates, tests: unsure };
  const events: string[] = [];
  const onEvent = ({ about, words }: WorkEvent) => events.push(`${about} ${words}`);
  const gapped = (await world.run(tagged, { gates, onEvent })).report;
  expect(gapped).toMatchObject({
    status: "completed-with-gaps",
    unproven: ["mechanical: no tests"],
  });
  // Nobody says of it that it passed: neither whoever watches, nor the record.
  expect(events.filter((one) => one.startsWith("mechanical"))).toEqual([
    "mechanical begins",
    "mechanical shows nothing: no tests",
  ]);
  const told = readTrace(world.place, gapped.trace).flatMap((entry) => {
    if (entry.type === "claim_issued") return [entry.body.claim_text];
    return entry.type === "tool_execution_completed" ? [entry.body.summary ?? ""] : [];
  });
  expect(told).toContain("mechanical shows nothing, by nobody: no tests");
  expect(told.filter((one) => one.includes("passed the exit gates"))).toEqual([]);
  expect(told).toContainEqual(expect.stringMatching(/ no exit gate stopped it; mechanical showed/));
  expect((await world.run(tagged, { gates, profile: "strict" })).report.status).toBe("failed");
});

test("a file that is too long to be searched is a gap, and tagged debts hide no other one", async () => {
  const long = `// TODO: everything\n${"x".repeat(17 << 20)}\n`;
  const files = (text: string) => async (order: WorkOrder) => ({
    ...honest(order, 1),
    files: { "st-01.txt": text },
  });
  const big = (await (await WorkWorld.open(files(long))).run(ONE)).report;
  expect(big).toMatchObject({
    status: "completed-with-gaps",
    unproven: [
      "mechanical: st-01.txt could not be read (too-large): whether it leaves a debt was not looked at",
    ],
  });
  const small = await WorkWorld.open(files(`// TODO: everything\n${"x".repeat(2 << 20)}\n`));
  expect((await small.run(ONE)).report.reason).toContain("st-01.txt:1 leaves a debt");
  const many = `${"// TODO handle empty titles\n".repeat(150)}// TODO and everything else\n`;
  const tagged = planOf([subtask("ST-01", { ghost_nodes: ["TODO handle empty titles"] })]);
  const { report } = await (await WorkWorld.open(files(many))).run(tagged);
  expect(report.reason).toContain(
    "st-01.txt:151 leaves a debt that the plan does not list under ghost_nodes",
  );
});

test("a subtask that a question blocks waits, others go on; what is waived is a recorded exception", async () => {
  const act: Act = (order) => (order.subtask.id === "ST-03" ? {} : honest(order));
  const world = await WorkWorld.open(act);
  const plan = planOf([subtask("ST-01"), subtask("ST-02"), subtask("ST-03")]);
  const about = {
    questions: [{ id: "BQ-01", question: "Which?", blocks: "ST-02" }],
    held: new Set(["ST-02"]),
    letThrough: [{ subtask: "ST-03", reason: "Not needed." }],
  };
  const { report } = await world.run(plan, { triesMax: 1 }, about);
  expect(report).toMatchObject({ status: "blocked", questions: [{ id: "BQ-01" }] });
  expect(world.worker.tries("ST-02")).toEqual([]);
  expect(report.subtasks.map(({ status }) => status)).toEqual(["proven", "blocked", "waived"]);
  const { report: last } = await world.resume(report.work);
  expect(last).toMatchObject({
    status: "completed-with-gaps",
    unproven: ["ST-03: waived: Not needed.", expect.stringMatching(/^ST-03: expected st-03\.txt/)],
  });
  // It was tried like any other, and nobody says that it is proven.
  expect(world.worker.tries("ST-03").length).toBe(1);
  expect(await world.verified(report.trace)).toBe("pass");
  await expect(
    world.run(plan, {}, { letThrough: [{ subtask: "ST-09", reason: "x" }] }),
  ).rejects.toThrow("the plan has no ST-09");
});

test("after the last try another plan is asked for, once; it passes the gate, and what is proven stays", async () => {
  const act: Act = (order) =>
    order.subtask.name.includes("cannot") ? { output: { path: "x" } } : honest(order, 1);
  const world = await WorkWorld.open(act);
  const second = subtask("ST-02", { name: "Do what cannot be done", depends_on: ["ST-01"] });
  const plan = planOf([subtask("ST-01"), second]);
  const other = planOf([subtask("ST-01"), { ...second, name: "Do something else" }]);
  const asked: string[][] = [];
  const replanner: Replanner = {
    replan: async ({ start, finished, failed }) => {
      asked.push([start, ...finished, failed.order.subtask]);
      return other;
    },
    check: (value) => ({ plan: value as typeof other, report: {} }),
  };
  const { report } = await world.run(plan, { replanner, triesMax: 1 });
  expect(asked).toEqual([[world.start, "ST-01", "ST-02"]]);
  expect(report.status).toBe("completed");
  expect(world.worker.tries("ST-01").length).toBe(1);
  expect(await world.verified(report.trace)).toBe("pass");
  // A plan that touches what is proven, or does not pass the gate, is not taken.
  const changed = planOf([subtask("ST-01", { name: "Another" }), second]);
  const bad = { ...replanner, replan: async () => changed };
  const refused = await world.run(plan, { replanner: bad, triesMax: 1 });
  expect(refused.report.reason).toMatch(/^ST-02 failed after 1 try/);
  expect(world.said("plan").at(-1)).toContain("it changes ST-01, which is proven already");
});

verifies(
  "004-106",
  "a worker whom the policies deny ends the work with the rule: no second try, no other plan",
  async () => {
    const denied = { status: "refused", why: "R.1: this agent may not be started" } as const;
    const world = await WorkWorld.open(() => denied);
    const asked: string[] = [];
    const replanner: Replanner = {
      replan: async () => {
        asked.push("another plan");
        return ONE;
      },
      check: () => ({ plan: ONE, report: {} }),
    };
    const { report } = await world.run(ONE, { replanner, triesMax: 3 });
    expect(report).toMatchObject({
      status: "failed",
      reason:
        "ST-01 failed after 1 try: its worker was refused: R.1: this agent may not be started",
    });
    expect([asked, world.worker.tries("ST-01").length]).toEqual([[], 1]);
  },
);
