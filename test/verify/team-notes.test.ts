import { expect, test } from "vitest";
import { SelfReviewHealth } from "../../src/schema/review.ts";
import { selfReviewHealth, teamNotes } from "../../src/verify/team/index.ts";
import { verifies } from "../verifies.ts";
import { checked, many, reviewer, rows } from "./team-reviewers.ts";

const at = (line: number, file = "src/a.ts") => ({ citations: [{ file, line, quote: "x = 1" }] });

test("the same words from three agents may come from one source; from two they may not", () => {
  const words = (identity: string, title: string) =>
    checked(identity, { title, issue: "It  leaks." });
  const team = [
    reviewer("carl", [words("1", "Token leak")]),
    reviewer("anna", [words("2", "token LEAK")]),
    reviewer("bert", [words("3", "Token  leak")]),
  ];
  expect(teamNotes(team)).toEqual([
    '3 reviewers use the same words for "Token leak" (anna, bert, carl): they may repeat one source',
  ]);
  expect(teamNotes(team.slice(1))).toEqual([]);
  // A program says the same thing every time; one agent twice is still one.
  const program = reviewer("rules", [words("4", "Token leak")], { kind: "analyser" });
  const twice = reviewer("anna", [words("2", "Token leak"), words("5", "Token leak")]);
  expect(teamNotes([...team.slice(2), twice, program])).toEqual([]);
});

test("opposite statements about one thing within five lines are noted", () => {
  const says = (name: string, line: number, fix: string, file?: string) =>
    reviewer(name, [checked(name, { title: "Validation", fix, ...at(line, file) })]);
  const anna = says("anna", 10, "Add a length check");
  expect(teamNotes([anna, says("bert", 15, "Remove the length check")])).toEqual([
    'src/a.ts:10: anna says "add" and bert says "remove" of "validation"',
  ]);
  expect(teamNotes([anna, says("bert", 16, "Remove the length check")])).toEqual([]);
  expect(teamNotes([anna, says("bert", 10, "Remove the length check", "src/b.ts")])).toEqual([]);
  expect(teamNotes([anna, says("bert", 10, "Add and remove a length check")])).toEqual([]);
  expect(teamNotes([anna, says("bert", 10, "Rename it")])).toEqual([]);
});

test("opposite words about different things, from one reviewer, or made up, are no conflict", () => {
  const one = checked("1", { title: "Add retry", ...at(10) });
  const other = checked("2", { title: "Remove logging", ...at(10) });
  expect(teamNotes([reviewer("anna", [one]), reviewer("bert", [other])])).toEqual([]);
  const same = checked("3", { title: "Remove retry", ...at(10) });
  expect(teamNotes([reviewer("anna", [one, same])])).toEqual([]);
  expect(teamNotes([reviewer("anna", [one]), reviewer("bert", [same])])).toHaveLength(1);
  const invented = checked("3", { title: "Remove retry", ...at(10) }, "HALLUCINATED");
  expect(teamNotes([reviewer("anna", [one]), reviewer("bert", [invented])])).toEqual([]);
});

test("near places are found among other files and in any order", () => {
  const add = (line: number, file: string) =>
    checked(`${file}+`, { title: "Add retry", ...at(line, file) });
  const cut = (line: number, file: string) =>
    checked(`${file}-`, { title: "Remove retry", ...at(line, file) });
  const anna = reviewer("anna", [add(50, "b.ts"), add(9, "a.ts"), add(1, "c.ts")]);
  const bert = reviewer("bert", [cut(90, "c.ts"), cut(5, "a.ts"), cut(52, "b.ts")]);
  expect(teamNotes([anna, bert])).toEqual([
    'a.ts:5: bert says "remove" and anna says "add" of "retry"',
    'b.ts:50: anna says "add" and bert says "remove" of "retry"',
  ]);
});

test("one title with different issues is not the same words", () => {
  const says = (name: string, issue: string) =>
    reviewer(name, [checked(name, { title: "Leak", issue })]);
  expect(teamNotes([says("a", "one"), says("b", "two"), says("c", "three")])).toEqual([]);
});

test("the true place of a finding counts, where it differs from the cited one", () => {
  const one = checked("1", { title: "Add retry", ...at(10) });
  const far = {
    ...checked("2", { title: "Remove retry", ...at(90) }),
    found: { file: "src/a.ts", line: 12 },
  };
  expect(teamNotes([reviewer("anna", [one]), reviewer("bert", [far])])).toHaveLength(1);
});

test("a flood of findings on one line is given up and said so", () => {
  const flood = many(700, { title: "Add retry", priority: "P3", ...at(1) });
  const notes = teamNotes([reviewer("anna", flood), reviewer("bert", flood)]);
  expect(notes).toContain("too many findings to compare them all");
});

test("who takes out more than a quarter of its findings is noted", () => {
  const log = (deleted: number) => [...rows("confirmed", 8 - deleted), ...rows("deleted", deleted)];
  expect(teamNotes([reviewer("anna", many(1), { log: log(2) })])).toEqual([]);
  expect(teamNotes([reviewer("anna", many(1), { log: log(3) })])).toEqual([
    "anna took out 3 of 8 findings again, more than 25 %",
  ]);
});

test("silence over ten files is noted for an agent, not for a program", () => {
  expect(teamNotes([reviewer("anna", [], { filesGiven: 9 })])).toEqual([]);
  expect(teamNotes([reviewer("anna", [])])).toEqual(["anna found nothing in 10 files"]);
  expect(teamNotes([reviewer("rules", [], { kind: "analyser" })])).toEqual([]);
});

test("more than 15 findings with evidence for less than 70 % are noted", () => {
  const mixed = (backed: number, bare: number) => [
    ...many(backed),
    ...many(bare, {}, "UNVERIFIED"),
  ];
  expect(teamNotes([reviewer("anna", mixed(11, 5))])).toEqual([
    "anna has 16 findings, only 11 of them with evidence",
  ]);
  expect(teamNotes([reviewer("anna", mixed(14, 6))])).toEqual([]);
  expect(teamNotes([reviewer("anna", mixed(0, 15))])).toEqual([]);
});

function health(
  counts: { confirmed?: number; revised?: number; deleted?: number; unlogged?: number },
  editsSeen: number | null = counts.revised ?? 0,
) {
  const { confirmed = 0, revised = 0, deleted = 0, unlogged = 0 } = counts;
  const judged = selfReviewHealth({
    reviewer: "anna",
    log: [
      ...rows("confirmed", confirmed),
      ...rows("revised", revised),
      ...rows("deleted", deleted),
    ],
    serious: confirmed + revised + unlogged,
    editsSeen,
  });
  return SelfReviewHealth.parse(judged);
}

verifies("000-53", "the share confirmed is healthy above 80 % and rotted below 50 %", () => {
  expect(health({ confirmed: 81, revised: 19 }).health).toBe("healthy");
  expect(health({ confirmed: 80, revised: 20 })).toMatchObject({
    health: "warning",
    notes: ["80 of 100 confirmed, expected more than 80 %"],
  });
  expect(health({ confirmed: 50, revised: 50 }).health).toBe("warning");
  expect(health({ confirmed: 49, revised: 51 }).health).toBe("rotted");
});

verifies("000-53", "the share deleted is healthy below 10 % and rotted above 25 %", () => {
  expect(health({ confirmed: 91, deleted: 9 })).toStrictEqual({
    reviewer: "anna",
    confirmed: 91,
    revised: 0,
    deleted: 9,
    logged: 100,
    expected: 100,
    health: "healthy",
    notes: [],
  });
  expect(health({ confirmed: 90, deleted: 10 })).toMatchObject({
    health: "warning",
    notes: ["10 of 100 deleted, expected less than 10 %"],
  });
  expect(health({ confirmed: 75, deleted: 25 }).health).toBe("warning");
  expect(health({ confirmed: 74, deleted: 26 }).health).toBe("rotted");
});

verifies("000-53", "the log is healthy when full and rotted below 80 %", () => {
  expect(health({ confirmed: 10 }).health).toBe("healthy");
  expect(health({ confirmed: 9, unlogged: 1 })).toMatchObject({
    health: "warning",
    notes: ["9 of 10 P1 and P2 logged"],
  });
  expect(health({ confirmed: 8, unlogged: 2 }).health).toBe("warning");
  expect(health({ confirmed: 79, unlogged: 21 }).health).toBe("rotted");
  expect(health({ unlogged: 3 })).toMatchObject({
    health: "rotted",
    notes: ["0 of 3 P1 and P2 logged"],
  });
  // Rows about nothing are no completeness.
  expect(health({ confirmed: 10, unlogged: -2 }).health).toBe("warning");
});

verifies(
  "000-53",
  "revised findings are healthy when all were seen to change, rotted when none",
  () => {
    expect(health({ confirmed: 18, revised: 2 }, 2).health).toBe("healthy");
    expect(health({ confirmed: 18, revised: 2 }, 1)).toMatchObject({
      health: "warning",
      notes: ["1 of 2 revised findings were seen to change"],
    });
    expect(health({ confirmed: 18, revised: 2 }, 0).health).toBe("rotted");
    expect(health({ confirmed: 18, revised: 2 }, null)).toMatchObject({
      health: "warning",
      notes: ["2 revised, and nobody watched whether they changed"],
    });
  },
);

test("with nothing to look at again, an empty log is in order", () => {
  expect(health({})).toMatchObject({ health: "healthy", logged: 0, expected: 0, notes: [] });
});
