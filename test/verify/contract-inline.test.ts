import { expect, test } from "vitest";
import {
  askedQuestions,
  checkDeliverable,
  inlineChecks,
  inlineValidationDocument,
  ONE_LOOK,
  readContract,
  waitForFiles,
} from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { CONTRACT, file, finding, NONCE, REPORT, sealed, WARD } from "./contract-delivered.ts";

const checksOf = (
  delivery: Parameters<typeof inlineChecks>[1],
  nonce: string | undefined = NONCE,
) => inlineChecks(WARD, delivery, nonce).checks;

verifies("000-33", "each section, the quotations and the Seal are answered for one by one", () => {
  expect(checksOf(file(REPORT))).toEqual({
    "P1 (Critical)": true,
    "P2 (High)": true,
    "P3 (Medium)": true,
    "Self-Review Log": true,
    Summary: true,
    "Rune Traces": true,
    Seal: true,
  });
  expect(checksOf(file({ ...REPORT, sections: REPORT.sections.slice(1) }))).toMatchObject({
    "P1 (Critical)": false,
    "P2 (High)": true,
  });
  const { quote: _, ...bare } = finding("SEC-001", "P1").citations[0] ?? { file: "" };
  const unquoted = { ...finding("SEC-001", "P1"), citations: [bare] };
  expect(checksOf(file({ ...REPORT, findings: [unquoted] }))["Rune Traces"]).toBe(false);
  expect(checksOf(file(sealed({ nonce: "f".repeat(32) })))["Seal"]).toBe(false);
});

test("a file that is not there passes nothing, and an error is no pass", () => {
  const answers = [
    ...Object.values(checksOf({ kind: "missing" })),
    ...Object.values(checksOf({ kind: "unreadable", why: "EIO" })),
  ];
  expect(answers).toHaveLength(14);
  expect(answers).not.toContain(true);
});

test("a section that is called like another check does not stand in for it", () => {
  const owing = { ...WARD, required_sections: ["Seal", "__proto__"] };
  const sections = ["Seal", "__proto__"].map((title) => ({ title, words: 11 }));
  const { checks } = inlineChecks(owing, file({ ...REPORT, sections, seal: undefined }), NONCE);
  expect(Object.entries(checks)).toEqual([
    ["Seal", false],
    ["__proto__", true],
    ["Rune Traces", true],
  ]);
});

test("the document of the inline checks has the format's keys", () => {
  const results = [{ name: "ward", checks: { Summary: true, Seal: false } }];
  expect(JSON.parse(inlineValidationDocument("2026-02-11T11:00:00Z", results))).toEqual({
    timestamp: "2026-02-11T11:00:00Z",
    results: { ward: { checks: { Summary: true, Seal: false } } },
    tarnished_checked: 1,
  });
});

test("a file that was not to be checked is partial, however good it looks", () => {
  const delivery = {
    kind: "file",
    text: "x".repeat(101),
    report: REPORT,
    unchecked: "it waits",
  } as const;
  expect(checkDeliverable(WARD, delivery, NONCE)).toMatchObject({
    status: "partial",
    reasons: ["it waits"],
    counts: { p1: 1, p2: 1, p3: 1 },
  });
});

test("the only look is the last one", () => {
  expect(waitForFiles(ONE_LOOK, 2, 0)).toEqual({
    kind: "abort",
    reason: "none of the 2 expected files is there; check the output folder and the prompts",
  });
  expect(waitForFiles(ONE_LOOK, 2, 1)).toEqual({ kind: "proceed" });
});

verifies("000-56", "an agent has one question for its lead; the second is not heard", () => {
  const ask = (text: string, line: number) =>
    ({ kind: "CLARIFICATION_REQUEST", text, line }) as const;
  const person = { kind: "Human Escalation Required", text: "Who?", line: 9 } as const;
  expect(askedQuestions("ward", [ask("a", 1), person, ask("b", 2), person])).toEqual({
    asked: [
      { by: "ward", to: "lead", text: "a", line: 1, heard: true },
      { by: "ward", to: "person", text: "Who?", line: 9, heard: true },
      { by: "ward", to: "lead", text: "b", line: 2, heard: false },
      { by: "ward", to: "person", text: "Who?", line: 9, heard: true },
    ],
    notes: ["ward asked its lead 2 times, expected at most 1"],
  });
  expect(askedQuestions("ward", [ask("a", 1)]).notes).toEqual([]);
});

test.each(["inscription.json", "completion.json", "inline-validation.json", "STATE.json"])(
  "nobody may deliver under the name %s",
  (output_file) => {
    const teammates = [{ ...WARD, output_file }];
    expect(readContract(JSON.stringify({ ...CONTRACT, teammates }))).toEqual({
      kind: "problems",
      problems: [
        { path: "teammates[0].output_file", message: "the check itself writes this file" },
      ],
    });
  },
);
