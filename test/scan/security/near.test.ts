import { expect, test } from "vitest";
import { security } from "../../../src/scan/security/index.ts";

const HEAD = 'const { exec } = require("child_process");\n';
const review = (text: string) => security.review({ path: "a.js", text: HEAD + text });
const places = (text: string) =>
  review(text).map(({ citations }) => citations.map(({ line }) => line));

test("the same weakness a few lines on is one finding with both places", () => {
  const near = "exports.f = (a, b) => {\n  exec('ls ' + a);\n\n  exec('rm ' + b);\n};\n";
  expect(places(near)).toEqual([[3, 5]]);
  const far = near.replace("\n\n", `\n${"// words\n".repeat(9)}`);
  expect(places(far)).toEqual([[3], [13]]);
});

test("the more urgent of two near ones tells what it is, and none hides the other", () => {
  const mixed =
    "exports.f = (a) => exec('ls ' + a);\nexports.h = (req, res) => exec('ls ' + req.query.d);\n";
  expect(review(mixed).map(({ priority }) => priority)).toEqual(["P1"]);
  expect(places(mixed)).toEqual([[3, 2]]);
  const other = "exports.f = (a) => exec('ls ' + a);\nexports.g = (a) => eval(a);\n";
  expect(places(other)).toEqual([[2], [3]]);
});
