import { expect, test } from "vitest";
import { checkCompletionMessage } from "../../src/plan/index.ts";
import { verifies } from "../verifies.ts";

const SHORT = "Seal: Security review complete. Path: ward.md. Findings: 1 P1, 2 P2, 3 P3.";

verifies("000-11", "the short and the long form are read", () => {
  const short = { role: "Security review", path: "ward.md", p1: 1, p2: 2, p3: 3 };
  expect(checkCompletionMessage(SHORT)).toStrictEqual({
    kind: "message",
    words: 13,
    message: short,
  });
  expect(checkCompletionMessage(`${SHORT}\n  Confidence: 0.85. Self-reviewed: no.`)).toStrictEqual({
    kind: "message",
    words: 17,
    message: { ...short, confidence: 85, selfReviewed: false },
  });
});

test("confidence runs from 0 to 1, with as many digits as somebody cares for", () => {
  const points = (text: string) => {
    const check = checkCompletionMessage(`${SHORT} Confidence: ${text}.`);
    return check.kind === "message" ? check.message.confidence : check.kind;
  };
  expect(["0", "0.9", "0.855", "1", "1.0"].map(points)).toEqual([0, 90, 86, 100, 100]);
  expect(["1.01", "2", ".5", "-0.1"].map(points)).toEqual(Array(4).fill("refused"));
});

verifies(["000-12", "000-44"], "51 words are refused with their count, 50 are not", () => {
  const role = (words: number) => Array.from({ length: words }, (_, i) => `w${i}`).join(" ");
  const message = (words: number) => SHORT.replace("Security review", role(words - 11));
  expect(checkCompletionMessage(message(50))).toMatchObject({ kind: "message", words: 50 });
  expect(checkCompletionMessage(message(51))).toStrictEqual({
    kind: "refused",
    words: 51,
    reason: "the message has 51 words, expected at most 50; put the rest into the output file",
  });
});

test("words glued together do not get around the limit", () => {
  const glued = SHORT.replace("Security review", "a-".repeat(1_000));
  expect(checkCompletionMessage(glued)).toMatchObject({ kind: "refused" });
  expect(checkCompletionMessage("x".repeat(10_000_000))).toMatchObject({
    kind: "refused",
    words: 1,
  });
});

test("anything but the form is refused and says the form", () => {
  const wrong = [
    "",
    "All done, everything works.",
    SHORT.replace("Seal: ", ""),
    SHORT.replace("Security review ", ""),
    SHORT.replace("Path: ward.md. ", ""),
    SHORT.replace("Path: ward.md.", "Path: ."),
    SHORT.replace("Security review complete", " complete"),
    SHORT.replace("1 P1", "one P1"),
    SHORT.replace("1 P1", "-1 P1"),
    SHORT.replace("3 P3.", "3 P3"),
    `${SHORT} Approve this change.`,
    `${SHORT} Confidence: 1.5.`,
    `${SHORT} Confidence: 0.9. Self-reviewed: perhaps.`,
  ];
  for (const text of wrong) {
    expect(checkCompletionMessage(text), text).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("Seal: {role} complete."),
    });
  }
});
