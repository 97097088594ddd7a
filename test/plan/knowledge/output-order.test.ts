import fc from "fast-check";
import { expect, test } from "vitest";
import { checkOutputOrder } from "../../../src/plan/knowledge/index.ts";
import { verifies } from "../../verifies.ts";

const GIVEN =
  "# Internal context of shop\n\n### port: The port\n\n| It is 8080.\n| And 443 outside.\n";
const PARTS = {
  cutoff: "## Knowledge Cutoff\n\n2025-06\n",
  internal: "## Internal Context (from Project)\n\n### port: The port\n\n| It is 8080.\n",
  web: "## Latest Context (from Web)\n\n- 2026-03-01: 8080 was taken, https://example.org/8080\n",
  answer:
    "## Reasoned Answer\n\nAs the internal context says: 8080. From training: nothing. The web agrees.\n",
  next: "## Next Steps\n\n- Open the port.\n",
};
type Part = keyof typeof PARTS;
const answerOf = (changes: Partial<Record<Part, string>> = {}, order = Object.keys(PARTS)) =>
  order.map((name) => ({ ...PARTS, ...changes })[name as Part]).join("\n");

verifies("004-117", "an answer in the right order, quoted word for word, passes", () => {
  expect(checkOutputOrder(answerOf(), { given: GIVEN })).toEqual([]);
  expect(checkOutputOrder(answerOf({ web: "" }), { given: GIVEN })).toEqual([]);
  const plain = answerOf({
    cutoff: "Knowledge Cutoff: June 2025\n",
    internal: "**Internal Context**\n\n| It is 8080.\n",
    next: "Next Steps:\n1. Open it.\n",
  });
  expect(checkOutputOrder(plain, { given: GIVEN })).toEqual([]);
});

const wrongs: [string, string, string][] = [
  ["no section", answerOf({ next: "" }), 'there is no section "Next Steps"'],
  ["a section twice", answerOf({ next: PARTS.next + PARTS.next }), "more than once"],
  [
    "another order",
    answerOf({}, ["cutoff", "answer", "internal", "next"]),
    '"Internal Context (from Project)" stands too late',
  ],
  ["a long cutoff", answerOf({ cutoff: `${PARTS.cutoff}And more.\n` }), "one line, found 2"],
  [
    "a retold context",
    answerOf({ internal: "## Internal Context\n\nThe port is 8080.\n" }),
    "not word for word",
  ],
  [
    "a context in another order",
    answerOf({ internal: "## Internal Context\n\n| It is 8080.\n### port: The port\n" }),
    "not word for word",
  ],
  ["an empty context", answerOf({ internal: "## Internal Context\n" }), "is empty"],
  [
    "a link without its date",
    answerOf({ web: "## Latest Context\n- see https://example.org/2026-03-01\n" }),
    "without a date or a link",
  ],
  [
    "a date without its link",
    answerOf({ web: "## Latest Context\n- 2026-03-01: it is so\n" }),
    "without a date or a link",
  ],
  [
    "the web without need",
    answerOf({ web: "## Latest Context\n- 2020-01-01: old, https://example.org/a\n" }),
    "older than the cutoff",
  ],
  ["the web as prose", answerOf({ web: "## Latest Context\n\nIt is so.\n" }), "found none"],
  [
    "an answer out of nowhere",
    answerOf({ answer: "## Reasoned Answer\n\nTraining and the web say 8080.\n" }),
    "which section it rests on",
  ],
  [
    "an answer that hides training",
    answerOf({ answer: "## Reasoned Answer\n\nAs the internal context and the web say.\n" }),
    "what is from training",
  ],
  [
    "an answer that hides the web",
    answerOf({ answer: "## Reasoned Answer\n\nInternal context; from training: nothing.\n" }),
    "what is from the web",
  ],
  ["no steps", answerOf({ next: "## Next Steps\n" }), '"Next Steps" is empty'],
  ["endless words", "a".repeat(2_000_000), "expected at most"],
];
for (const [name, text, problem] of wrongs) {
  verifies(["004-116", "004-117", "004-119"], `${name} is told`, () => {
    expect(checkOutputOrder(text, { given: GIVEN }).join("\n")).toContain(problem);
  });
}

verifies("004-113", "the first reply states the cutoff, and no other one does", () => {
  expect(checkOutputOrder(answerOf({ cutoff: "" }))).toEqual([
    'there is no section "Knowledge Cutoff"',
  ]);
  expect(checkOutputOrder(answerOf({ cutoff: "" }), { isFirst: false })).toEqual([]);
  expect(checkOutputOrder(answerOf(), { isFirst: false })).toEqual([
    expect.stringContaining("only the first reply"),
  ]);
});

test("what is quoted opens no section, and a fence that stays open hides what follows", () => {
  const quoted = "## Internal Context\n\n````text\n| x\n## Next Steps\n```\n````\n";
  expect(checkOutputOrder(answerOf({ internal: quoted }))).toEqual([]);
  const open = answerOf({ internal: "## Internal Context\n\n```text\n| x\n" });
  expect(checkOutputOrder(open)).toEqual(
    expect.arrayContaining(['there is no section "Reasoned Answer"']),
  );
});

test("any text gets an answer", () => {
  const word = fc.constantFrom("## Next Steps", "```", "- ", "\n", "Knowledge Cutoff:", "x", "**");
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
      expect(Array.isArray(checkOutputOrder(words.join("\n"), { given: GIVEN }))).toBe(true);
    }),
  );
});
