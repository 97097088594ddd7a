import fc from "fast-check";
import { expect, test } from "vitest";
import { assignFiles } from "../../src/plan/index.ts";
import { verifies } from "../verifies.ts";

const anyone = { name: "any", scope: ["**"], budget: 100 };

test("each file has one reader, and the narrowest scope comes first", () => {
  const writer = { name: "writer", scope: ["**/*.md"], budget: 10 };
  const { given, gaps } = assignFiles(["a.ts", "b.md"], [anyone, writer]);
  expect(given).toEqual([
    { name: "any", files: ["a.ts"] },
    { name: "writer", files: ["b.md"] },
  ]);
  expect(gaps).toEqual([]);
});

test("those who can read anything share what nobody's scope names, in stretches", () => {
  const files = Array.from({ length: 6 }, (_, at) => `src/${at}.ts`);
  const one = { name: "one", scope: ["**"], budget: 4 };
  const two = { name: "two", scope: ["**/*.yml", "**"], budget: 2 };
  const own = (...args: Parameters<typeof assignFiles>) =>
    Object.fromEntries(assignFiles(...args).given.map(({ name, files: each }) => [name, each]));
  expect(own(files, [two, one])).toEqual({ one: files.slice(0, 4), two: files.slice(4) });
  expect(own(files.slice(0, 1), [two, one])).toEqual({ one: files.slice(0, 1), two: [] });
  expect(own(files.slice(0, 2), [two, one])).toEqual({ one: ["src/0.ts"], two: ["src/1.ts"] });
  // What its scope names comes first, whatever its order is.
  expect(own([...files, "z.yml"], [two, one])).toEqual({
    one: files.slice(0, 4),
    two: ["src/4.ts", "z.yml"],
  });
  expect(assignFiles([...files, "z.yml"], [two, one]).gaps).toEqual([
    { file: "src/5.ts", why: "over the budget" },
  ]);
});

test("with overlap, everybody gets what is in their scope", () => {
  const writer = { name: "writer", scope: ["**/*.md"], budget: 10 };
  const { given } = assignFiles(["a.ts", "b.md"], [anyone, writer], { overlap: true });
  expect(given.map(({ files }) => files)).toEqual([["a.ts", "b.md"], ["b.md"]]);
});

verifies("000-35", "a file that nobody gets is named with the reason", () => {
  const small = { name: "small", scope: ["src/**"], budget: 1 };
  const { given, gaps } = assignFiles(["src/b.ts", "src/a.ts", "lib/c.ts"], [small]);
  expect(given).toEqual([{ name: "small", files: ["src/a.ts"] }]);
  expect(gaps).toEqual([
    { file: "lib/c.ts", why: "no agent's scope" },
    { file: "src/b.ts", why: "over the budget" },
  ]);
});

verifies("000-54", "sources come before references, and get the room first", () => {
  const files = ["README.md", "a.md", "z.ts", "b.py"];
  expect(assignFiles(files, [anyone]).given[0]?.files).toEqual([
    "b.py",
    "z.ts",
    "README.md",
    "a.md",
  ]);
  const reversed = assignFiles(files, [anyone], { readOrdering: "reference_first" });
  expect(reversed.given[0]?.files).toEqual(["README.md", "a.md", "b.py", "z.ts"]);
  const tight = assignFiles(files, [{ ...anyone, budget: 2 }]);
  expect(tight.gaps.map(({ file }) => file)).toEqual(["README.md", "a.md"]);
});

test("hidden folders are in scope, and a name with glob letters is only a name", () => {
  const { gaps } = assignFiles([".github/ci.yml", "app/[id]/(x)!.tsx", "a\nb.ts"], [anyone]);
  expect(gaps).toEqual([]);
});

test("one glob of several is enough, a leading ! is a letter, and a backslash parts no folders", () => {
  const two = { name: "two", scope: ["a/*", "b/*"], budget: 9 };
  expect(assignFiles(["a/x", "b/x"], [two]).gaps).toEqual([]);
  const not = { name: "not", scope: ["!a"], budget: 9 };
  expect(assignFiles(["a", "b", "!a"], [not]).given[0]?.files).toEqual(["!a"]);
  const flat = { name: "flat", scope: ["*"], budget: 9 };
  expect(assignFiles(["a\\b"], [flat]).gaps).toEqual([]);
});

test("a glob that could take exponential time is matched as plain text", () => {
  const slow = { name: "slow", scope: ["+(+(a)+(a))b"], budget: 1 };
  const { gaps } = assignFiles([`${"a".repeat(200)}c`], [slow]);
  expect(gaps).toHaveLength(1);
});

const Path = fc.constantFrom("src/a.ts", "src/b.ts", "docs/c.md", "web/d.tsx", "e", "f.md", "g.py");
const Agents = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("one", "two", "three"),
    scope: fc.subarray(["src/**", "**/*.md", "web/*", "*"]),
    budget: fc.integer({ min: 1, max: 3 }),
  }),
  { selector: ({ name }) => name },
);

test("every file is given once or is a gap, in any order the same, and no budget is passed", () => {
  fc.assert(
    fc.property(fc.uniqueArray(Path), Agents, fc.func(fc.integer()), (files, agents, weigh) => {
      const dealt = assignFiles(files, agents);
      const places = [...dealt.given.flatMap((one) => one.files), ...dealt.gaps.map((g) => g.file)];
      expect(places.toSorted()).toEqual(files.toSorted());
      for (const [index, { files: own }] of dealt.given.entries()) {
        expect(own.length).toBeLessThanOrEqual(agents[index]?.budget ?? 0);
      }
      const shuffled = files.toSorted((a, b) => weigh(a) - weigh(b));
      expect(assignFiles([...shuffled, ...files], agents)).toEqual(dealt);
    }),
    { numRuns: 200 },
  );
});
