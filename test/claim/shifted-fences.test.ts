import { expect, test } from "vitest";
import { withShiftedFences } from "../../src/claim/shifted-fences.ts";
import { read } from "./report.ts";

const report = (code: string, fence = "    ```") => `## P1 (Critical)

- [ ] **[SEC-001] One** in \`a.js:3\`
  - **Rune Trace:**
    \`\`\`js
${code}
${fence}
  - **Issue:** the first
- [ ] **[SEC-002] Two** in \`a.js:9\`
  - **Rune Trace:**
    \`\`\`js
    two();
    \`\`\`
  - **Issue:** the second
`;

test.each([
  ["beside its list", "if (x) {\n  run(x);", "if (x) {\n  run(x);"],
  ["less far in than its fence", "  if (x) {\n    run(x);", "  if (x) {\n    run(x);"],
  ["where its fence is", "    if (x) {\n      run(x);", "if (x) {\n  run(x);"],
])("code that stands %s is quoted, and nothing behind it is lost", (_, code, quote) => {
  for (const fence of ["    ```", "```"]) {
    if (fence === "```" && code.startsWith("    ")) continue;
    const { findings, unread } = read(report(code, fence));
    expect(findings).toMatchObject([
      { id: "SEC-001", issue: "the first", citations: [{ line: 3, quote }] },
      { id: "SEC-002", issue: "the second", citations: [{ line: 9, quote: "two();" }] },
    ]);
    expect(unread).toEqual([]);
  }
});

test("a fence that is never ended takes no finding with it", () => {
  const text = report("if (x) {", "").split("\n");
  expect(withShiftedFences(text)).toEqual(text);
  expect(read(text.join("\n")).findings.map(({ id }) => id)).toContain("SEC-002");
});

test("a Seal in code that stands beside its list is still quoted code", () => {
  const seal = "---\nSEAL: {\n  findings: 0\n}\n---";
  expect(read(report(`x();\n${seal}`)).seal).toBeUndefined();
});
