import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Finding } from "../../src/schema/finding.ts";
import { findAll, findAllLinear } from "../../src/verify/citation/find-all.ts";
import {
  checkFinding,
  identified,
  identityOf,
  normalizePath,
} from "../../src/verify/citation/index.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

const QUOTE = { file: "a.ts", line: 3, quote: "  eval(input);\n  done();" };
const base = findingAt(QUOTE);
const identity = (more: Partial<Finding> = {}, path = "a.ts") =>
  identityOf({ ...base, ...more }, path);

test("line, number, priority, confidence and white space do not change an identity", () => {
  const same: Partial<Finding>[] = [
    { id: "SEC-099" },
    { priority: "P3" },
    { confidence: 10 },
    { title: "Said in other words" },
    { citations: [{ ...QUOTE, line: 77, end_line: 78 }] },
    { citations: [{ ...QUOTE, quote: "\teval(input);\r\n\tdone();\n" }] },
    { citations: [{ ...QUOTE, file: "./a.ts" }] },
  ];
  for (const more of same) expect(identity(more)).toBe(identity());
  expect(identity()).toMatch(/^[0-9a-f]{64}$/);
});

test("path, text and category change it", () => {
  const others = [
    identity({}, "b.ts"),
    identity({ category: "other" }),
    identity({ citations: [{ ...QUOTE, quote: "eval(output);" }] }),
    identity({ citations: [{ file: "a.ts" }] }),
  ];
  expect(new Set([identity(), ...others]).size).toBe(5);
});

test("without a category or a quote the title's words count, without their numbers", () => {
  const { category: _, ...plain } = base;
  const of = (title: string) => identityOf({ ...plain, title }, "a.ts");
  expect(of("SQL injection at line 4")).toBe(of("sql  injection, at line 17"));
  expect(of("SQL injection")).not.toBe(of("Shell injection"));
  const bare = (title: string) =>
    identityOf({ ...base, title, citations: [{ file: "a.ts" }] }, "a.ts");
  expect(bare("One thing")).not.toBe(bare("Another thing"));
});

test("broken characters in a report break no identity", () => {
  expect(identity({ citations: [{ ...QUOTE, quote: "x\ud800" }] })).toMatch(/^[0-9a-f]{64}$/);
});

test("the same finding keeps its identity when its lines move", async () => {
  const of = async (text: string) =>
    identified(await checkFinding(base, new MemoryTree({ "a.ts": text }))).identity;
  const code = "a\nb\n  eval(input);\n  done();\n";
  expect(await of(code)).toBe(await of(`new\nlines\n${code}`));
  const moved = new MemoryTree({ "a.ts": { kind: "moved", to: "b.ts" }, "b.ts": code });
  const renamed = identified(await checkFinding(base, moved));
  expect(renamed.identity).toBe(identity({}, "b.ts"));
});

test("both searches agree on any text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 60 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, pattern, fc.integer({ min: 1, max: 20 }), (text, pattern, max) => {
      const [bytes, wanted] = [Buffer.from(text), Buffer.from(pattern)];
      expect(findAllLinear(bytes, wanted, max)).toEqual(findAll(bytes, wanted, max));
    }),
  );
});

test("a quote cut from a text is confirmed at its lines, and at no others made up", async () => {
  const word = fc.constantFrom("foo", "bar", "x1", "(", ")", " ", "  ", "\t", ";");
  const line = fc.array(word, { maxLength: 6 }).map((words) => words.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 1, max: 5 }),
      async (lines, seed, length) => {
        const from = seed % lines.length;
        const quoted = lines.slice(from, from + length);
        fc.pre(/\w/.test(quoted[0] ?? ""));
        const tree = new MemoryTree({ "a.ts": `${lines.join("\n")}\n` });
        const quote = quoted.join("\n");
        const at = async (line: number) =>
          (await checkFinding(findingAt({ file: "a.ts", line, quote }), tree)).verdict;
        expect(await at(from + 1)).toBe("CONFIRMED");
        expect(await at(1)).toMatch(/^(CONFIRMED|INACCURATE)$/);
      },
    ),
    { numRuns: 200 },
  );
});

test("a normalised path stays inside and normalises to itself", () => {
  const segment = fc.constantFrom("a", "b.ts", ".", "..", "", "...", " ");
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
      const path = normalizePath(segments.join("/"));
      if (path === undefined) return;
      expect(path).not.toMatch(/^\/|(^|\/)\.{0,2}(\/|$)/);
      expect(normalizePath(path)).toBe(path);
    }),
  );
});
