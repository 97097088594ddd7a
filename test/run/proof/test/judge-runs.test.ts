import { describe, expect, test } from "vitest";
import { judgeRuns, type TestRun } from "../../../../src/run/proof/test/judge-runs.ts";

type State = TestRun["state"];
const PROOF = { kind: "test", name: "adds" } as const;

/** Judges scripted runs; says which were asked for. */
async function judged(
  runs: { before: State[]; after?: State[]; reverted?: State[] },
  areTestsOld = false,
) {
  const asked: string[] = [];
  const outcome = await judgeRuns(
    PROOF,
    async (on) => {
      asked.push(on);
      // Runs with the work are made beside others, and are green where nothing else is said.
      const state = runs[on]?.shift() ?? (on === "after" ? "green" : undefined);
      if (state === undefined) throw new Error(`an unexpected run: ${on}`);
      return { state, executed: 1, why: "it was late", output: "" };
    },
    { areTestsOld, isEmpty: async () => false },
  );
  return { verdict: outcome.verdict, reason: outcome.reason, asked: asked.join(" ") };
}

test("red before, green after, red without the work, and green once more is a pass", async () => {
  const old = await judged({ before: ["red"], after: ["green", "green"], reverted: ["red"] });
  expect(old).toMatchObject({ verdict: "pass", asked: "before after reverted after" });
  const fresh = await judged({
    before: ["broken"],
    after: ["green", "green"],
    reverted: ["broken", "red"],
  });
  expect(fresh).toMatchObject({
    verdict: "pass",
    asked: "before after reverted after reverted",
    reason:
      "red before, green after (1 executed), red again without the work, where it cannot be loaded",
  });
});

describe("what cannot fail proves nothing:", () => {
  test("green before the work", async () => {
    expect((await judged({ before: ["green"] })).verdict).toBe("fail");
  });

  test("green without the work", async () => {
    const runs = { before: ["absent"], after: ["green"], reverted: ["green", "green"] } as const;
    expect((await judged(copied(runs))).verdict).toBe("fail");
  });

  test("red before, and green without the work because the test was changed", async () => {
    const runs = { before: ["red"], after: ["green"], reverted: ["green"] } as const;
    expect((await judged(copied(runs))).verdict).toBe("fail");
  });

  test("not run at all without the work", async () => {
    for (const state of ["absent", "skipped"] as const) {
      const outcome = await judged({
        before: ["absent"],
        after: ["green"],
        reverted: [state, "red"],
      });
      expect([state, outcome.verdict]).toEqual([state, "unproven"]);
    }
  });
});

describe("after the work", () => {
  test("red twice, skipped or absent is a failure", async () => {
    for (const after of [["red", "red"], ["broken", "red"], ["skipped"], ["absent"]] as State[][]) {
      const outcome = await judged({ before: ["red"], after: [...after] });
      expect([after, outcome.verdict]).toEqual([after, "fail"]);
    }
  });
});

describe("one that is green and red on the same files is unproven:", () => {
  test("with the work", async () => {
    const late = await judged({ before: ["red"], after: ["green", "red"], reverted: ["red"] });
    expect(late).toMatchObject({ verdict: "unproven", reason: reliable });
    const early = await judged({ before: ["red"], after: ["red", "green"] });
    expect(early).toMatchObject({ verdict: "unproven", reason: reliable });
  });

  test("without the work", async () => {
    const fresh = await judged({
      before: ["absent"],
      after: ["green"],
      reverted: ["red", "green"],
    });
    expect(fresh).toMatchObject({ verdict: "unproven", reason: reliable });
    const old = await judged({ before: ["red"], after: ["green"], reverted: ["green"] }, true);
    expect(old).toMatchObject({ verdict: "unproven", reason: reliable });
  });
});

test("a run that decides nothing, anywhere, leaves it unproven", async () => {
  const cases = [
    { before: ["undecided"] },
    { before: ["red"], after: ["undecided"] },
    { before: ["red"], after: ["green"], reverted: ["undecided"] },
    { before: ["red"], after: ["green", "undecided"], reverted: ["red"] },
  ] as const;
  for (const one of cases) expect((await judged(copied(one))).verdict).toBe("unproven");
});

const reliable = expect.stringContaining("not reliable") as string;

function copied(runs: { readonly [K in "before" | "after" | "reverted"]?: readonly State[] }) {
  const { before = [], after = [], reverted = [] } = runs;
  return { before: [...before], after: [...after], reverted: [...reverted] };
}
