import { type ParsedReport, parseReport } from "../../src/claim/index.ts";
import { Finding, Unread } from "../../src/schema/finding.ts";

/** Reads Markdown and holds what comes out to the schema. */
export function read(text: string): ParsedReport {
  const report = parseReport(text, { path: "review.md" });
  for (const finding of report.findings) Finding.parse(finding);
  for (const entry of [...report.unread, ...report.unverified]) Unread.parse(entry);
  if (report.nonces.length !== report.findings.length) throw new Error("nonces are not parallel");
  return report;
}

/** A finding in the canonical form. */
export function canonical(id: string, file = "src/db.ts", line = 42): string {
  return [
    `- [ ] **[${id}] Query built from input** in \`${file}:${line}\``,
    "  **Rune Trace:**",
    "  ```ts",
    `  // Lines ${line}-${line + 1} of ${file}`,
    '  const query = "select " + name;',
    "  return db.run(query);",
    "  ```",
    "  **Issue:** `name` comes from the request.",
    "  **Fix:** Use parameters.",
    "",
  ].join("\n");
}
