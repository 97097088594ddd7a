import { expect, test } from "vitest";
import { satisfies } from "../../../src/scan/dependency/semver.ts";
import { processorMsSince } from "../../cost-growth.ts";
import { categories, review } from "./reviewing.ts";

const lock = (packages: object) => ({ lockfileVersion: 3, packages: { "": {}, ...packages } });
const fine = { version: "1.2.3", integrity: "sha512-x", license: "MIT" };

test.each([
  ["1.2.3", "^1.0.0", true],
  ["2.0.0", "^1.0.0", false],
  ["0.2.5", "^0.2.1", true],
  ["0.3.0", "^0.2.1", false],
  ["1.2.9", "~1.2.3", true],
  ["1.3.0", "~1.2.3", false],
  ["1.9.0", "1.x", true],
  ["2.0.0", "1", false],
  ["1.5.0", ">=1.2 <2", true],
  ["2.0.0", ">=1.2 <2", false],
  ["3.0.0", "^1 || ^3", true],
  ["1.5.0", "1.2.0 - 1.6", true],
  ["1.2.3", "*", true],
  ["1.2.3-beta", "^1", undefined],
  ["1.2.3", "latest", undefined],
])("%s in %s: %s", (version, range, expected) => {
  expect(satisfies(version, range)).toBe(expected);
});

test("a package that the lockfile lacks or locks outside its range is found, with its line", () => {
  const { found } = review({
    "package.json": { dependencies: { a: "^1.0.0", b: "^2.0.0", c: "^1.0.0" } },
    "package-lock.json": lock({ "node_modules/a": fine, "node_modules/b": fine }),
  });
  expect(found.map(({ category, citations }) => [category, citations[0]])).toEqual([
    ["lock-misses-range", { file: "package.json", line: 4, quote: '    "b": "^2.0.0",' }],
    ["lock-lacks-dependency", { file: "package.json", line: 5, quote: '    "c": "^1.0.0"' }],
  ]);
});

test.each([
  ["*", ["unpinned-dependency"]],
  ["latest", ["unpinned-dependency"]],
  ["http://x.internal/a.tgz", ["address-dependency"]],
  ["github:a/b", ["address-dependency"]],
  [`github:a/b#${"a".repeat(40)}`, []],
  ["^1.0.0", []],
  ["file:../a", []],
  ["workspace:*", []],
])("the range %s gives %j", (range, expected) => {
  expect(categories({ "package.json": { dependencies: { a: range } } })).toEqual(expected);
});

test("an override or a missing lockfile is no reason to complain", () => {
  const manifest = { dependencies: { b: "^2.0.0" }, overrides: { b: "1.2.3" } };
  expect(
    categories({ "package.json": manifest, "package-lock.json": lock({ "node_modules/b": fine }) }),
  ).toEqual([]);
  expect(categories({ "package.json": { dependencies: { b: "^2.0.0" } } })).toEqual([]);
});

test("missing hashes, install scripts and copyleft licences are listed from the lockfile", () => {
  const packages = {
    "node_modules/a": { version: "1.0.0", license: "MIT" },
    "node_modules/b": { ...fine, hasInstallScript: true },
    "node_modules/c": { ...fine, license: "GPL-3.0-only" },
    "node_modules/d": { ...fine, license: "GPL-3.0-only", dev: true },
    "node_modules/e": { ...fine, license: "(MIT OR GPL-3.0-only)" },
    "node_modules/f": { link: true, resolved: "f" },
  };
  const files = { "package.json": { license: "MIT" }, "package-lock.json": lock(packages) };
  const { found } = review(files);
  expect(found.map(({ title }) => title.slice(0, 24))).toEqual([
    "1 locked packages have n",
    "1 locked packages run a ",
    "1 locked packages have a",
  ]);
  expect(found[0]?.citations[0]?.quote).toBe('    "node_modules/a": {');
  expect(categories({ "package-lock.json": lock({ "node_modules/a": fine }) })).toEqual([]);
});

test("requirements that are loose or come from an address are found, pinned ones are not", () => {
  const text =
    "# head\na==1.0\nb>=2\n-r other.txt\nc @ git+https://x.internal/c\n\nd # remark ==\n";
  const { found } = review({ "requirements.txt": text });
  expect(
    found.map(({ category, citations }) => [category, citations.map(({ line }) => line)]),
  ).toEqual([
    ["unpinned-dependency", [3, 7]],
    ["address-dependency", [5]],
  ]);
  expect(categories({ "requirements.txt": "a==1.0\n" })).toEqual([]);
});

test("what cannot be read is named, and what is not checked is said", () => {
  const { found, skipped, notChecked } = review({
    "package.json": "[".repeat(100_000),
    "package-lock.json": "{",
  });
  expect(found).toEqual([]);
  expect(skipped.map(({ path }) => path)).toEqual(["package.json", "package-lock.json"]);
  expect(notChecked?.[0]).toContain("known vulnerabilities");
});

test("a lockfile with 50,000 packages is read in time", () => {
  const packages = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, at) => [`node_modules/p${at}`, { version: "1.0.0" }]),
  );
  const from = process.cpuUsage();
  expect(review({ "package-lock.json": lock(packages) }).found[0]?.citations).toHaveLength(20);
  expect(processorMsSince(from)).toBeLessThan(20_000);
});

test("a package locked in two major versions is found, in two minor ones not", () => {
  const nested = (version: string) =>
    categories({
      "package-lock.json": lock({
        "node_modules/a": fine,
        "node_modules/b/node_modules/a": { ...fine, version },
      }),
    });
  expect(nested("2.0.0")).toEqual(["duplicate-major"]);
  expect(nested("1.9.0")).toEqual([]);
});
