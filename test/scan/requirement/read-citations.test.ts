import { expect, test } from "vitest";
import {
  holdsExamples,
  readCitations,
  requirementIds,
  subjectIds,
} from "../../../src/scan/requirement/index.ts";
import { verifies } from "../../verifies.ts";

verifies(
  "004-9",
  "ids are found by their form, each once, and nothing that only looks like one",
  () => {
    expect(requirementIds("SHOP-PAY-001 and (CHORUS-INT-004), SHOP-PAY-001.")).toEqual([
      ...["SHOP-PAY-001", "CHORUS-INT-004"],
    ]);
    const near =
      "SHOP-PAY-01 SHOP-PAY-0001 shop-pay-001 SEC-001 CVE-2024-123 A-B-001 xSHOP-PAY-001";
    expect(requirementIds(near)).toEqual([]);
    expect(requirementIds("SHOP-PAY-001-b SHOP-PAY-001_x FOO-SHOP-PAY-001x")).toEqual([]);
    expect(requirementIds(`${"A-".repeat(100_000)}001`)).toEqual([]);
  },
);

test.each([
  ["docs/spec.md", "## SHOP-PAY-001: round once", true],
  ["docs/spec.md", "- **SHOP-PAY-001** round once", true],
  ["docs/spec.md", "| `SHOP-PAY-001` | round once |", true],
  ["docs/spec.md", "12. SHOP-PAY-001 round once", true],
  ["spec.yaml", "  - id: SHOP-PAY-001", true],
  ["spec.json", '  "SHOP-PAY-001": "round once"', true],
  ["docs/spec.md", "This follows from SHOP-PAY-001.", false],
  ["src/a.ts", "SHOP-PAY-001: round once", false],
])("in %s the line %s defines it: %s", (path, line, isDefinition) => {
  expect(readCitations(path, `first\n${line}\n`)).toEqual([
    { id: "SHOP-PAY-001", line: 2, isDefinition },
  ]);
});

const FIXED = `ucxl://any:any@shop:any/git:${"0".repeat(40)}/file/docs/spec.md#SHOP-PAY-001`;

verifies("004-15", "REQ, WHY and UCXL lines are read in the comments of any language", () => {
  for (const mark of ["//", "#", "--", ";;", " *", "<!--", "%", ""]) {
    const text = `${mark} REQ: SHOP-PAY-001 — round once\n${mark} WHY: the bank does\n${mark} UCXL: ${FIXED}\n`;
    expect(readCitations("src/a.x", text), mark).toEqual([
      {
        id: "SHOP-PAY-001",
        line: 1,
        isDefinition: false,
        req: { why: "the bank does", address: FIXED, problems: [] },
      },
      // The address names the id as well, and that is a citation of its own.
      { id: "SHOP-PAY-001", line: 3, isDefinition: false },
    ]);
  }
});

verifies(["004-10", "004-15"], "a REQ line without its reason or a fixed address says so", () => {
  const problems = (text: string) => readCitations("src/a.ts", text)[0]?.req?.problems.join("; ");
  expect(problems("// REQ: SHOP-PAY-001 x\ncode()")).toBe(
    "its REQ line has no WHY line; its REQ line has no UCXL line",
  );
  const floating = FIXED.replace(/git:0+/, "*^");
  expect(problems(`// REQ: SHOP-PAY-001\n// WHY: y\n// UCXL: ${floating}`)).toContain("can change");
  expect(problems("// REQ: SHOP-PAY-001\n// WHY: y\n// UCXL: https://x.y/z")).toContain(
    "no address",
  );
  // What belongs to the next one does not count for this one.
  expect(problems("// REQ: SHOP-PAY-001\n// REQ: SHOP-PAY-002\n// WHY: y")).toContain("no WHY");
});

verifies(
  "004-15",
  "a commit's subject has its kind, its project and its requirement in front",
  () => {
    const form = (subject: string) => subjectIds(subject).isWellFormed;
    expect(subjectIds("feat(SHOP): SHOP-PAY-004 round once")).toEqual({
      ids: ["SHOP-PAY-004"],
      isWellFormed: true,
    });
    expect(form("round once, see SHOP-PAY-004")).toBe(false);
    expect(form("feat(BANK): SHOP-PAY-004 round once")).toBe(false);
    expect(form("feat(SHOP): SHOP-PAY-004")).toBe(false);
    expect(form("tidy up")).toBe(true);
  },
);

test("ids in examples for tests are left out", () => {
  expect(holdsExamples("test/fixtures/a.ts")).toBe(true);
  expect(holdsExamples("src/__mocks__/a.ts")).toBe(true);
  expect(holdsExamples("test/pay.test.ts")).toBe(false);
});
