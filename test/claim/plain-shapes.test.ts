import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";

const parsed = (text: string) => parseReport(`# Review\n\n${text}\n`, { path: "r.md" });
const found = (text: string) =>
  parsed(text).findings.map(({ id, priority, title, citations: [cited] }) => [
    id,
    priority,
    title,
    `${cited?.file}:${cited?.line}`,
  ]);
const told = (text: string) => parsed(text).unread.map(({ line }) => line);

test.each([
  ["1. **P1 Bad** (`src/a.js:8`): it goes into a shell"],
  ["- **P1** `src/a.js:8` Bad"],
  ["- P1 `src/a.js:8` Bad"],
  ["- P1 — Bad in src/a.js:8"],
  ["- **Critical**: Bad — `src/a.js:8`"],
  ["- **Blocker**: Bad in `src/a.js:8`"],
  ["- 🔴 **Critical** Bad `src/a.js:8`"],
  ["1. Critical severity: Bad (src/a.js:8)"],
  ["- **Critical issue**: Bad in `src/a.js:8`"],
  ["- **Severity: Critical** — Bad at `src/a.js:8`"],
  ["- **Bad** (Critical, `src/a.js:8`)"],
  ["- **Bad** — Critical — `src/a.js:8`"],
  ["- `src/a.js:8` **P1** Bad"],
  ["- **src/a.js:8** — P1: Bad"],
  ["- src/a.js:8: critical severity: Bad"],
  ["# P1: Bad in `src/a.js:8`"],
  ["### P1 Bad — `src/a.js:8`\n\nText."],
  ["### Critical - Bad\n\n`src/a.js:8`\n\nText."],
  ["**P1: Bad** (`src/a.js:8`)\n\nText."],
  ["## Findings\n\n**P1 Bad** (`src/a.js:8`)\n\nText."],
])("%s is a finding without an id", (text) => {
  expect(found(text)).toEqual([["X-1", "P1", "Bad", "src/a.js:8"]]);
  expect(told(text)).toEqual([]);
});

test.each([
  ["**High**", "P2"],
  ["**Major**:", "P2"],
  ["Medium:", "P3"],
  ["**Low** —", "P3"],
  ["Minor -", "P3"],
  ["(P3)", "P3"],
  ["P2", "P2"],
])("%s is %s", (word, priority) => {
  expect(found(`- ${word} Bad in \`src/a.js:8\``)).toEqual([
    ["X-1", priority, "Bad", "src/a.js:8"],
  ]);
});

test("findings of one list are numbered by their place", () => {
  const list = "1. **P1 Bad** (`a.js:8`): x\n2. **P2 Worse** (`b.js:9`): y\n   - see `c.js:1`";
  expect(found(list)).toEqual([
    ["X-1", "P1", "Bad", "a.js:8"],
    ["X-2", "P2", "Worse", "b.js:9"],
  ]);
  const paragraphs = "## Findings\n\n**P1: Bad** (`a.js:8`)\n\nText.\n\n**P2: Worse** (`b.js:9`)";
  expect(found(paragraphs)).toEqual([
    ["X-1", "P1", "Bad", "a.js:8"],
    ["X-2", "P2", "Worse", "b.js:9"],
  ]);
});

test.each([
  "I looked at `src/a.js:1`, and it has high cohesion.",
  "- I looked at `src/a.js:1`, and it has high cohesion.",
  "- Checked the low path in `src/a.js:1`: fine.",
  "- Read src/a.js:1-40, no issues",
  "The critical path in `src/a.js:3` is fine.",
  "## Summary\n\nThe P1 of last week in `src/a.js:3` is gone.",
  "- P1: 2 findings\n- P2: none\n- **High**: 0",
  "High-level overview of `src/a.js:3`.",
  "- `src/a.js:1` starts the server",
  "## Major changes since the last review\n\n- the server",
])("%s is no finding, and nothing to tell of", (text) => {
  expect([found(text), told(text)]).toEqual([[], []]);
});

test.each([
  ["a level without a place", "- **P1** everything is slow", [3]],
  ["a heading with a level and no place", "### Critical: everything is slow\n\nText.", [3]],
  ["lines that are no list", "P1: bad at src/a.js:1\nP2: worse at src/a.js:2", [3]],
  ["a level somewhere in an item", "- In `src/a.js:1` there is a critical hole", [3]],
  ["a level and a place below a heading", "### Bad\n\n**High** `src/a.js:3`", [5]],
  ["an item beside a finding", "- **P1** `a.js:1` x\n- and y in `b.js:2`", [4]],
])("%s is told of with its line", (_, text, lines) => {
  expect(told(text)).toEqual(lines);
});
