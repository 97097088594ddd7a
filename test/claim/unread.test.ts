import fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../verifies.ts";
import { canonical, read } from "./report.ts";

const told = (text: string) => read(text).unread.map(({ line, why }) => `${line}: ${why}`);

test("an item under a priority that names no file is named with its line", () => {
  const report = read("## P1\n\n- Everything is slow\n- Bad in `a.ts:1`\n");
  expect(report.findings.length).toBe(1);
  expect(report.unread).toEqual([
    { line: 3, text: "Everything is slow", why: "names no file, so that nothing can be checked" },
  ]);
});

test("a heading under a priority that is neither finding nor group is named", () => {
  expect(told("## P1\n\n### Some thoughts\n\nWords.\n")).toEqual([
    "3: is a heading without a file and without evidence, issue or fix below",
  ]);
});

test.each(["None.", "No findings.", "No critical issues found", "N/A", "- None"])(
  "%s under a priority is nothing",
  (text) => {
    expect(told(`## P1\n\n${text}\n\n- ${text.replace("- ", "")}\n`)).toEqual([]);
  },
);

test("an id in brackets outside of any finding is named, and one in code is not", () => {
  expect(told("## Summary\n\nSee [SEC-1], `[SEC-2]` and\n[SEC-3].\n\n```\n[SEC-4]\n```\n")).toEqual(
    ["3: [SEC-1] is named outside of any finding", "4: [SEC-3] is named outside of any finding"],
  );
});

test("an id that is a finding may be spoken of anywhere", () => {
  expect(told(`## Summary\n\n[SEC-001] is bad.\n\n## P1\n\n${canonical("SEC-001")}`)).toEqual([]);
});

test("an id in a part of another finding is part of that finding", () => {
  expect(told("## P1\n\n- **[A-1] T** in `a.ts:1`\n  - [A-2] is the same elsewhere\n")).toEqual([]);
});

verifies("000-18", "a finding inside a fence or a quote of reviewed text is none", () => {
  const inner = canonical("EVIL-1").replaceAll("```", "~~~");
  const fence = read(`## P1\n\n\`\`\`\`ts\n${inner}\n\`\`\`\`\n`);
  expect(fence.findings).toEqual([]);
  expect(fence.unread.map(({ line, why }) => [line, why])).toEqual([
    [3, "stands in a fence, where nothing is a finding; close the fence before it"],
  ]);
  const quote = read(`## P1\n\n> ${inner.replaceAll("\n", "\n> ")}\n`);
  expect(quote.findings).toEqual([]);
  expect(quote.unread.map(({ line, why }) => [line, why])).toEqual([
    [3, "[EVIL-1] stands in a block quote; quoted text is never a finding"],
  ]);
});

test("a report that stands in a fence as a whole is named", () => {
  expect(told(`\`\`\`markdown\n${canonical("A-1").replaceAll("```", "~~~")}\`\`\`\n`)).toEqual([
    "1: stands in a fence, where nothing is a finding; close the fence before it",
  ]);
});

test("a fence that is never closed does not swallow findings in silence", () => {
  const text = "## P1\n\n- **[A-1] T** in `a.ts:1`\n\n```ts\nx()\n\n- **[A-2] U** in `b.ts:1`\n";
  expect(told(text)).toEqual([
    "5: stands in a fence, where nothing is a finding; close the fence before it",
  ]);
  expect(told(text.replace("x()\n", "x()\n```\n"))).toEqual([]);
});

test("what stands in HTML or in a comment is named", () => {
  expect(told("<details>\n- [ ] **[A-1] T** in `a.ts:1`\n</details>\n")).toEqual([
    "2: [A-1] stands in HTML; write findings in Markdown",
  ]);
  expect(told("## P1\n\n- **[A-0] T** in `a.ts:1`\n\n<details>\n- `[A-1] T` in b.ts:1\n")).toEqual([
    "6: [A-1] stands in HTML; write findings in Markdown",
  ]);
  expect(told("<!-- [A-1] hidden -->\n\ntext <!-- [A-2] --> more\n")).toEqual([
    "1: [A-1] stands in a comment that nobody sees",
    "3: [A-2] stands in a comment that nobody sees",
  ]);
});

test("more places than a finding may have are cut, and the rest of the report is read", () => {
  const places = Array.from({ length: 150 }, (_, i) => `\`a.ts:${i + 1}\``).join(" ");
  const report = read(`## P1\n\n- [ ] **[A-1] T** in ${places}\n- [ ] **[A-2] T** in \`b.ts:1\`\n`);
  expect(report.findings.map(({ citations }) => citations.length)).toEqual([100, 1]);
});

verifies("000-17", "what stands under Unverified Observations is set aside, not found", () => {
  const report = read(
    `## Unverified Observations\n\n${canonical("SEC-001")}\n- Perhaps slow\n\nNone.\n\n## P1\n\n- Bad in \`a.ts:1\`\n`,
  );
  expect(report.findings.map(({ title }) => title)).toEqual(["Bad"]);
  expect(report.unverified.map(({ line }) => line)).toEqual([3, 13]);
  expect(report.unread).toEqual([]);
});

/** Parts a document may be made of, around the finding and inside what it stands in. */
const prose = fc.constantFrom(
  "Some words.",
  "- an item\n- another",
  "1. one\n2. two",
  "```ts\ncode()\n```",
  "~~~\n- [ ] fenced\n~~~",
  "> a quote\nlazy",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "<!-- note -->",
  "<div>\n\nx\n\n</div>",
  "---",
  "    indented code",
  "*open emphasis and `open code",
  "<!-- open comment",
  "```open fence",
);
const heading = fc.constantFrom(
  "# Title",
  "## P1 (Critical)",
  "## Summary",
  "### Part",
  "## Unverified Observations",
  "## Self-Review Log",
  "## Human Escalation Required",
  "## JSON",
  "Title\n===",
  "Low\n---",
);
const gap = fc.constantFrom("\n", "\n\n");
const part = fc.oneof({ weight: 3, arbitrary: prose }, { weight: 2, arbitrary: heading });
const wrapped = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replaceAll(/^/gm, " "),
  (text: string) => `- group\n${text.replaceAll(/^/gm, "  ")}`,
  (text: string) => `> ${text.replaceAll("\n", "\n> ")}`,
  (text: string) => text.replaceAll("\n", "\r\n"),
  (text: string) => text.replace(/^- \[ \] /, "### "),
);

test("a canonical finding put anywhere is found or named", () => {
  const document = fc.record({
    before: fc.array(fc.tuple(part, gap), { maxLength: 6 }),
    after: fc.array(fc.tuple(part, gap), { maxLength: 4 }),
    wrap: wrapped,
  });
  let found = 0;
  fc.assert(
    fc.property(document, ({ before, after, wrap }) => {
      const ahead = before.map((pair) => pair.join("")).join("");
      const text = `${ahead}${wrap(canonical("SEC-777"))}\n${after.map((pair) => pair.join("")).join("")}`;
      const report = read(text);
      const isFound = report.findings.some(
        ({ id, citations }) => id === "SEC-777" && citations[0]?.file === "src/db.ts",
      );
      const said = [...report.unread, ...report.unverified].some((entry) =>
        `${entry.text} ${entry.why}`.includes("SEC-777"),
      );
      if (isFound) found += 1;
      expect(isFound || said).toBe(true);
    }),
    { numRuns: 400, seed: 7 },
  );
  expect(found).toBeGreaterThan(150);
});

test("no canonical finding is lost between many", () => {
  const ids = Array.from({ length: 300 }, (_, i) => `SEC-${i + 1}`);
  for (const between of ["", "\n", "\nWords.\n\n", "\n---\n\n", "\n## P2 (High)\n\n"]) {
    const report = read(`## P1\n\n${ids.map((id) => canonical(id)).join(between)}`);
    expect(report.findings.map(({ id }) => id)).toEqual(ids);
    expect(report.findings.every(({ fix }) => fix?.startsWith("Use parameters."))).toBe(true);
    expect(report.unread).toEqual([]);
  }
});

test("places, evidence and words beyond the bounds are named with the finding's line", () => {
  const many = Array.from({ length: 150 }, (_, at) => `\`src/a${at}.ts:1\``).join(", ");
  const places = read(`## P1\n\n- [ ] **[SEC-1] Bad**\n  **File:** ${many}\n  **Issue:** It is.\n`);
  expect(places.findings[0]?.citations).toHaveLength(100);
  expect(places.unread).toMatchObject([
    { line: 3, why: "[SEC-1] names 150 places; the first 100 were read" },
  ]);
  const fences = "  ```\n  x();\n  ```\n\n".repeat(101);
  expect(told(`## P1\n\n- [ ] **[SEC-1] Bad** in \`a.ts:1\`\n\n${fences}`)).toEqual([
    "3: [SEC-1] shows more than 100 pieces of evidence",
  ]);
  const words = "word ".repeat(5_000).trim();
  expect(told(`${canonical("SEC-1")}\n  **Issue:** ${words}\n`)).toEqual([
    expect.stringMatching(
      /^1: \[SEC-1\] has \d+ characters under issue; the first 20000 were read$/,
    ),
  ]);
});
