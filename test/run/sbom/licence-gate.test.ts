import { expect, test } from "vitest";
import { licenceGate, type SbomPackage } from "../../../src/run/sbom/index.ts";

const one = (licence: string | undefined): SbomPackage => ({
  ecosystem: "npm",
  name: "lib",
  version: "1.0",
  licence,
});
const DENY = { deny: ["AGPL-*", "GPL-3.0-only", "SSPL-1.0"] };
const rules = (licence: string | undefined, policy = DENY): string[] =>
  licenceGate([one(licence)], policy).map(({ rule }) => rule);

test.each([
  ["MIT", []],
  ["MIT OR AGPL-3.0-only", []],
  ["(MIT AND ISC) OR GPL-3.0-only", []],
  ["AGPL-3.0-or-later", ["licence-denied"]],
  ["agpl-3.0-ONLY", ["licence-denied"]],
  ["GPL-3", ["licence-denied"]],
  ["GPL-3+", []],
  ["MIT AND AGPL-3.0-only", ["licence-denied"]],
  ["AGPL-3.0-only OR SSPL-1.0", ["licence-denied"]],
  ["AGPL-3.0-only OR Custom", ["licence-unknown"]],
  ["MIT AND Custom", ["licence-unknown"]],
  ["AGPL-Custom", ["licence-denied"]],
  ["SEE LICENSE IN LICENSE", ["licence-unknown"]],
  ["UNLICENSED", ["licence-unknown"]],
  ["", ["licence-unknown"]],
  [undefined, ["licence-unknown"]],
  ["GPL-3.0-only WITH GCC-exception-3.1", ["licence-denied"]],
  ["GPL-3 with some exception", ["licence-denied"]],
])("%s is judged by the deny-list", (licence, expected) => {
  expect(rules(licence)).toEqual(expected);
});

test("the package and its licence are named, without control characters", () => {
  expect(licenceGate([one("Odd\u001b[31m")], DENY)).toEqual([
    {
      rule: "licence-unknown",
      subject: "lib@1.0",
      licence: "Odd\\u001b[31m",
      reason: "it is not on SPDX's list",
    },
  ]);
});

test("without a deny-list licences are not judged; a package can be accepted by name and version", () => {
  expect(rules(undefined, { deny: [] })).toEqual([]);
  const accepting = (name: string) => rules("Custom", { ...DENY, accepted: [name] } as typeof DENY);
  expect(accepting("lib@1.0")).toEqual([]);
  expect(accepting("lib@1.1")).toEqual(["licence-unknown"]);
  expect(accepting("lib")).toEqual(["licence-unknown"]);
});
