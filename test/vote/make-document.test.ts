import { expect } from "vitest";
import { CompletionDocument } from "../../src/schema/completion.ts";
import { judgeDone, makeDocument } from "../../src/vote/index.ts";
import { verifies } from "../verifies.ts";

const ASKED = {
  completionId: "k1",
  artifact: `git:${"4f".repeat(20)}`,
  subject: "0".repeat(64),
  scope: ["login"],
  build: "4f".repeat(20),
  authors: [{ agent: "nia" }],
  facts: {},
};

const PROPOSED = { at: "2026-01-01T00:00:00.000Z", keys: null, dueBeat: undefined };

verifies("004-99", "what tools printed stands in a proposal as it came", () => {
  const text = "\u001b[32m✓\u001b[0m 3 passed  \n\n\ttook 1 ms\r\n";
  const outputs = [{ name: "npm test", text }];
  const document = makeDocument({ ...ASKED, outputs }, judgeDone({}), PROPOSED);
  expect(CompletionDocument.parse(document).outputs).toEqual([{ name: "npm test", text }]);
});

verifies("004-98", "what nobody said of a completion shows as not said", () => {
  const document = makeDocument(ASKED, judgeDone({}), PROPOSED);
  expect(CompletionDocument.parse(document)).toMatchObject({
    diff: null,
    tests: null,
    rollback: null,
    performance: [],
    provenance: { addresses: [ASKED.artifact] },
    evidence: { context: [], results: [], data: [] },
  });
});
