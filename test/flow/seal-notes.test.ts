import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { sealNotes } from "../../src/flow/review/seal-notes.ts";

const SEAL =
  "---\nSEAL: { findings: 3, evidence_verified: true, confidence: 0.9, self_reviewed: false }\n---\n";
const notesOf = (text: string) => sealNotes("ann", parseReport(text, { path: "r.md" }), text);

test("a Seal in quoted text is not the report's", () => {
  const quoted = SEAL.split("\n").map((line) => `> ${line}`);
  expect(notesOf(`# Review\n\n${quoted.join("\n")}\n`)).toEqual([
    "ann: the Seal in it stands in quoted text, so it is not this report's Seal",
  ]);
  expect(notesOf(`# Review\n\n\`\`\`\n${SEAL}\`\`\`\n`)).toHaveLength(1);
});

test("a report without a Seal needs none", () => {
  expect(notesOf("# Review\n\nNothing is sealed here.\n")).toEqual([]);
});

test("a Seal that counts wrongly is told", () => {
  expect(notesOf(`# Review\n\nText.\n\n${SEAL}`)).toEqual([
    "ann: the Seal says 3 findings, counted 0",
  ]);
});
