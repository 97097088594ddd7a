import { describe, expect, test } from "vitest";
import { reviewed } from "./reviewing.ts";

type Case = readonly [name: string, text: string, ...found: string[]];

const check = (cases: readonly Case[], path?: string) =>
  test.each(cases.map(([name, text, ...found]) => ({ name, text, found })))(
    "$name",
    ({ text, found }) => expect(reviewed(text, path)).toEqual(found),
  );

const SAVE = "async function save() { await store(); }\n";

describe("a promise that nobody waits for", () => {
  const floats = (line: number, priority = "P2") => `${priority} floating-promise ${line}`;
  check([
    ["in an async function", `${SAVE}async function run() {\n  save();\n  done();\n}`, floats(3)],
    ["in a plain function", `${SAVE}function run() {\n  save();\n}`, floats(3, "P3")],
    [
      "of an async arrow function",
      "const save = async () => {\n  await store();\n};\nasync function run() { save(); }",
      floats(4),
    ],
    [
      "of an async method of the class",
      "class A {\n  async save() { await x(); }\n  async run() {\n    this.save();\n  }\n}",
      floats(4),
    ],
    ["made and dropped", "function f() {\n  new Promise((done) => done());\n}", floats(2, "P3")],
    ["of fetch", "async function f() {\n  fetch(url);\n}", floats(2)],
    ["of Promise.all", "async function f(list) {\n  Promise.all(list);\n}", floats(2)],
    ["of fs.promises", "async function f() {\n  fs.promises.unlink(a);\n}", floats(2)],
    [
      "of a module of promises by its own name",
      'import files from "node:fs/promises";\nasync function f() { files.unlink(a); }',
      floats(2),
    ],
    [
      "of a function taken from fs/promises",
      'const { unlink } = require("fs/promises");\nasync function f() { unlink(a); }',
      floats(2),
    ],
    [
      "of an async callback of forEach",
      "async function f(list) {\n  list.forEach(async (one) => {\n    await save(one);\n  });\n}",
      floats(2),
    ],
    [
      "which is waited for elsewhere",
      `${SAVE}async function run() {\n  save();\n  await save();\n}`,
      floats(3),
    ],
    [
      "wherever it is called, which may be meant",
      `${SAVE}async function run() { save(); }\nasync function other() { await x(); save(); }`,
      floats(2, "P3"),
      floats(3, "P3"),
    ],
    ["of a dropped map", "async function f(l) {\n  l.map(async (x) => await g(x));\n}", floats(2)],
  ]);

  describe("is not said of", () => {
    check([
      ["await", `${SAVE}async function run() { await save(); }`],
      ["void", `${SAVE}function run() { void save(); }`],
      ["return", `${SAVE}function run() { return save(); }`],
      ["then", `${SAVE}function run() { save().then(done); }`],
      ["catch", `${SAVE}function run() { save().catch(report); }`],
      ["a kept promise", `${SAVE}function run() { const one = save(); return one; }`],
      ["the last line of a script", `${SAVE}save();`],
      ["a plain function", "function save() {}\nasync function run() { save(); }"],
      ["a name that is a parameter elsewhere", `${SAVE}async function run(save) { save(); }`],
      ["a name taken out of an object", `${SAVE}async function run({ save }) { save(); }`],
      [
        "a function that never ends",
        "async function loop() {\n  await a();\n  while (true) { await b(); }\n}\nasync function f() { loop(); }",
      ],
      ["an async generator", "async function* all() { yield 1; }\nfunction f() { all(); }"],
      [
        "a function that deals with its own errors",
        "async function save() { try { await x(); } catch (error) { log(error); } }\nfunction f() { save(); }",
      ],
      [
        "a method of another class",
        "class A { async save() {} }\nclass B { run() { this.save(); } }",
      ],
      ["the file's own fetch", "function fetch() {}\nasync function f() { fetch(); }"],
      ["a used map", "async function f(l) { await Promise.all(l.map(async (x) => g(x))); }"],
      ["a plain callback", "async function f(l) { l.forEach((x) => g(x)); }"],
    ]);
  });
});

describe("code that never runs", () => {
  const dead = (line: number, priority = "P2") => `${priority} unreachable-code ${line}`;
  check([
    ["after return", "function f() {\n  return 1;\n  g();\n}", dead(3)],
    ["after throw", "function f() {\n  throw x;\n  const a = 1;\n}", dead(3)],
    ["after continue", "for (const a of b) {\n  continue;\n  g();\n}", dead(3)],
    ["after break", "while (a) {\n  break;\n  g();\n}", dead(3)],
    ["after return in a case", "switch (a) {\n  case 1:\n    return 1;\n    g();\n}", dead(4)],
    ["after the process ended", "process.exit(1);\nconst a = 1;", dead(2, "P3")],
    [
      "behind a condition that was asked before",
      "if (a === 1) f();\nelse if (b) g();\nelse if (a === 1) h();",
      "P2 repeated-condition 3",
    ],
    [
      "behind a case that was there before",
      "switch (a) {\n  case 1: break;\n  case 2: break;\n  case 1: g();\n}",
      "P2 repeated-condition 4",
    ],
    ["a key that is given again", "x = {\n  a: 1,\n  b: 2,\n  a: 3,\n};", "P2 repeated-key 4"],
    ["a key in quotes that is given again", 'x = {\n  a: 1,\n  "a": 3,\n};', "P2 repeated-key 3"],
    ["a method that is given again", "x = { a() {}, a() {} };", "P2 repeated-key 1"],
    ["many keys at once", "x = { a: 1, a: 2, b: 1, b: 2 };", "P2 repeated-key 1"],
  ]);

  describe("is not said of", () => {
    check([
      ["a hoisted function", "function f() {\n  return g();\n  function g() {}\n}"],
      ["a declaration without a value", "function f() {\n  return a;\n  var a;\n}"],
      ["a break after a return in a case", "switch (a) {\n  case 1:\n    return 1;\n    break;\n}"],
      ["a comment", "function f() {\n  return 1;\n  // the end\n}"],
      ["a return in a branch", "function f() {\n  if (a) return 1;\n  g();\n}"],
      ["a return after the process ended", "function f() {\n  process.exit(1);\n  return;\n}"],
      [
        "an eval that only changes the engine's mind",
        "function f(a) {\n  return a;\n  eval(a);\n}",
      ],
      ["conditions that act", "if (next() === 1) f();\nelse if (next() === 1) g();"],
      ["conditions of two chains", "if (a) f();\nif (a) g();"],
      ["other conditions", "if (a) f();\nelse if (b) g();\nelse if (c) h();"],
      ["other cases", 'switch (a) {\n  case 1: break;\n  case "1": break;\n}'],
      ["a getter and its setter", "x = { get a() { return 1; }, set a(b) {} };"],
      ["a key after a spread", "x = { a: 1, ...y, a: 2 };"],
      ["computed keys", "x = { [a]: 1, [a]: 2 };"],
      ["a key in an inner object", "x = { a: 1, b: { a: 2 } };"],
      ["patterns", "const { a: b, a: c } = x;"],
    ]);
    check(
      [["types", "function f() {\n  return 1;\n  type A = 1;\n  interface B { a: 1 }\n}"]],
      "lib/file.ts",
    );
  });
});

describe("an error that disappears", () => {
  check([
    ["in an empty catch", "try { a(); b(); } catch {}", "P3 swallowed-error 1"],
    ["in a catch with a name", "try {\n  b();\n} catch (error) {\n}", "P3 swallowed-error 3"],
    [
      "in a promise",
      "async function f() {\n  await g().catch(() => {});\n}",
      "P3 swallowed-error 2",
    ],
    [
      "although a tool was told to be silent",
      "try {\n  b();\n} catch {\n  // eslint-disable-line no-empty\n}",
      "P3 swallowed-error 3",
    ],
  ]);

  describe("is not said of", () => {
    check([
      ["a catch with a reason", "try { b(); } catch {\n  // The file need not exist.\n}"],
      ["a reason above it", "// Best effort.\ntry { b(); } catch {}"],
      ["a catch that gives a value", "function f() { try { b(); } catch { return false; } }"],
      ["a new error without the old one", "try { b(); } catch { throw new Error('no'); }"],
      [
        "a value with another way",
        "function f() { try { return JSON.parse(a); } catch {} return null; }",
      ],
      ["a variable that stays as it was", "let a = 1;\ntry { a = JSON.parse(b); } catch {}"],
      ["a variable that is kept or not", "try { if (a) b = a.c(); } catch {}"],
      ["tidying up", "try { socket.close(); } catch {}"],
      ["a catch that names its error as ignored", "try { b(); } catch (ignored) {}"],
      ["a promise with a name", "const a = g();\na.catch(() => {});"],
      ["a promise whose value is used", "const a = await g().catch(() => {});"],
      ["a promise with a reason", "// It was told before.\ng().catch(() => {});"],
      ["a promise that is tidied up", "server.close().catch(() => {});"],
    ]);
    check([["a test", "try { b(); } catch {}"]], "test/a.test.js");
  });
});

describe("a comparison or a condition that asks nothing", () => {
  const fixed = (line: number, priority = "P2") => `${priority} fixed-comparison ${line}`;
  check([
    ["NaN", "if (a === NaN) f();", fixed(1)],
    ["NaN of Number", "a = b != Number.NaN;", fixed(1)],
    ["a misspelt type", 'if (typeof a === "undefnied") f();', fixed(1)],
    ["a misspelt type on the left", 'if ("strng" == typeof a) f();', fixed(1)],
    ["the same on both sides of an order", "if (a.b < a.b) f();", fixed(1)],
    ["the same member on both sides", "if (a.id === a.id) f();", fixed(1, "P3")],
    ["the same twice with or", "x = a.b || a.b;", fixed(1)],
    ["an assigned number", "if (a = 1) f();", "P2 assignment-in-condition 1"],
    ["an assigned variable", "if (a = b) f();", "P3 assignment-in-condition 1"],
    ["a promise", `${SAVE}if (save()) f();`, "P2 promise-in-condition 2"],
    ["a negated promise", `${SAVE}while (!save() && b) f();`, "P2 promise-in-condition 2"],
    ["a promise before a question mark", `${SAVE}x = save() ? 1 : 2;`, "P2 promise-in-condition 2"],
    ["a map that forgets its values", "x = a.map((b) => {\n  b.c;\n});", "P2 missing-return 1"],
    [
      "a filter that never says yes",
      "f(a.filter(function (b) { b > 1; }));",
      "P2 missing-return 1",
    ],
  ]);

  describe("is not said of", () => {
    check([
      ["the old way to ask for NaN", "if (a !== a) f();"],
      ["the other old way to ask for NaN", "if (a != null && a >= a && b <= b) f();"],
      ["a right type", 'if (typeof a === "bigint") f();'],
      ["a type in a variable", "if (typeof a === kind) f();"],
      ["other members", "if (a.id === b.id) f();"],
      ["calls", "if (a.next() === a.next()) f();"],
      ["an assignment in two pairs of parentheses", "if ((a = b)) f();"],
      ["a result that is taken along", "while (a = list.pop()) f(a);"],
      ["an awaited promise", `${SAVE}async function f() { if (await save()) g(); }`],
      ["a promise that is compared", `${SAVE}if (save() === last) f();`],
      ["a map that returns", "x = a.map((b) => {\n  return b;\n});"],
      ["a map that returns early", "x = a.map((b) => {\n  if (b) return 1;\n  throw b;\n});"],
      ["a map without braces", "x = a.map((b) => b.c);"],
      ["a map whose result is dropped", "a.map((b) => { b.c(); });"],
      ["a map behind a condition", "a && a.map((b) => { b.c(); });"],
      ["an async map", "x = a.map(async (b) => { await b; });"],
      ["a map of promises", "return q().then(r).map((row) => { s.write(row); }).catch(e);"],
      ["a map that is waited for", "return q.map((row) => { s.write(row); }).then(end);"],
      ["a map that is not to be called", "x = a.map(() => { assert.ok(false, 'never'); });"],
      ["a map that only throws", "x = a.map((b) => { throw b; });"],
    ]);
  });
  check([
    [
      "a return that belongs to an inner function",
      "x = a.map((b) => {\n  const c = () => { return 1; };\n});",
      "P2 missing-return 1",
    ],
  ]);
});

describe("broken syntax", () => {
  check([
    ["is named where it breaks", "const a = 1;\nf(1,\n", "P3 broken-syntax 2"],
    [
      "of a merge that was not finished",
      "const a = 1;\n<<<<<<< HEAD\nconst b = 1;\n=======\nconst b = 2;\n>>>>>>> main\n",
      "P2 broken-syntax 2",
    ],
    ["is not what only our parser does not know", "let using = '';\nusing += a;\n"],
    ["is not a template", "{% if a %}\nconst a = 1;\n{% endif %}\n"],
    ["is not a dialect", "// @flow\nfunction f(a: number) {}\n"],
    ["is not JSX", "const a = <b c={d}>e</b>;"],
  ]);
  check([["is the compiler's business in TypeScript", "const a: = 1;"]], "lib/a.ts");
  check([["is not a decorator", "@a()\nclass B {\n  @c d = 1;\n}"]], "lib/a.ts");
});
