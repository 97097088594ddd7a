import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { read } from "./report.ts";

const LONG = `SEAL: {
  findings: 7,
  evidence_verified: true,
  confidence: 0.85,
  self_reviewed: true,
  self_review_actions: "confirmed: 5, revised: 1, deleted: 1"
}`;
const SHORT =
  "SEAL: { findings: 7, evidence_verified: true, confidence: 0.85, self_reviewed: true }";
const SHORT_SEAL = { findings: 7, evidence_verified: true, confidence: 85, self_reviewed: true };
const ruled = (seal: string): string => `---\n${seal}\n---\n`;
const sealOf = (text: string) => read(text).seal;

verifies(
  ["000-10", "000-24", "000-25", "000-26", "000-27", "000-28"],
  "the Seal at the end of a report is read, in its long and in its short form",
  () => {
    expect(sealOf(`# Review\n\nWords.\n\n${ruled(LONG)}`)).toEqual({
      seal: { ...SHORT_SEAL, self_review_actions: "confirmed: 5, revised: 1, deleted: 1" },
      line: 6,
      isLast: true,
    });
    expect(sealOf(`${ruled(SHORT)}\n \n`)).toEqual({ seal: SHORT_SEAL, line: 2, isLast: true });
  },
);

test("the Seal is no section, and its words belong to none", () => {
  expect(read(`## Summary\n\nTwo words.\n\n${ruled(SHORT)}`).sections).toEqual([
    { title: "Summary", line: 1, words: 2 },
  ]);
});

test.each([
  ["missing commas at line ends", LONG.replaceAll(",\n", "\n")],
  ["JSON", LONG.replace(/^ {2}(\w+):/gm, '  "$1":')],
  ["single quotes", LONG.replaceAll('"', "'")],
  ["a trailing comma", LONG.replace(/\n}$/, ",\n}")],
  ["blank lines", LONG.replace("{\n", "{\n\n").replace(/\n}$/, "\n\n}")],
  ["bold", LONG.replace("SEAL:", "**SEAL:**")],
  ["percent", LONG.replace("0.85", "85%")],
  ["yes", LONG.replace("evidence_verified: true", "evidence_verified: yes")],
  ["CRLF", LONG.replaceAll("\n", "\r\n")],
])("it may be written with %s", (_, seal) => {
  expect(sealOf(ruled(seal))).toMatchObject({
    seal: { ...SHORT_SEAL, self_review_actions: "confirmed: 5, revised: 1, deleted: 1" },
    isLast: true,
  });
});

verifies("000-29", "the count of flagged clarifications is read under either spelling", () => {
  for (const name of ["clarifications-flagged", "clarifications_flagged"]) {
    expect(sealOf(ruled(SHORT.replace(" }", `, ${name}: 2, nonce: "ab12" }`)))).toMatchObject({
      seal: { clarifications_flagged: 2, nonce: "ab12" },
    });
  }
});

test.each([
  ["no rules", SHORT],
  ["no rule before it", `words\n\n${SHORT}\n---\n`],
  ["no rule behind it", `---\n${SHORT}\n`],
  ["no brace", ruled("SEAL: findings 7")],
  ["a member missing", ruled(SHORT.replace("findings: 7, ", ""))],
  ["a member twice", ruled(SHORT.replace("findings: 7,", "findings: 7, findings: 0,"))],
  ["a confidence above 1", ruled(SHORT.replace("0.85", "85"))],
  ["a fraction of a finding", ruled(SHORT.replace("findings: 7", "findings: 7.5"))],
  ["words for a boolean", ruled(SHORT.replace("verified: true", "verified: true/false"))],
  ["placeholders", ruled(SHORT.replace("7", "N"))],
  ["text behind the brace", ruled(`${SHORT} trust me`)],
  ["no closing brace", ruled(SHORT.replace(" }", ""))],
  ["a fence in it", ruled(`${SHORT}\n\`\`\`\nx\n\`\`\``)],
])("a Seal with %s is a problem, not a Seal", (_, text) => {
  const seal = sealOf(text);
  expect(seal).toHaveProperty("problem");
  expect(seal).not.toHaveProperty("seal");
});

test.each([
  ["a fence", `\`\`\`\n${ruled(SHORT)}\`\`\`\n`],
  ["a quote", `> ${ruled(SHORT).replaceAll("\n", "\n> ")}\n`],
  ["an item", `- text\n\n  ${ruled(SHORT).replaceAll("\n", "\n  ")}\n`],
  ["an indented block", `    ${ruled(SHORT).replaceAll("\n", "\n    ")}\n`],
  ["an open fence", `~~~\nx\n\n${ruled(SHORT)}`],
  ["a comment", `<!--\n${ruled(SHORT)}-->\n`],
])("a Seal in %s is none", (_, text) => {
  expect(sealOf(`# Review\n\n${text}`)).toBeUndefined();
});

test("the last Seal counts, and one with text behind it is not last", () => {
  const second = ruled(SHORT.replace("7", "2"));
  expect(sealOf(`${ruled(SHORT)}\n${second}`)).toMatchObject({
    seal: { findings: 2 },
    isLast: true,
  });
  expect(sealOf(`${ruled(SHORT)}\nOne more thing.\n`)).toMatchObject({ isLast: false });
  expect(sealOf(`${ruled(SHORT)}\n<!-- x -->\n`)).toMatchObject({ isLast: false });
  expect(sealOf(`${ruled(SHORT)}\n\`\`\`\n${second}\`\`\`\n`)).toMatchObject({
    seal: { findings: 7 },
    isLast: false,
  });
});

test("names that every object inherits are names like any other", () => {
  const seal = sealOf(ruled(SHORT.replace(" }", ", __proto__: { a: 1 }, constructor: 1 }")));
  expect(seal).toEqual({ seal: SHORT_SEAL, line: 2, isLast: true });
});
