import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { correctness } from "../../../src/scan/correctness/index.ts";
import { Finding } from "../../../src/schema/finding.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { reviewed } from "./reviewing.ts";

describe("the correctness reviewer", () => {
  test("covers JavaScript, TypeScript and Python, and no declarations", () => {
    for (const path of ["a.js", "a.mjs", "a.cjs", "a.jsx", "a.ts", "a.tsx", "x/a.py"])
      expect(correctness.covers(path)).toBe(true);
    for (const path of ["a.md", "a.json", "js", "a.d.ts", "a.d.mts", "a.rb"])
      expect(correctness.covers(path)).toBe(false);
  });

  test("gives findings of the shared shape, with the exact lines of both places", () => {
    const text = "if (a) f();\nelse if (b) g();\nelse if (a) h();\n";
    const [found] = correctness.review({ path: "lib/a.js", text });
    expect(() => Finding.parse({ ...found, id: "COR-001" })).not.toThrow();
    expect(found?.citations).toEqual([
      { file: "lib/a.js", line: 3, quote: "else if (a) h();" },
      { file: "lib/a.js", line: 1, quote: "if (a) f();" },
    ]);
  });

  test("finds next to nothing in this project's own source", () => {
    const src = new URL("../../../src/", import.meta.url);
    const names = readdirSync(src, { recursive: true, encoding: "utf8" });
    const found = names
      .filter((name) => name.endsWith(".ts"))
      .flatMap((path) =>
        correctness.review({ path, text: readFileSync(new URL(path, src), "utf8") }),
      );
    expect(names.length).toBeGreaterThan(100);
    expect(found.filter(({ priority }) => priority !== "P3")).toEqual([]);
  });

  test("says that it does not look at a file that is too long", () => {
    const text = "a();\n".repeat(500_000);
    expect(correctness.passesOver?.({ path: "a.js", text })).toContain("2000000");
    expect(correctness.passesOver?.({ path: "a.js", text: "a();" })).toBeUndefined();
  });
});

describe("hostile code is judged in time", () => {
  const cases: readonly (readonly [name: string, text: string])[] = [
    ["deep nesting", `${"if (a) {".repeat(20_000)}${"}".repeat(20_000)}`],
    ["deep parentheses", `x = ${"(".repeat(50_000)}1${")".repeat(50_000)};`],
    ["a long chain", `${"if (a) f(); else ".repeat(20_000)}g();`],
    [
      "a wide file of promises",
      `async function f() { g(); }\n${"function h() { f(); }\n".repeat(5_000)}`,
    ],
    ["many empty catches", "try { b(); } catch {}\n".repeat(20_000)],
    ["a wide class", `class A {\n${"async a() { this.a(); }\n".repeat(5_000)}}`],
    ["nested maps", `${"x = a.map((b) => {".repeat(3_000)}${"});".repeat(3_000)}`],
    ["open brackets", "f([{".repeat(50_000)],
    ["conflict marks", "<<<<<<< a\n=======\n".repeat(50_000)],
  ];
  test.each(cases)("%s", (_, text) => {
    const started = process.cpuUsage();
    reviewed(text);
    expect(processorMsSince(started)).toBeLessThan(20_000);
  });
});
