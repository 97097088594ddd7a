import { describe, expect, test } from "vitest";
import { ambiguityOf } from "../../../src/scan/security/pattern/ambiguity.ts";
import { alarms, reviewed } from "./reviewing.ts";

describe("what stands around a repetition", () => {
  test.each([
    ["\\s+$", "(?<!\\s)\\s+$"],
    ["\\s*\\n", "(?:\\b|^)\\s*\\n"],
    ["\\w+@", "\\b\\w+@"],
    ["\\/\\*x=(.*)\\*\\/", "\\/\\*x=((?:(?!x=).)*)\\*\\/"],
    ["^(?:\\s|\\/\\*.*?\\*\\/)*x", "^(?:\\s|\\/\\*(?:[^*]|\\*(?!\\/))*?\\*\\/)*x"],
    ["<([^>]+)>", "<([^>]+)(>|$)"],
    ["^(['\"])(?:.|\\\\.)*\\1$", "^(['\"])(?:(?!\\1)[^\\\\]|\\\\.)*\\1$"],
  ])("/%s/ takes long and /%s/ does not", (slow, fast) => {
    expect(ambiguityOf(slow, "")).toBeDefined();
    expect(ambiguityOf(fast, "")).toBeUndefined();
  });

  test.each([
    "\\B\\s+$",
    "(?<=x)?\\s+$",
    "(?<!ab)\\s+$",
    "^(?:a|\\/\\*(?:[^*]|\\*(?!\\/\\/))*?\\*\\/)*x",
  ])("/%s/ still takes long", (source) => {
    expect(ambiguityOf(source, "")).toBeDefined();
  });
});

describe("texts that a pattern meets", () => {
  const SLOW = "/^(a+)+$/";

  test.each([
    [
      "of a method with a name of its own",
      `class A { _p(x) { return ${SLOW}.test(x.data); } }\nmodule.exports = A;`,
    ],
    ["that may be empty", `exports.f = () => ${SLOW}.test(load().link || "");`],
    [
      "that grows",
      `exports.f = (s) => { let t = ""; const g = () => ${SLOW}.test(t); for (const c of s) { t += c; g(); } };`,
    ],
    ["of another file", `module.exports = ${SLOW};`],
    ["of another file, with a square by search", "module.exports = { end: /\\s+$/ };"],
  ])("%s can be long", (_name, code) => {
    expect(alarms(code)).toEqual(["redos"]);
  });

  test.each([
    ["written out", `exports.ok = ${SLOW}.test("aaa" + "b");`],
    ["cut", `exports.f = () => ${SLOW}.test(load().slice(0, 100));`],
    [
      "bounded by a check",
      `exports.f = () => { const t = load(); if (t.length > 100) return; return ${SLOW}.test(t); };`,
    ],
    ["read by a bounded pattern", "exports.f = (t) => /^a{1,9}a{1,9}$/.test(t);"],
  ])("%s are short", (_name, code) => {
    expect(alarms(code)).toEqual([]);
  });
});

describe("patterns that are put together", () => {
  test.each([
    [
      "from constants",
      'const n = "\\\\d*\\\\.?\\\\d+"; exports.re = new RegExp("^rgb\\\\(" + [n, n] + "\\\\)$");',
    ],
    ["around what is not known", "exports.f = (t) => new RegExp(`^(a+)+${load()}$`).test(t);"],
    [
      "from the source of another one",
      'const a = /(a+)+/; exports.f = (t) => new RegExp("^" + a.source + "$").test(t);',
    ],
    [
      "with a parameter",
      'exports.f = (t, sep) => t.replace(new RegExp("(" + sep + ")x", "g"), "");',
    ],
  ])("%s are judged", (_name, code) => {
    expect(alarms(code)).toEqual(["redos"]);
  });

  test.each([
    [
      "a quoted parameter",
      'exports.f = (t, sep) => t.replace(new RegExp("(" + sep.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&") + ")x"), "");',
    ],
    [
      "a parameter that another package quotes",
      'const q = require("escape-string-regexp"); exports.f = (t, sep) => t.replace(new RegExp("(" + escapeRegExp(sep) + ")x"), "");',
    ],
    ["what is the whole pattern", "exports.f = (t, p) => new RegExp(p).test(t);"],
    ["a slight square with a gap", 'exports.f = (t) => new RegExp("[" + load() + "]+$").test(t);'],
  ])("%s is silent", (_name, code) => {
    expect(alarms(code)).toEqual([]);
  });
});

describe("weak numbers", () => {
  test("too few rounds for a password are said, and enough are not", () => {
    const code =
      'const c = require("crypto"); exports.k = (p, s) => c.pbkdf2Sync(p, s, ROUNDS, 32, "sha256");';
    expect(reviewed(code.replace("ROUNDS", "100"))).toEqual(["P2 weak-crypto 1"]);
    expect(reviewed(code.replace("ROUNDS", "600_000"))).toEqual([]);
    expect(alarms("exports.cfg = Base.extend({ keySize: 4, hasher: H, iterations: 1 });")).toEqual([
      "weak-crypto",
    ]);
    expect(alarms("exports.cfg = Base.extend({ name: 4, iterations: 1 });")).toEqual([]);
  });

  test("the rest of a random byte favours some numbers, unless it is one of a power of two", () => {
    const code = 'const c = require("crypto"); exports.n = (max) => c.randomBytes(1)[0] % MAX;';
    expect(alarms(code.replace("MAX", "max"))).toEqual(["weak-crypto"]);
    expect(alarms(code.replace("MAX", "64"))).toEqual([]);
  });

  test("a parameter with the name of a part of the language is that part", () => {
    expect(alarms("exports.token = (function (Math) { return Math.random(); })(Math);")).toEqual([
      "weak-crypto",
    ]);
  });
});
