import fc from "fast-check";
import { expect, test } from "vitest";
import type { Priority, Verdict } from "../../src/schema/finding.ts";
import {
  type MergedFinding,
  mergeFindings,
  summaryFindings,
  support,
  vouchersOf,
} from "../../src/verify/team/index.ts";
import { checked, reviewer } from "./team-reviewers.ts";

test("one identity is one finding, with the highest priority and every author", () => {
  const { findings } = mergeFindings([
    reviewer("carl", [checked("a", { priority: "P3", title: "Carl's words" })]),
    reviewer("anna", [checked("a", { priority: "P2", title: "Anna's words" })]),
    reviewer("bert", [checked("a", { priority: "P1", title: "Bert's words" })]),
  ]);
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    finding: { priority: "P1", title: "Bert's words" },
    by: "bert",
    also_by: ["anna", "carl"],
  });
  expect(findings[0]?.sayings.map(({ by }) => by)).toEqual(["carl", "anna", "bert"]);
});

test("different things on the same lines stay apart, and near lines are not one place", () => {
  const { findings } = mergeFindings([
    reviewer("anna", [checked("a"), checked("b")]),
    reviewer("bert", [checked("c", { citations: [{ file: "src/a.ts", line: 11 }] })]),
  ]);
  expect(findings).toHaveLength(3);
  expect(findings.map(({ also_by }) => also_by)).toEqual([[], [], []]);
});

test("one that says a thing twice is one author", () => {
  const { findings } = mergeFindings([reviewer("anna", [checked("a"), checked("a")])]);
  expect(findings[0]).toMatchObject({ by: "anna", also_by: [] });
});

test("the best confirmed wording speaks, while the highest priority stays", () => {
  const { findings } = mergeFindings([
    reviewer("anna", [checked("a", { priority: "P1", title: "Unseen" }, "UNVERIFIED")]),
    reviewer("bert", [checked("a", { priority: "P3", title: "Seen" })]),
  ]);
  expect(findings[0]).toMatchObject({
    by: "bert",
    verdict: "CONFIRMED",
    finding: { title: "Seen", priority: "P1" },
    also_by: ["anna"],
  });
});

test("a made-up finding lends its priority to nobody, and is kept apart with its author", () => {
  const { findings, refuted } = mergeFindings([
    reviewer("liar", [checked("a", { priority: "P1" }, "HALLUCINATED")]),
    reviewer("bert", [checked("a", { priority: "P3" })]),
  ]);
  expect(findings).toMatchObject([{ by: "bert", also_by: [], finding: { priority: "P3" } }]);
  expect(refuted).toMatchObject([{ by: "liar", checked: { verdict: "HALLUCINATED" } }]);
});

test("findings come by urgency and place", () => {
  const at = (file: string, line: number) => ({ citations: [{ file, line }] });
  const { findings } = mergeFindings([
    reviewer("anna", [
      checked("1", { priority: "P2", ...at("a.ts", 1) }),
      checked("2", { priority: "P1", ...at("b.ts", 2) }),
      { ...checked("3", { priority: "P1", ...at("b.ts", 9) }), found: { file: "b.ts", line: 1 } },
      checked("4", { priority: "P1", ...at("a.ts", 5) }),
    ]),
  ]);
  expect(findings.map(({ finding }) => finding.citations[0])).toEqual([
    { file: "a.ts", line: 5 },
    { file: "b.ts", line: 9 },
    { file: "b.ts", line: 2 },
    { file: "a.ts", line: 1 },
  ]);
});

const Sayings = fc.array(
  fc.record({
    by: fc.constantFrom("anna", "bert", "carl"),
    identity: fc.constantFrom("a", "b", "c"),
    priority: fc.constantFrom<Priority>("P1", "P2", "P3"),
    verdict: fc.constantFrom<Verdict>("CONFIRMED", "INACCURATE", "UNVERIFIED", "HALLUCINATED"),
  }),
);

test("nobody and nothing is dropped, and the order of reviewers does not matter", () => {
  fc.assert(
    fc.property(Sayings, (sayings) => {
      const of = (name: string) =>
        reviewer(
          name,
          sayings
            .filter(({ by }) => by === name)
            .map(({ identity, priority, verdict }) => checked(identity, { priority }, verdict)),
        );
      const team = ["anna", "bert", "carl"].map(of);
      const { findings, refuted } = mergeFindings(team);
      const kept = findings.flatMap((finding) => finding.sayings).length + refuted.length;
      expect(kept).toBe(sayings.length);
      for (const { by, also_by, sayings: said } of findings) {
        expect([by, ...also_by].toSorted()).toEqual([...new Set(said.map((s) => s.by))].toSorted());
      }
      const plain = (list: readonly MergedFinding[]) =>
        list.map(({ sayings: _, ...finding }) => finding);
      expect(plain(mergeFindings(team.toReversed()).findings)).toEqual(plain(findings));
    }),
    { numRuns: 200 },
  );
});

function supportOf(team: Parameters<typeof mergeFindings>[0], reproduced: string[] = []) {
  const [finding] = mergeFindings(team).findings;
  if (finding === undefined) throw new Error("expected a finding");
  return support(finding, vouchersOf(team, new Set(reproduced)));
}

test("one agent's finding rests on its quotation", () => {
  expect(supportOf([reviewer("anna", [checked("a")])])).toBe("quotation");
});

test("a second agent of another family supports it, one of the same family does not", () => {
  const anna = reviewer("anna", [checked("a")], { family: "m1" });
  expect(supportOf([anna, reviewer("bert", [checked("a")], { family: "m2" })])).toBe(
    "second-reviewer",
  );
  expect(supportOf([anna, reviewer("bert", [checked("a")], { family: "m1" })])).toBe("quotation");
});

test("a second agent that made something up, or whose saying was not checked, does not", () => {
  const anna = reviewer("anna", [checked("a")]);
  const liar = reviewer("liar", [checked("a"), checked("b", {}, "HALLUCINATED")]);
  expect(supportOf([anna, liar])).toBe("quotation");
  expect(supportOf([anna, reviewer("bert", [checked("a", {}, "UNVERIFIED")])])).toBe("quotation");
  const unquoted = checked("a", { citations: [{ file: "src/a.ts", line: 10 }] });
  expect(supportOf([anna, reviewer("bert", [unquoted])])).toBe("quotation");
});

test("a program supports it, alone or with others", () => {
  const analyser = reviewer("rules", [checked("a")], { kind: "analyser", log: [] });
  expect(supportOf([analyser])).toBe("analyser");
  expect(supportOf([reviewer("anna", [checked("a")]), analyser])).toBe("analyser");
  expect(supportOf([reviewer("anna", [checked("a")]), { ...analyser, findings: [] }])).toBe(
    "quotation",
  );
});

test("a program that the source seems to refute still supports its findings: we erred, and no gate opens", () => {
  const findings = [checked("a"), checked("b", {}, "HALLUCINATED")];
  expect(supportOf([reviewer("rules", findings, { kind: "analyser", log: [] })])).toBe("analyser");
});

test("a run of the runtime's own comes first", () => {
  const team = [reviewer("rules", [checked("a")], { kind: "analyser" })];
  const identity = team[0]?.findings[0]?.identity ?? "";
  expect(supportOf(team, [identity])).toBe("reproducer");
});

test("every P1 about security belongs into the summary, whoever speaks for it", () => {
  const { findings } = mergeFindings([
    reviewer("anna", [
      checked("a", { id: "BACK-001", priority: "P1" }),
      checked("b", { id: "SEC-002", priority: "P2" }),
      checked("c", { id: "BACK-003", priority: "P1" }),
    ]),
    reviewer("ward", [checked("a", { id: "SEC-001", priority: "P2" })]),
  ]);
  expect(summaryFindings(findings).map(({ finding }) => finding.id)).toEqual(["BACK-001"]);
});
