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

test("what a function that is not known gave back is advice: it may be the check", () => {
  const pay = (order: string) => `const fs = require("fs");
const { loadOrder } = require("./orders.js");
module.exports = function pay(req, res) {
  const order = ${order};
  fs.writeFile("data/" + order.id + ".json", "", () => res.end());
};
`;
  const given = security.review({ path: "pay.js", text: pay("loadOrder(req.query.id)") });
  expect(given.map(({ priority }) => priority)).toEqual(["P2"]);
  expect(given[0]?.issue).toContain("a function of another file, which was not looked into");
  const straight = security.review({ path: "pay.js", text: pay("req.query") });
  expect(straight.map(({ priority }) => priority)).toEqual(["P1"]);
  expect(straight[0]?.issue).not.toContain("not looked into");
  // On one way past it, it checks nothing.
  const either = pay("res.ok ? loadOrder(req.query) : req.query");
  const past = security.review({ path: "pay.js", text: either });
  expect(past.map(({ priority }) => priority)).toEqual(["P1"]);
});
