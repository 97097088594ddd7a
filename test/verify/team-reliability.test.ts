import { expect, test } from "vitest";
import { ReviewerOutcome } from "../../src/schema/review.ts";
import {
  confidencePoints,
  overallReliability,
  reliability,
  reviewerOutcome,
  spotCheckPlan,
} from "../../src/verify/team/index.ts";
import { verifies } from "../verifies.ts";
import { checked, many, reviewer } from "./team-reviewers.ts";

verifies("000-51", "one made-up finding makes all that its reviewer wrote unreliable", () => {
  const honest = many(9, { priority: "P3" });
  expect(reliability(reviewer("anna", honest)).reliable).toBe(true);
  const liar = reviewer("liar", [...honest, checked("x", {}, "HALLUCINATED")]);
  expect(reliability(liar)).toMatchObject({
    reliable: false,
    confidence: 90,
    notes: ["1 of 10 findings are not in the source"],
  });
});

test("points are evidence times files opened times second look, rounded down", () => {
  const findings = [...many(2), checked("y", {}, "UNVERIFIED")];
  expect(confidencePoints(reviewer("a", findings))).toBe(66);
  expect(confidencePoints(reviewer("a", findings, { filesRead: 5 }))).toBe(33);
  expect(confidencePoints(reviewer("a", many(2), { log: [] }))).toBe(80);
  expect(confidencePoints(reviewer("a", many(2), { log: [], selfReviewed: false }))).toBe(60);
  expect(confidencePoints(reviewer("a", many(2), { filesRead: 99 }))).toBe(100);
  const program = { kind: "analyser", log: [], selfReviewed: false } as const;
  expect(confidencePoints(reviewer("a", many(2), program))).toBe(100);
  const unquoted = checked("z", { citations: [{ file: "a.ts", line: 1 }] });
  expect(confidencePoints(reviewer("a", [unquoted]))).toBe(0);
});

test("without findings, or without anybody who watched, there are no points", () => {
  expect(reliability(reviewer("a", []))).toEqual({
    reviewer: "a",
    reliable: true,
    confidence: null,
    band: null,
    notes: [],
  });
  expect(confidencePoints(reviewer("a", many(1), { filesGiven: 0, filesRead: 0 }))).toBeNull();
  expect(confidencePoints(reviewer("a", many(1), { filesGiven: 1, filesRead: 1 }))).toBe(100);
  expect(reliability(reviewer("a", many(1), { filesRead: null }))).toMatchObject({
    confidence: null,
    band: "all-p1",
    notes: ["nobody watched which files it opened"],
  });
});

test("the bands begin at 85 and 70, and below 50 nothing is relied on", () => {
  const at = (read: number) =>
    reliability(reviewer("a", many(1), { filesGiven: 100, filesRead: read }));
  expect([85, 84, 70, 69].map((read) => at(read).band)).toEqual([
    "accept",
    "spot-check",
    "spot-check",
    "all-p1",
  ]);
  expect(at(50).reliable).toBe(true);
  expect(at(49)).toMatchObject({
    reliable: false,
    notes: ["confidence is 49, expected at least 50"],
  });
});

test("a reviewer's own estimate lowers the band and never raises it", () => {
  expect(reliability(reviewer("a", many(1), { ownConfidence: 60 })).band).toBe("all-p1");
  const low = { filesRead: 6, ownConfidence: 100 };
  expect(reliability(reviewer("a", many(1), low)).band).toBe("all-p1");
});

/** How many of each priority a plan has for 6 P1, 7 P2 and 5 P3. */
function planned(extra: Parameters<typeof reviewer>[2], inlineFailed: boolean): number[] {
  const findings = [
    ...many(6, { priority: "P1" }),
    ...many(7, { priority: "P2" }),
    ...many(5, { priority: "P3" }),
  ];
  const plan = spotCheckPlan(reviewer("a", findings, extra), { inlineFailed });
  expect(plan.of).toBe(18);
  return (["P1", "P2", "P3"] as const).map(
    (priority) => plan.findings.filter(({ finding }) => finding.priority === priority).length,
  );
}

verifies("000-49", "below 70 every P1 gets a second look, otherwise one or two", () => {
  expect(planned({}, false)).toEqual([1, 3, 0]);
  expect(planned({ filesRead: 8 }, false)).toEqual([2, 3, 0]);
  expect(planned({ filesRead: 7 }, false)).toEqual([2, 3, 0]);
  expect(planned({ filesRead: 6 }, false)).toEqual([6, 7, 0]);
  expect(planned({ filesRead: null }, false)).toEqual([6, 7, 0]);
});

test("where the checks of the file failed, every P2 and half of the P3 are looked at", () => {
  expect(planned({}, true)).toEqual([1, 7, 3]);
  expect(planned({ filesRead: 6 }, true)).toEqual([6, 7, 3]);
});

test("who made something up has every P1 looked at, but not what is refuted anyway", () => {
  const findings = [...many(3, { priority: "P1" }), ...many(1, { priority: "P1" }, "HALLUCINATED")];
  const plan = spotCheckPlan(reviewer("a", findings, { filesRead: 10 }), { inlineFailed: false });
  expect(plan.findings).toHaveLength(3);
  expect(plan.findings.every(({ verdict }) => verdict === "CONFIRMED")).toBe(true);
});

test("the choice follows from the identities and not from the order", () => {
  const findings = many(20, { priority: "P1" });
  const choose = (list: typeof findings) =>
    spotCheckPlan(reviewer("a", list), { inlineFailed: false }).findings;
  expect(choose(findings.toReversed())).toEqual(choose(findings));
  const least = findings.map(({ identity }) => identity).toSorted()[0];
  expect(choose(findings).map(({ identity }) => identity)).toEqual([least]);
});

verifies("000-52", "a reviewer's line counts priorities and verdicts anew", () => {
  const findings = [
    checked("1", { priority: "P1" }),
    checked("2", { priority: "P2" }, "INACCURATE"),
    checked("3", { priority: "P3" }, "HALLUCINATED"),
    checked("4", { priority: "P3" }, "UNVERIFIED"),
  ];
  const outcome = reviewerOutcome(reviewer("ward", findings), {
    role: "Security review",
    status: "partial",
    note: "no Seal",
    unread: 2,
  });
  expect(ReviewerOutcome.parse(outcome)).toStrictEqual({
    name: "ward",
    role: "Security review",
    status: "partial",
    note: "no Seal; 1 of 4 findings are not in the source",
    files: 10,
    p1: 1,
    p2: 1,
    p3: 2,
    confidence: 50,
    confirmed: 1,
    inaccurate: 1,
    hallucinated: 1,
    unverified: 1,
    unread: 2,
    reliable: false,
  });
});

verifies("000-52", "the last line says how far the whole can be relied on", () => {
  const good = { reliable: true, confirmed: 4, inaccurate: 1, hallucinated: 0 };
  const bad = { reliable: false, confirmed: 1, inaccurate: 0, hallucinated: 2 };
  expect(overallReliability([good, good])).toBe(
    "High (0 hallucinated of 10 checked findings, 0 of 2 reviewers unreliable)",
  );
  expect(overallReliability([good, good, bad])).toMatch(/^Medium \(2 hallucinated of 13 /);
  expect(overallReliability([good, bad])).toMatch(/^Low /);
  expect(overallReliability([])).toBe("Unknown (no finding was checked)");
});
