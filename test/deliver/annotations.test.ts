import fc from "fast-check";
import { expect, test } from "vitest";
import { renderAnnotations } from "../../src/deliver/index.ts";
import { emptyReport, hostileReport, hostileReports, reported, sampleReport } from "./sample.ts";

const COMMAND =
  /^::(error|warning|notice) ((?:file|line|endLine|title)=[^:,\n\r]*(?:,(?:file|line|endLine|title)=[^:,\n\r]*)*)::([^\n\r]*)$/;

test("an empty report annotates nothing", () => {
  expect(renderAnnotations(emptyReport())).toBe("");
});

test("a finding is one command with its place, title and message", () => {
  expect(renderAnnotations(emptyReport({ findings: [reported()] }))).toBe(
    "::error file=src/a.ts,line=2,endLine=2,title=[SEC-001] Request text reaches a shell::" +
      "A caller decides what is run.%0A%0AFix: Use `execFile` with a list.%0A%0A" +
      "CONFIRMED: The quoted text stands at the cited lines. Support: a deterministic analyser.\n",
  );
});

test("the priority decides the command, and gaps are warnings", () => {
  const names = [...renderAnnotations(sampleReport()).matchAll(/^::(\w+) /gm)].map(
    ([, name]) => name,
  );
  expect(names).toEqual(["error", "error", "warning", "notice", "warning", "warning"]);
});

test("percent, line ends, colon and comma are escaped as the runner expects", () => {
  const finding = reported({
    title: "50%: a, b",
    issue: "1%\r\n::error::x, y: z\rend",
    citations: [{ file: "a,b:c%.ts", line: 1 }],
  });
  const line = renderAnnotations(emptyReport({ findings: [finding] }));
  expect(line).toContain("file=a%2Cb%3Ac%25.ts,line=1,endLine=1,title=[SEC-001] 50%25%3A a%2C b::");
  expect(line).toContain("::1%25%0A::error::x, y: z⟦U+000D⟧end%0A");
  expect(line.split("\n").length).toBe(2);
});

test("a path that leads out of the tree is not given as a file", () => {
  const finding = reported({ citations: [{ file: "../../etc/passwd", line: 1 }] });
  const line = renderAnnotations(emptyReport({ findings: [finding] }));
  expect(line).toMatch(/^::error title=\[SEC-001\] [^:]*::\.\.\/\.\.\/etc\/passwd%0A/);
});

test("no text of a report starts a command of its own", () => {
  const check = (report: Parameters<typeof renderAnnotations>[0]): void => {
    const lines = renderAnnotations(report).split("\n").slice(0, -1);
    expect(lines.length).toBe(report.findings.length + report.gaps.length);
    for (const line of lines) expect(line).toMatch(COMMAND);
  };
  check(hostileReport());
  fc.assert(fc.property(hostileReports, check), { numRuns: 100 });
});
