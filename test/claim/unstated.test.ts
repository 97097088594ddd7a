import { expect, test } from "vitest";
import { parseReport } from "../../src/claim/index.ts";
import { Finding } from "../../src/schema/finding.ts";

function readReview(text: string) {
  const { findings, unread } = parseReport(text, { path: "review.md", isReview: true });
  for (const finding of findings) Finding.parse(finding);
  const told = findings.map(({ title, priority, citations: [cited] }) => [
    title,
    priority,
    `${cited?.file}:${cited?.line}`,
  ]);
  return { told, quotes: findings.map(({ citations }) => citations[0]?.quote), unread };
}

test.each([
  [
    "a list",
    "Two problems:\n\n- src/a.js:18 `paid = true` is too early\n- In `src/b.js:3`, no check\n",
  ],
  ["a numbered list", "1. src/a.js:18 `paid = true` is too early\n2. In `src/b.js:3`, no check\n"],
  [
    "a list under a heading",
    "# Review\n\n## Findings\n\n- src/a.js:18 `paid = true` is too early\n- `src/b.js:3`: no check\n",
  ],
  [
    "headings",
    "## 1. src/a.js:18 `paid = true` is too early\n\nIt is.\n\n## 2. No check in `src/b.js:3`\n\nIt lacks.\n",
  ],
])(
  "where no finding has a priority, %s with lines of files has findings of none stated",
  (_, text) => {
    const { told, unread } = readReview(text);
    expect(told.map(([, priority, place]) => [priority, place])).toEqual([
      ["P2", "src/a.js:18"],
      ["P2", "src/b.js:3"],
    ]);
    expect(told[0]?.[0]).toContain("`paid = true`");
    expect(unread).toEqual([]);
  },
);

test("what stands below such an item is a part of it", () => {
  const text =
    "- src/a.js:18 is too early\n  ```js\n  paid = true;\n  ```\n  - reached from src/b.js:3\n- src/c.js:1 is fine\n";
  const { told, quotes } = readReview(text);
  expect(told.map(([, , place]) => place)).toEqual(["src/a.js:18", "src/c.js:1"]);
  expect(quotes).toEqual(["paid = true;", undefined]);
});

test("beside a finding with a priority, an item without one stays unread", () => {
  const { told, unread } = readReview("- **High** src/a.js:18 too early\n- src/b.js:3 no check\n");
  expect(told).toHaveLength(1);
  expect(unread[0]?.why).toBe(
    "names a place beside a finding, and no priority; it was not checked",
  );
});

test("a list of what is fine, or of what was done, has no findings", () => {
  expect(readReview("No findings.\n\n- src/a.js:18 was looked at\n").told).toEqual([]);
  expect(readReview("- the tests\n- src/a.js is fine\n").told).toEqual([]);
  // Only who hands in a review lists what is wrong: anybody else may list what was changed.
  const { findings } = parseReport("- src/a.js:18 checks it now\n", { path: "message" });
  expect(findings).toEqual([]);
});
