import { describe, expect, test } from "vitest";
import { alarms } from "./reviewing.ts";

const POLLUTION = ["prototype-pollution"];

/** A write by key that does harm, with `GUARD` where a repair goes, and the repair. */
interface Row {
  readonly name: string;
  readonly code: string;
  readonly guard: string;
}

const ROWS: readonly Row[] = [
  {
    name: "a merge by Object.assign",
    code: "const merge = (t, s) => { for (const k in s) { GUARD if (t[k]) merge(t[k], s[k]); else Object.assign(t, { [k]: s[k] }); } }; module.exports = merge;",
    guard: 'if (k === "__proto__" || k === "constructor") continue;',
  },
  {
    name: "a path whose last step is defined",
    code: "exports.set = (o, p, v) => { const ks = p.split('.'); const last = ks.pop(); for (const k of ks) { GUARD o = o[k]; } Object.defineProperty(o, last, { value: v }); };",
    guard: 'if (["__proto__", "constructor", "prototype"].includes(k)) return;',
  },
  {
    name: "a merge that hands a list of objects on",
    code: "function extend(args) { const t = args[0]; for (const k of Object.keys(args[1])) { GUARD if (t[k]) extend([t[k], args[1][k]]); else t[k] = args[1][k]; } } module.exports = extend;",
    guard: 'if (k === "__proto__") continue;',
  },
  {
    name: "a step of a merge that another file goes on with",
    code: "module.exports = (t, s, merge) => { Object.keys(s).forEach((k) => { GUARD t[k] = merge(t[k], s[k]); }); };",
    guard: 'if (k === "__proto__") return;',
  },
  {
    name: "a callback that an own loop calls",
    code: "const each = (o, f) => { for (const k in o) { GUARD f(o[k], k); } }; const mix = (t, s) => each(s, (v, k) => { if (t[k]) mix(t[k], v); else t[k] = v; }); module.exports = mix;",
    guard: 'if (["__proto__", "constructor"].indexOf(k) !== -1) continue;',
  },
  {
    name: "keys from a loop of another package",
    code: 'const _ = require("lodash"); const mix = (t, s) => { _.each(s, (v, k) => { GUARD if (t[k]) mix(t[k], v); else t[k] = v; }); }; module.exports = mix;',
    guard: 'if (k === "__proto__") return;',
  },
  {
    name: "a function that is declared before it is given",
    code: "var merge; merge = function (t, s) { for (var k in s) { GUARD if (t[k]) merge(t[k], s[k]); else t[k] = s[k]; } }; module.exports = merge;",
    guard: 'if (k === "__proto__") continue;',
  },
  {
    name: "a compiled loop over a path",
    code: "exports.set = function (o, keys, v) { var p = o, key; for (var _iterator = keys[Symbol.iterator](), _step; !(_step = _iterator.next()).done; ) { key = _step.value; GUARD p = o; o = o[key]; } p[key] = v; };",
    guard: "if (/__proto__|constructor|prototype/.test(key)) return;",
  },
  {
    name: "an object that is found by another function",
    code: "function last(o, path) { if (!o) return {}; const s = path.split('.'); while (s.length > 1) { const k = s.shift(); GUARD o = o[k]; } return { obj: o, k: s.shift() }; } exports.set = (o, path, v) => { const { obj, k } = last(o, path); obj[k] = v; };",
    guard: "if (!o.hasOwnProperty(k)) return {};",
  },
  {
    name: "a list of keys that a parser of this file reads",
    code: "const parseRows = (text) => { const map = {}; for (const line of text.split(';')) { const [, k, n, v] = line.match(/(x)(y)(z)/); GUARD map[k] = map[k] || {}; map[k][n] = v; } return map; }; exports.load = () => read().then(parseRows);",
    guard: 'if (k === "__proto__") continue;',
  },
  {
    name: "a copy of lists and objects that is made by recursion",
    code: "function copy(x) { const t = Array.isArray(x) ? [] : {}; for (const k in x) { GUARD t[k] = typeof x[k] === 'object' ? copy(x[k]) : x[k]; } return t; } module.exports = copy;",
    guard: 'if (k === "__proto__") continue;',
  },
  {
    name: "a path that ends in what the function itself gives",
    code: "function nest(data) { const out = {}; Object.keys(data).forEach((p) => { const ks = p.split('.'); let at = out; while (ks.length > 1) { const k = ks.shift(); GUARD if (!at[k]) at[k] = {}; at = at[k]; } at[ks[0]] = nest(data[p]); }); return out; } module.exports = nest;",
    guard: "if (ks.concat(k).includes('__proto__') || k === '__proto__') return;",
  },
  {
    name: "a copy that is made by recursion",
    code: "function clone(x) { if (!x || typeof x !== 'object') return x; const t = {}; for (const k in x) { GUARD t[k] = clone(x[k]); } return t; } module.exports = clone;",
    guard: 'if (k === "__proto__") continue;',
  },
];

describe("writes by a key from outside", () => {
  test.each(ROWS)("$name is found", ({ code }) => {
    expect(alarms(code.replace("GUARD", ""))).toEqual(POLLUTION);
  });

  test.each(ROWS)("$name is silent with a check", ({ code, guard }) => {
    expect(alarms(code.replace("GUARD", guard))).toEqual([]);
  });
});

const SET =
  "exports.set = (o, p, v) => { const ks = p.split('.'); const last = ks.pop(); for (const k of ks) { GUARD o = o[k]; } o[last] = v; };";

describe("checks of keys", () => {
  test.each([
    "if (!o[k] || !Object.hasOwnProperty.call(o, k)) o[k] = {};",
    'const BAD = "__proto__"; if (k === BAD) return;',
    'if (o && k === "__proto__") return;',
    'if (k === "__proto__") fail();',
    "if (isUnsafe(k)) return;",
    "if (!isFine(k)) return;",
    'if (~["__proto__", "constructor"].indexOf(k)) continue;',
    'switch (k) { case "__proto__": case "constructor": continue; }',
    'if (ks.find((one) => one === "__proto__")) return;',
    'if (ks.filter((one) => one === "__proto__").length > 0) return;',
    'if (["__proto__", "constructor"].some((one) => ks.includes(one))) return;',
    "if (isNaN(k)) return;",
  ])("%s is believed", (guard) => {
    const helpers =
      'function fail() { throw new Error("no"); }\nconst isUnsafe = (k) => { if (k === "__proto__") return true; return k === "constructor"; };\nfunction isFine(k) { if (k === "__proto__") return false; return true; }\n';
    expect(alarms(helpers + SET.replace("GUARD", guard))).toEqual([]);
  });

  test.each([
    "if (!o[k]) o[k] = {};",
    "if (isNumber(k)) log(k);",
    "if (isNumber(k)) continue;",
    "if (!isNaN(k)) continue;",
    'switch (k) { case "__proto__": break; }',
    "if (ks.filter(Boolean).length > 9) return;",
    'if (k === "__proto__") warn();',
  ])("%s is not", (guard) => {
    const helpers =
      'function warn() { console.warn("odd"); }\nconst isNumber = (k) => /^\\d+$/.test(k);\n';
    expect(alarms(helpers + SET.replace("GUARD", guard))).toEqual(POLLUTION);
  });

  test("an own property that was read before the check counts as one", () => {
    const code =
      "const set = (o, p, v) => { const [k, r] = p.split('/'); if (!r) { o[k] = v; return; } let i = o[k]; if (!i CHECK) i = o[k] = {}; set(i, r, v); }; exports.set = set;";
    expect(alarms(code.replace("CHECK", ""))).toEqual(POLLUTION);
    expect(alarms(code.replace("CHECK", "|| !Object.hasOwn(o, k)"))).toEqual([]);
  });
});

describe("what is no way to a prototype", () => {
  test.each([
    [
      "the keys of the object itself",
      "const walk = (o) => { for (const k in o) walk(o[k]); o.x = 1; }; exports.walk = walk;",
    ],
    [
      "a fresh copy",
      "const merge = (a, b) => { const t = Object.assign({}, a); for (const k in b) t[k] = t[k] ? merge(t[k], b[k]) : b[k]; return t; }; exports.merge = merge;",
    ],
    [
      "an object filled one level deep",
      "exports.copy = (o) => { const t = {}; for (const k in o) t[k] = String(o[k]); return t; };",
    ],
    [
      "a comparison of both sides",
      "exports.same = (a, b) => Object.keys(a).every((k) => equal(a[k], b[k]));",
    ],
  ])("%s", (_name, code) => {
    expect(alarms(code)).toEqual([]);
  });
});
