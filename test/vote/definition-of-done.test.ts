import { expect, test } from "vitest";
import { type DoneFacts, judgeDone } from "../../src/vote/index.ts";
import { verifies } from "../verifies.ts";

const COMMIT = `git:${"4f".repeat(20)}`;
/** Everything is known and in order. */
const GOOD: DoneFacts = {
  spec: { summary: "It was asked for", unmet: [] },
  tests: { passed: 12, failed: 0, coverage: 80 },
  reproducibility: { isSame: true },
  diff: { summary: "A limit", why: "It was asked for", risks: ["none known"], rollback: "revert" },
  budgets: { overrun: [], measured: ["12 ms"] },
  secrets: { found: [] },
  licences: { refused: [] },
  docs: { missing: [] },
  traceability: { addresses: [COMMIT], decisions: ["d1"], told: ["mara"] },
  critiques: { open: [] },
};

/** The items that are not done, each with its reason. */
function undone(facts: DoneFacts): Record<string, string> {
  const judged = judgeDone(facts).filter(({ state }) => state === "not-done");
  return Object.fromEntries(judged.map(({ item, reason }) => [item, reason]));
}

test("work of which all is known and in order is done", () => {
  expect(undone(GOOD)).toEqual({});
  expect(judgeDone(GOOD)).toHaveLength(10);
});

test("what is done says what that rests on", () => {
  const reasons = Object.fromEntries(judgeDone(GOOD).map(({ item, reason }) => [item, reason]));
  expect(reasons).toMatchObject({
    spec: "held against It was asked for; nothing is unmet",
    tests: "12 passed, none failed; they reach 80 % of the change, expected 80 %",
    budgets: "none overrun: 12 ms",
    traceability: "addresses that cannot change: 1, decisions: 1, told: mara",
  });
  const differs = { isSame: false, why: "agents\nwrite other bytes" };
  const [made] = judgeDone({ ...GOOD, reproducibility: differs }).filter(
    ({ item }) => item === "reproducibility",
  );
  expect(made?.reason).toBe("it need not come to the same bytes: agents write other bytes");
  const nothing = { refused: [], why: "the change names no packages" };
  const [looked] = judgeDone({ ...GOOD, licences: nothing }).filter(
    ({ item }) => item === "licences",
  );
  expect(looked).toMatchObject({
    state: "done",
    reason: "nothing was to be looked at: the change names no packages",
  });
});

verifies("004-89", "what is unknown is not done, and each item says why", () => {
  const reasons = undone({});
  expect(Object.keys(reasons)).toHaveLength(10);
  for (const reason of Object.values(reasons)) expect(reason).toMatch(/^unknown: /);
  for (const item of Object.keys(GOOD)) {
    expect(Object.keys(undone({ ...GOOD, [item]: undefined })), item).toEqual([item]);
  }
});

verifies("004-80", "tests pass and reach 80 % of the change, or the project's own figure", () => {
  const tests = (more: object) =>
    undone({ ...GOOD, tests: { passed: 12, failed: 0, coverage: 80, ...more } }).tests;
  expect(tests({ failed: 1 })).toBe("1 of 13 tests fail");
  expect(tests({ passed: 0 })).toBe("no test was run");
  expect(tests({ coverage: 79 })).toBe("tests reach 79 % of the change, expected 80 %");
  expect(tests({ coverage: undefined })).toMatch(/^unknown/);
  const unmeasured = { ...GOOD, tests: { passed: 12, failed: 0 }, unknown: { tests: "no report" } };
  expect(undone(unmeasured).tests).toBe("unknown: no report");
  expect(tests({ coverage: 60, coverageMin: 60 })).toBeUndefined();
  expect(tests({ unmeasured: ["src/a.py:3"] })).toBe(
    "code is taken out of what is measured: src/a.py:3",
  );
  expect(tests({ coverage: 89, coverageMin: 90 })).toBeDefined();
});

verifies(
  ["004-79", "004-82", "004-83"],
  "spec, diff and budgets need more than to be there",
  () => {
    expect(undone({ ...GOOD, spec: { summary: "s", unmet: ["PROJ-INT-001"] } }).spec).toContain(
      "PROJ-INT-001",
    );
    const diff = { summary: "s", why: " ", risks: [], rollback: "" };
    expect(undone({ ...GOOD, diff }).diff).toBe("not said: --why, --rollback, --risk");
    expect(undone({ ...GOOD, budgets: { overrun: [], measured: [] } }).budgets).toMatch(/^unknown/);
    expect(undone({ ...GOOD, budgets: { overrun: ["time"], measured: ["9 s"] } }).budgets).toBe(
      "overrun: time",
    );
  },
);

verifies(
  ["004-84", "004-85", "004-86", "004-88"],
  "nothing found, refused, outdated or open",
  () => {
    const facts = {
      ...GOOD,
      secrets: { found: ["a.js:1"] },
      licences: { refused: ["left-pad"] },
      docs: { missing: ["README.md"] },
      critiques: { open: ["the red vote of cleo"] },
    };
    expect(undone(facts)).toEqual({
      secrets: "found: a.js:1",
      licences: "refused: left-pad",
      docs: "not current: README.md",
      critiques: "open: the red vote of cleo",
    });
  },
);

test("work that differs when it is made again is done only with a reason for it", () => {
  const made = (reproducibility: DoneFacts["reproducibility"]) =>
    undone({ ...GOOD, reproducibility }).reproducibility;
  expect(made({ isSame: false })).toBeDefined();
  expect(made({ isSame: false, why: " " })).toBeDefined();
  expect(made({ isSame: false, why: "It prints the day" })).toBeUndefined();
});

verifies(["004-11", "004-87"], "addresses in a proposal cannot come to mean something else", () => {
  const trace = (...addresses: string[]) =>
    undone({ ...GOOD, traceability: { addresses, decisions: [], told: ["mara"] } }).traceability;
  for (const address of [
    "ucxl://eli:executor@login:limit/*^/src/a.ts",
    "ucxl://eli:executor@login:limit/~~1/src/a.ts",
    "ucxl://eli:executor@login:limit/*~/src/a.ts",
    "ucxl://eli:executor@login:limit/*~3/src/a.ts",
    "ucxl://eli:executor@login:limit/2026-01-01T00:00:00Z/src/a.ts",
    "trace_01KDVDMS00SWRN000000000001",
    "main",
    "git:main",
    "https://example.org/latest",
  ]) {
    expect(trace(COMMIT, address), address).toContain(address);
  }
  const fixed = [
    `ucxl://eli:executor@login:limit/sha256:${"0".repeat(64)}/claim/c1`,
    `ucxl://any:any@login:any/git:${"0".repeat(40)}/file/src/a.ts`,
    `ucxl://eli:executor@login:limit/git:${"4f".repeat(20)}/file/src/a.ts`,
    `ucxl://eli:executor@login:limit/sha256:${"0".repeat(64)}`,
    `sha256:${"0".repeat(64)}`,
  ];
  expect(trace(...fixed)).toBeUndefined();
  const untold = { addresses: fixed, decisions: [], told: [] };
  expect(undone({ ...GOOD, traceability: untold }).traceability).toBe("no owner was told");
});

test("an item that was put off is deferred, with its decision and what it lacks", () => {
  const judged = judgeDone({ ...GOOD, docs: undefined }, new Map([["docs", "d7"]]));
  expect(judged.find(({ item }) => item === "docs")).toMatchObject({
    state: "deferred",
    decision_id: "d7",
  });
  expect(judgeDone(GOOD, new Map([["docs", "d7"]])).every(({ state }) => state === "done")).toBe(
    true,
  );
});
