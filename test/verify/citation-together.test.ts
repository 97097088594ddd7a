import { expect, test } from "vitest";
import { CitationChecker } from "../../src/verify/citation/index.ts";
import { together } from "../../src/verify/citation/together.ts";
import { findingAt, MemoryTree } from "./citation-tree.ts";

test("no more are under way than may be, and each gets its own number", async () => {
  const items = Array.from({ length: 1_500 }, (_, number) => number);
  let [underWay, most] = [0, 0];
  const done: number[] = [];
  await together(items, async (item, at) => {
    expect(at).toBe(item);
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = (1_500 - item) / 10; turn > 0; turn -= 1) await Promise.resolve();
    underWay -= 1;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(items);
  expect(most).toBe(1_000);
});

test("an error in one is the error of all", async () => {
  const fail = () => Promise.reject(new Error("git died"));
  await expect(together([1, 2], fail)).rejects.toThrow("git died");
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
