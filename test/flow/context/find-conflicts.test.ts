import { expect, test } from "vitest";
import { findConflicts, type Stated } from "../../../src/flow/context/find-conflicts.ts";
import { verifies } from "../../verifies.ts";

const fact = (seq: number, more: Partial<Stated> = {}): Stated => ({
  ...{ kind: "fact", id: `f${seq}`, subject: "The port", says: "8080", trace: "one", seq },
  address: `ucxl://${more.trace ?? "one"}/${seq}`,
  ...more,
});

test("what says the same twice, or is about something else, is no conflict", () => {
  const all = [fact(1), fact(2), fact(3, { subject: "The host", says: "here" })];
  expect(findConflicts([...all, fact(4, { kind: "decision", says: "443" })])).toEqual([]);
});

verifies("004-7", "in one trace the later of two that differ counts, and both are named", () => {
  expect(findConflicts([fact(1), fact(5, { subject: "the  PORT!", says: "443" })])).toEqual([
    {
      kind: "fact",
      about: "The port",
      between: ["ucxl://one/1", "ucxl://one/5"],
      holds: "ucxl://one/5",
      why: expect.stringContaining("the later one counts"),
    },
  ]);
});

test("between two traces no clock decides: it is said to be open", () => {
  const [conflict] = findConflicts([fact(1), fact(9, { trace: "two", says: "443" })]);
  expect(conflict).toMatchObject({ holds: null, why: expect.stringContaining("ask a person") });
});

test("one name with two meanings is a conflict, whatever the subjects are called", () => {
  const all = [fact(1, { id: "port" }), fact(2, { id: "port", subject: "Harbour", says: "Kiel" })];
  expect(findConflicts(all)).toMatchObject([{ between: ["ucxl://one/1", "ucxl://one/2"] }]);
});

test("a name and a subject can join two that have neither in common", () => {
  const all = [
    fact(1, { id: "a", subject: "x", says: "1" }),
    fact(2, { id: "b", subject: "y", says: "2" }),
    fact(3, { id: "a", subject: "y", says: "1" }),
  ];
  expect(findConflicts(all)).toMatchObject([{ between: expect.arrayContaining(["ucxl://one/2"]) }]);
});

test("what was replaced is told, and no longer contradicts anything", () => {
  const all = [fact(1), fact(2, { subject: "Another", says: "443", supersedes: [1] })];
  expect(findConflicts([...all, fact(3, { says: "80" })])).toEqual([
    expect.objectContaining({
      between: ["ucxl://one/1", "ucxl://one/2"],
      holds: "ucxl://one/2",
      why: expect.stringContaining("takes the place"),
    }),
  ]);
});

test("what is replaced by name is replaced in its own trace, and never by something before it", () => {
  const replaces = ["f1"];
  const by = (seq: number, more: Partial<Stated> = {}) =>
    findConflicts([fact(1), fact(seq, { subject: "Else", says: "443", replaces, ...more })]);
  expect(by(2)).toMatchObject([{ holds: "ucxl://one/2" }]);
  expect(by(0)).toEqual([]);
  expect(by(2, { trace: "two" })).toEqual([]);
});

test("texts that differ in a sign alone differ", () => {
  expect(findConflicts([fact(1, { says: "-1" }), fact(2, { says: "1" })])).toHaveLength(1);
});
