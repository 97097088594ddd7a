import fc from "fast-check";
import { expect, test } from "vitest";
import { displayWidth, fitted } from "../../src/deliver/display-width.ts";
import { renderSummary } from "../../src/deliver/index.ts";
import type { ReviewReport } from "../../src/schema/review.ts";
import {
  emptyReport,
  hostileReport,
  hostileReports,
  reported,
  reviewer,
  sampleReport,
} from "./sample.ts";

const PLAIN = { width: 100, colours: false };
const plain = (report: ReviewReport): string => renderSummary(report, PLAIN);

test("a person sees reviewers, findings, lies, gaps and what to do next", () => {
  expect(plain(sampleReport())).toBe(
    `Sworn: review of corner-shop, main..checkout-rewrite
COMPLETED WITH GAPS
reliability low, covered 34 of 43 files (79 %)

  security  2 P1  0 P2  0 P3  checked 2/2  complete
  backend   1 P1  1 P2  0 P3  checked 3/3  made up 1  complete, unreliable: One finding was made up…
  quality   0 P1  0 P2  1 P3  checked 0/1  complete
  frontend  missing: no file was delivered in time

P1  SEC-001  An e-mail address is put into SQL text
    src/routes/login.ts:9-10
P1  SEC-002  A query parameter reaches a shell
    exports/orders.py:6
P2  SEC-003  Passwords are hashed with MD5
    src/routes/login.ts:8 (inaccurate, quotation only)
and 1 P3, in the report

Lies caught: 1
  backend cited src/db/transaction.ts:88: The file has no such line.

Not covered: 2
  web/**/*.tsx: nobody else looks at these files
  assets/map.bin: the file is not text

Notes: 1
  security and backend say the same about src/routes/login.ts:9

Known before and not raised again: 3 dismissed, 17 from the baseline

Next: fix the 2 supported P1, then review again.
`,
  );
});

test("an empty report says that nothing was found, and claims no more", () => {
  expect(plain(emptyReport())).toBe(`Sworn: review of shop, main..HEAD
COMPLETED
reliability unknown, covered no files

No finding.

Next: nothing stands against it as far as these reviewers looked.
`);
});

test.each([
  ["nothing can be relied on", emptyReport({ status: "failed", findings: [reported()] })],
  ["fix the 1 supported P1", emptyReport({ findings: [reported()] })],
  ["look at each P1 yourself", emptyReport({ findings: [reported({}, { support: "quotation" })] })],
  ["have the parts reviewed", emptyReport({ status: "completed_with_gaps" })],
  ["decide about each P2", emptyReport({ findings: [reported({ priority: "P2" })] })],
])("the next step is: %s", (words, report) => {
  expect(plain(report)).toContain(`Next: ${words}`);
});

test("colours are added only when asked for, and change no word", () => {
  const coloured = renderSummary(sampleReport(), { width: 100, colours: true });
  const escapeCharacter = String.fromCharCode(27);
  expect(coloured).toContain(`${escapeCharacter}[31mP1${escapeCharacter}[0m`);
  expect(coloured.replaceAll(new RegExp(`${escapeCharacter}\\[\\d+m`, "g"), "")).toBe(
    plain(sampleReport()),
  );
});

test("columns stay aligned for wide and combining characters", () => {
  const reviewers = [reviewer("検査"), reviewer("e\u0301lan"), reviewer("🔍x")];
  const lines = plain(emptyReport({ reviewers })).split("\n").slice(4, 7);
  expect(lines).toEqual([
    "  検査  0 P1  0 P2  0 P3  checked 0/0  complete",
    "  e\u0301lan  0 P1  0 P2  0 P3  checked 0/0  complete",
    "  🔍x   0 P1  0 P2  0 P3  checked 0/0  complete",
  ]);
  expect(lines.map((line) => displayWidth(line.split(" 0 P1")[0] ?? ""))).toEqual([7, 7, 7]);
});

test("a line is cut between characters and says so", () => {
  expect(fitted("検査検査", 5)).toBe("検査…");
  expect(fitted("abc", 3)).toBe("abc");
  expect(fitted("abcd", 3)).toBe("ab…");
});

test("a long list of gaps is counted", () => {
  const gaps = Array.from({ length: 8 }, (_, index) => ({ what: `f${index}`, why: "x" }));
  const text = plain(emptyReport({ gaps }));
  expect(text).toContain("Not covered: 8\n");
  expect(text).toContain("  f4: x\n  and 3 more, in the report\n");
});

test("a runner finds no command in what is shown", () => {
  const title = "##[add-path]x ##vso[task.setvariable]y";
  const report = emptyReport({ kind: "::error::x", findings: [reported({ title })] });
  expect(plain(report)).not.toMatch(/##\[|##vso\[|^\s*::/m);
});

test("no control character of a report reaches the terminal, and no line is too long", () => {
  const check = (report: ReviewReport): void => {
    for (const width of [10, 80]) {
      const lines = renderSummary(report, { width, colours: false }).split("\n");
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      const widest = Math.max(...lines.map(displayWidth));
      expect(widest).toBeLessThanOrEqual(Math.max(width, 40));
    }
  };
  check(hostileReport());
  fc.assert(fc.property(hostileReports, check), { numRuns: 100 });
});
