import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { security } from "../../../src/scan/security/index.ts";
import { Finding } from "../../../src/schema/finding.ts";

const TEXT = `const { exec } = require("child_process");

module.exports = function (name, done) {
  const command = "git log " + name;
  exec(command, done);
};
`;

describe("the security reviewer", () => {
  test("covers JavaScript, TypeScript and Python, and no declarations", () => {
    for (const path of ["a.js", "a.mjs", "a.cjs", "a.jsx", "a.ts", "a.tsx", "x/a.py"])
      expect(security.covers(path)).toBe(true);
    for (const path of ["a.md", "a.json", "js", "a.d.ts", "a.rb"])
      expect(security.covers(path)).toBe(false);
  });

  test("cites the sink and the way to it with the exact lines", () => {
    const [found] = security.review({ path: "lib/log.js", text: TEXT });
    expect(found?.citations).toEqual([
      { file: "lib/log.js", line: 5, quote: "  exec(command, done);" },
    ]);
    expect(found?.path?.map(({ line }) => line)).toEqual([3, 4, 5]);
    expect(found?.issue).toContain("`name`");
    expect(found?.issue).toContain("`child_process.exec`");
    expect(found?.fix).toContain("execFile");
  });

  test("cites a pattern first and its use after it", () => {
    const text = "const NAME = /^(a+)+$/;\n\nexports.f = (text) => NAME.test(text);\n";
    const [found] = security.review({ path: "lib/name.js", text });
    expect(found?.citations.map(({ line }) => line)).toEqual([1, 3]);
  });

  test("reads code that carries its source map with it", () => {
    const map = `//# sourceMappingURL=data:application/json;base64,${"A".repeat(50_000)}`;
    expect(security.review({ path: "lib/log.js", text: `${TEXT}${map}\n` })).toHaveLength(1);
  });

  test("gives findings of the shared shape, for every file of the corpus", () => {
    const corpus = new URL("../../../bench/corpus/", import.meta.url);
    for (const name of readdirSync(corpus, { recursive: true }).map(String)) {
      if (!/\.(?:vulnerable|fixed)\./.test(name)) continue;
      const text = readFileSync(new URL(name, corpus), "utf8");
      const lines = text.split("\n");
      for (const found of security.review({ path: name, text })) {
        Finding.parse({ id: "SEC-001", ...found });
        for (const { line = 0, quote } of [...found.citations, ...(found.path ?? [])])
          if (quote !== undefined)
            expect(
              lines
                .slice(line - 1)
                .join("\n")
                .startsWith(quote),
            ).toBe(true);
      }
    }
  });

  test("finds the weak spots of the corpus and is silent about the twins", () => {
    const corpus = new URL("../../../bench/corpus/", import.meta.url);
    const names = readdirSync(corpus, { recursive: true }).map(String);
    const weak = names.filter((name) => name.includes(".vulnerable."));
    const loud = (name: string) => {
      const text = readFileSync(new URL(name, corpus), "utf8").replace(
        / *(?:\/\/|#) sink: [a-z-]+$/gm,
        "",
      );
      const [category] = name.split("/");
      return security
        .review({ path: name, text })
        .some((one) => one.category === category && one.priority !== "P3");
    };
    expect(weak.length).toBeGreaterThanOrEqual(60);
    expect(weak.filter((name) => loud(name)).length / weak.length).toBeGreaterThanOrEqual(0.85);
    const twins = weak.map((name) => name.replace(".vulnerable.", ".fixed."));
    expect(twins.filter((name) => loud(name)).length / twins.length).toBeLessThanOrEqual(0.05);
  });
});
