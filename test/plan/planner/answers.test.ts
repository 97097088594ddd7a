import { expect, test } from "vitest";
import * as z from "zod";
import {
  chooseInterpretation,
  Doubts,
  EngineerAnswer,
  hasCode,
  namesOne,
  readAnswer,
} from "../../../src/plan/planner/index.ts";
import { ENGINEER } from "../../flow/plan/planner/scripted-agent.ts";

const Shape = z.strictObject({ a: z.int() });

test.each([
  '{"a":1}',
  ' \n{"a":1}\n',
  'Here it is:\n```json\n{"a":1}\n```\nThat is all.',
  '~~~\n{"a":1}\n~~~',
  '```json\n{"a":0}\n```\nNo, rather\n```json\n{"a":1}\n```',
  'The answer is {"a":1}, as asked.',
])("an answer is found in %j", (text) => {
  expect(readAnswer(text, Shape)).toEqual({ value: { a: 1 }, violations: [] });
});

test.each([
  ["", /empty/],
  ["I cannot do that.", /holds no JSON object/],
  ['{"a":1,"a":2}', /cannot be read/],
  ['{"a":', /cannot be read/],
  ["[1]", /no JSON object/],
  ['{"a":"one"}', /^a: expected a number, found "one"$/],
  ["{}", /^a: it is missing: write a number$/],
  ['{"a":1,"b":2}', /^b: the schema has no such field/],
])("%j is no answer", (text, why) => {
  const { value, violations } = readAnswer(text, Shape);
  expect(value).toBe(undefined);
  expect(violations[0]).toMatch(why);
});

test("a flood of braces or fences costs what its length costs", () => {
  for (const text of [
    "{".repeat(200_000),
    "```\n".repeat(100_000),
    `{"a":${"[".repeat(100_000)}`,
  ]) {
    const began = performance.now();
    expect(readAnswer(text, Shape).value).toBe(undefined);
    expect(performance.now() - began).toBeLessThan(2_000);
  }
});

test.each([
  "```\nanything\n```",
  "Do it so:\ndef cut(lines):\n    return lines[:20]",
  "export function cut(lines) { return lines; }",
  "const a = 1;\nconst b = 2;",
  "diff --git a/x b/x",
  "x.run(1);\ny.run(2);",
])("%j is code", (text) => {
  expect(hasCode(text)).toBe(true);
});

test.each([
  "In `src/a.ts`, print at most 20 lines. The test is test_cut().",
  "First do this;\nthen do that;\nthen stop.",
  "Class names: keep them.\nfunction names too",
  "start with `npm start` on port 8080",
  "if the file is missing: say so\nfor each line: print it",
  "return 404 when it is not there",
])("%j is no code", (text) => {
  expect(hasCode(text)).toBe(false);
});

test("evidence names a file that is there, with or without a line", () => {
  const isFile = (path: string) => path === "src/a.ts";
  for (const text of [
    "src/a.ts",
    "./src/a.ts",
    "src/a.ts:12",
    "see `src/a.ts:3-9`.",
    "src/a.ts.",
  ]) {
    expect(namesOne(text, isFile), text).toBe(true);
  }
  for (const text of ["", "src/b.ts", "I looked everywhere", "src/a.tsx"]) {
    expect(namesOne(text, isFile), text).toBe(false);
  }
});

test("an IMPOSSIBLE reading without an explanation is no answer", () => {
  const silent = { ...ENGINEER, verdict: "IMPOSSIBLE", explanation: " " };
  expect(EngineerAnswer.safeParse(silent).success).toBe(false);
});

test("tractable readings go before uncertain ones, then certainty less risk, then order", () => {
  const one = (more: object) => EngineerAnswer.parse({ ...ENGINEER, ...more });
  const chosen = (...all: EngineerAnswer[]) => chooseInterpretation(all).selected?.reading.done;
  expect(
    chosen(
      one({ verdict: "UNCERTAIN", confidence: 99, done: "a" }),
      one({ confidence: 50, done: "b" }),
    ),
  ).toBe("b");
  expect(
    chosen(one({ confidence: 90, risk: "HIGH", done: "a" }), one({ confidence: 80, done: "b" })),
  ).toBe("b");
  expect(
    chosen(one({ confidence: 90, risk: "MEDIUM", done: "a" }), one({ confidence: 80, done: "b" })),
  ).toBe("a");
  expect(chosen(one({ done: "a" }), one({ done: "b" }))).toBe("a");
});

const doubt = {
  ...{ ambiguity: "How many?", type: "SPECIFY" as const, risk: undefined },
  ...{ question: "How many lines?", context: "It bounds the layout.", default: "20" },
};

test("what people answered is not asked again, and what nobody answered in time is an assumption", () => {
  const answered = (answer: string, isDefault: boolean, question = "How  many lines?\n\nmore") => {
    const doubts = new Doubts([{ question, answer, isDefault }]);
    doubts.raise(doubt);
    return { ...doubts.ambiguities[0], asked: doubts.questions.length };
  };
  expect(answered("30", false)).toMatchObject({
    resolution: "30",
    assumption_risk: "LOW",
    asked: 0,
  });
  expect(answered("20", true)).toMatchObject({
    resolution: "20",
    assumption_risk: "MEDIUM",
    asked: 0,
  });
  expect(answered("Probably 30", false)).toMatchObject({ assumption_risk: "MEDIUM", asked: 0 });
  expect(answered("none", false)).toMatchObject({ resolution: "None, as was answered.", asked: 0 });
  expect(answered("TBD", false)).toMatchObject({ resolution: "", asked: 1 });
  expect(answered("30", false, "How many files?")).toMatchObject({ resolution: "", asked: 1 });
});

test("a question quotes what it would resolve", () => {
  const doubts = new Doubts([]);
  doubts.raise(doubt);
  expect(doubts.questions[0]?.context).toBe("How many? It bounds the layout.");
});

test("what is unclear and why it matters are two sentences", () => {
  const doubts = new Doubts([]);
  const asked = { question: "How long?", default: "60", type: "SPECIFY", risk: undefined } as const;
  doubts.raise({ ...asked, ambiguity: "How long it may be", context: "No number is named." });
  doubts.raise({ ...asked, ambiguity: "It is long.", context: "No number is named." });
  expect(doubts.questions.map(({ context }) => context)).toEqual([
    "How long it may be. No number is named.",
    "It is long. No number is named.",
  ]);
});
