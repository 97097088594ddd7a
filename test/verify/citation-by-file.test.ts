import { expect, test } from "vitest";
import { CitationChecker } from "../../src/verify/citation/index.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

test("no more files are under way than may be, and each is asked for once", async () => {
  const files = Array.from({ length: 500 }, (_, number) => `${number}.ts`);
  let [underWay, most, asked] = [0, 0, 0];
  const tree = {
    paths: async () => files,
    find: async () => {
      asked += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return { kind: "file", bytes: Buffer.from("const one = 1;\n"), at: "head" } as const;
    },
  };
  const twice = [...files, ...files.toReversed()];
  const findings = twice.map((file) => findingAt({ file, line: 1, quote: "const one = 1;" }));
  const checked = await new CitationChecker(tree).checkAll(findings);
  expect(checked.every(({ verdict }) => verdict === "CONFIRMED")).toBe(true);
  expect(asked).toBe(500);
  expect(most).toBe(64);
});

test("answers come in the order of the findings, whichever was decided first", async () => {
  const tree = new MemoryTree({ "a.ts": "const one = 1;\n", "b.ts": "const two = 2;\n" });
  const findings = [
    findingAt({ file: "a.ts", line: 1, quote: "const one = 1;" }, { issue: "`inventedOne()`." }),
    findingAt({ file: "b.ts", line: 1, quote: "const two = 2;" }),
    findingAt({ file: "a.ts", line: 1, quote: "const three = 3;" }),
    findingAt({ file: "c.ts", line: 1 }),
  ];
  const told: unknown[] = [];
  const checked = await new CitationChecker(tree).checkAll(findings, (one) => told.push(one));
  expect(checked.map(({ finding }) => finding)).toEqual(findings);
  expect(checked.map(({ verdict }) => verdict)).toEqual([
    "HALLUCINATED",
    "CONFIRMED",
    "HALLUCINATED",
    "HALLUCINATED",
  ]);
  expect(new Set(told)).toEqual(new Set(checked));
  expect(told.at(-1)).toBe(checked[0]);
});

test("what the hearer of an answer throws ends the check", async () => {
  const checker = new CitationChecker(new MemoryTree({ "a.ts": "const one = 1;\n" }));
  const stop = () => {
    throw new Error("stopped");
  };
  const finding = findingAt({ file: "a.ts", line: 1, quote: "const one = 1;" });
  await expect(checker.checkAll([finding], stop)).rejects.toThrow("stopped");
});
