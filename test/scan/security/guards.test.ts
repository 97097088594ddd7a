import { describe, expect, test } from "vitest";
import { alarms, reviewed } from "./reviewing.ts";

/** A guard, the code around it with `GUARD` in its place, and what is said without it. */
interface Row {
  readonly guard: string;
  readonly around: string;
  readonly says: string;
  readonly path?: string;
}

const EXEC =
  'const cp = require("child_process");\nexports.f = (a) => { GUARD\n cp.exec("ls " + a); };';
const SET =
  "exports.set = (o, p, v) => { const keys = p.split('.'); const last = keys.pop(); for (const k of keys) { GUARD\n o = o[k]; } o[last] = v; };";
const SERVE =
  'const fs = require("fs"), path = require("path");\nmodule.exports = (req, res) => { const f = path.join("root", req.url); GUARD\n fs.readFile(f, res.end); };';
const MATCH = "exports.f = (text) => { GUARD\n return /^(a+)+$/.test(text); };";
const PYTHON = "import os\nALLOWED = {'a', 'b'}\ndef f(a):\n    GUARD\n    os.system('ls ' + a)\n";

const ROWS: readonly Row[] = [
  {
    guard: 'if (!/^[a-z]+$/.test(a)) throw new Error("no");',
    around: EXEC,
    says: "command-injection",
  },
  { guard: "if (/[^a-z]/.test(a)) return;", around: EXEC, says: "command-injection" },
  { guard: 'if (!["a", "b"].includes(a)) return;', around: EXEC, says: "command-injection" },
  { guard: 'if (a !== "here") return;', around: EXEC, says: "command-injection" },
  { guard: 'if (typeof a !== "number") return;', around: EXEC, says: "command-injection" },
  { guard: "a = parseInt(a, 10);", around: EXEC, says: "command-injection" },
  { guard: "a = Number(a);", around: EXEC, says: "command-injection" },
  { guard: "a = shellescape([a]);", around: EXEC, says: "command-injection" },
  { guard: 'a = a.replace(/[^a-z]/g, "");', around: EXEC, says: "command-injection" },
  { guard: 'a = a.replace(/(["$`])/g, "x");', around: EXEC, says: "command-injection" },
  {
    guard: 'a = a.replace(/\\$/g, "").replace(/`/g, "");',
    around: EXEC,
    says: "command-injection",
  },
  { guard: "if (!isValidName(a)) return;", around: EXEC, says: "command-injection" },
  { guard: "if (isUnsafe(a)) return;", around: EXEC, says: "command-injection" },
  {
    guard: "const escapeArg = (x) => x.split('').map((c) => TABLE[c]).join(''); a = escapeArg(a);",
    around: EXEC,
    says: "command-injection",
  },
  { guard: "assertSafe(a);", around: EXEC, says: "command-injection" },
  {
    guard: "const bad = (x) => /[^a-z]/.test(x); if (bad(a)) return;",
    around: EXEC,
    says: "command-injection",
  },
  {
    guard: "const ok = /^[a-z]+$/.test(a); if (!ok) return;",
    around: EXEC,
    says: "command-injection",
  },
  {
    guard: "if (k === '__proto__') return o; if (typeof o[k] !== 'object') o[k] = {};",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (k === '__proto__') return o; if (!isPlainObject(o[k])) o[k] = {};",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (k === '__proto__' || k === 'prototype') return o;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (k === 'constructor' || k === '__proto__') continue;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (['__proto__', 'prototype'].indexOf(k) !== -1) continue;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (/^(__proto__|constructor)$/.test(k)) continue;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (!Object.prototype.hasOwnProperty.call(o, k)) o[k] = {};",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (Object.getOwnPropertyNames(o).indexOf(k) === -1) return o;",
    around: SET,
    says: "prototype-pollution",
  },
  { guard: "if (!Object.keys(o).includes(k)) return o;", around: SET, says: "prototype-pollution" },
  {
    guard: "if (['__proto__', 'constructor'].some((one) => one === k)) return o;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard:
      "const DENIED = { ['__proto__']: 1, '__proto__': 1, constructor: 1 }; if (DENIED[k]) return o;",
    around: SET,
    says: "prototype-pollution",
  },
  {
    guard: "if (Object.prototype[k] !== undefined) return o;",
    around: SET,
    says: "prototype-pollution",
  },
  { guard: "if (k in Object.prototype) return o;", around: SET, says: "prototype-pollution" },
  { guard: "if (isUnsafeKey(k)) continue;", around: SET, says: "prototype-pollution" },
  {
    guard: "if (a && !/^[a-z]+$/.test(a)) throw new Error('no');",
    around: EXEC,
    says: "command-injection",
  },
  { guard: "if (a) { if (!/^[a-z]+$/.test(a)) return; }", around: EXEC, says: "command-injection" },
  { guard: "if (!f.startsWith(root)) return;", around: SERVE, says: "path-traversal" },
  { guard: "if (f.indexOf(root) !== 0) return;", around: SERVE, says: "path-traversal" },
  {
    guard: 'if (req.url.includes("..")) return;',
    around: SERVE.replace(
      'const f = path.join("root", req.url); GUARD',
      'GUARD const f = path.join("root", req.url);',
    ),
    says: "path-traversal",
  },
  {
    guard: 'if (path.relative("root", f).startsWith("..")) return;',
    around: SERVE,
    says: "path-traversal",
  },
  { guard: "if (text.length > 50) return;", around: MATCH, says: "redos" },
  { guard: "if (text.length > LONGEST) return;", around: MATCH, says: "redos" },
  { guard: "if (options.maxLength < text.length) return;", around: MATCH, says: "redos" },
  { guard: "text = text.slice(0, 50);", around: MATCH, says: "redos" },
  { guard: "if a not in ALLOWED: return", around: PYTHON, says: "command-injection", path: "a.py" },
  {
    guard: "if not a.isalnum(): raise ValueError(a)",
    around: PYTHON,
    says: "command-injection",
    path: "a.py",
  },
  { guard: "a = int(a)", around: PYTHON, says: "command-injection", path: "a.py" },
];

describe("a guard on the way", () => {
  test.each(ROWS)("$guard silences $says", ({ guard, around, says, path }) => {
    const none = path === undefined ? "" : "pass";
    expect(alarms(around.replace("GUARD", none), path)).toContain(says);
    expect(alarms(around.replace("GUARD", guard), path)).not.toContain(says);
  });
});

describe("what only looks like a guard", () => {
  test.each([
    [
      "a check that does not leave",
      'if (!/^[a-z]+$/.test(a)) console.log("hm");',
      EXEC,
      "command-injection",
    ],
    ["a check of something else", "if (!/^[a-z]+$/.test(b)) return;", EXEC, "command-injection"],
    ["a pattern that lets all through", "if (!/^.*$/.test(a)) return;", EXEC, "command-injection"],
    ["a check for emptiness", 'if (a === "") return;', EXEC, "command-injection"],
    [
      "a comment that asks for silence",
      "// eslint-disable-line, nosec, sworn-ignore",
      EXEC,
      "command-injection",
    ],
    [
      "an own key of the source",
      "if (!Object.hasOwn(keys, k)) continue;",
      SET,
      "prototype-pollution",
    ],
    [
      "an own key that is not asked for each time",
      "if (DEEP && !Object.hasOwn(o, k)) o[k] = {};",
      SET,
      "prototype-pollution",
    ],
    [
      "a check in another file that sends nobody away",
      "if (!isValidName(a)) console.log(a);",
      EXEC,
      "command-injection",
    ],
    [
      "a check in this file that sends nobody away",
      "const bad = (x) => /[^a-z]/.test(x); if (bad(a)) console.log(a);",
      EXEC,
      "command-injection",
    ],
    ["a length compared with a counter", "let i = 0; if (text.length > i) return;", MATCH, "redos"],
    [
      "a good name for a check of nothing",
      "const isValidName = (x) => x.length > 0; if (!isValidName(a)) return;",
      EXEC,
      "command-injection",
    ],
    [
      "a good name for doing nothing",
      "const sanitize = (x) => x; a = sanitize(a);",
      EXEC,
      "command-injection",
    ],
    [
      "the wrong answer of a check in another file",
      "if (isUnsafe(a)) { cp.exec(a + ' ' + a); } else { a = ''; }",
      EXEC,
      "command-injection",
    ],
    [
      "a good name for a loop that does nothing",
      "const cleanArg = (x) => { while (x.length > 1_000) g(); return x; }; a = cleanArg(a);",
      EXEC,
      "command-injection",
    ],
    ["a quoted double quote", "a = a.replace(/\"/g, 'x');", EXEC, "command-injection"],
    [
      "a counter that runs up to the length",
      "for (let i = 0; i < text.length; i++) g(i);",
      MATCH,
      "redos",
    ],
    ["asking for more than a length", "if (text.length < 50) return;", MATCH, "redos"],
    [
      "own keys of the source",
      "if (!Object.keys(keys).includes(k)) return o;",
      SET,
      "prototype-pollution",
    ],
    [
      "a look into a table of other keys",
      "const KNOWN = { a: 1 }; if (KNOWN[k]) g();",
      SET,
      "prototype-pollution",
    ],
    [
      "a comparison of other things with dangerous keys",
      "if (['__proto__', 'constructor'].some((one) => one === v)) return o;",
      SET,
      "prototype-pollution",
    ],
    ["that something is there", "if (!a) return;", EXEC, "command-injection"],
    [
      "that nothing was matched in it",
      "const m = a.match(/x/); if (m) return;",
      EXEC,
      "command-injection",
    ],
    [
      "a check of a member in one branch only",
      "if (a.x === 'y') g(); a = a.x;",
      EXEC,
      "command-injection",
    ],
    ["one character", "if (a.charAt(0) !== 'x') return;", EXEC, "command-injection"],
  ])("%s does not silence", (_, guard, around, says) => {
    expect(alarms(around.replace("GUARD", guard))).toContain(says);
  });
});

describe("excluding __proto__ alone is worth advice", () => {
  test.each([
    ["where a function can be reached", "if (k === '__proto__') return o;"],
    [
      "where functions pass for objects",
      "if (k === '__proto__') return o; if (typeof o[k] !== 'object' && typeof o[k] !== 'function') o[k] = {};",
    ],
  ])("%s", (_, guard) => {
    const text = SET.replace("GUARD", guard);
    expect(reviewed(text).map((one) => one.slice(0, 22))).toEqual(["P3 prototype-pollution"]);
  });

  test("nothing is said where functions do not pass for objects", () => {
    const guard = "if (k === '__proto__') return o; if (typeof o[k] !== 'object') o[k] = {};";
    expect(reviewed(SET.replace("GUARD", guard))).toEqual([]);
  });
});
