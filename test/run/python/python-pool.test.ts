import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PythonPool, type PythonWord } from "../../../src/run/python/index.ts";
import { BwrapEngine } from "../../../src/sandbox/index.ts";

const engine = new BwrapEngine();
const root = { kind: "host" } as const;
/** A second on a machine at rest; the work of others, and of the other cases, may cost some more. */
const NAMED_WITHIN_MS = 3_000;
let pool: PythonPool;

beforeAll(async () => {
  pool = new PythonPool({ engine, root, width: 4 });
  await pool.judge("assert result", 1);
});
afterAll(() => pool.close());

const judge = (...lines: string[]) => pool.judge(lines.join("\n"), { a: 1, list: [] });

describe("an assertion", () => {
  test("holds, does not hold, or cannot look at what is not there", async () => {
    expect(await judge("assert result['a'] == 1")).toEqual({ kind: "holds", checks: 1 });
    expect(await judge("result['a'] == 1")).toEqual({ kind: "holds", checks: 1 });
    expect(await judge("assert result['a'] > 1")).toMatchObject({
      kind: "fails",
      error: "AssertionError",
      why: "result['a'] > 1",
      result: '{"a":1,"list":[]}',
    });
    const told = await judge("assert result['a'] == 2, f\"a is {result['a']}\"");
    expect(told).toMatchObject({ kind: "fails", why: "a is 1" });
    expect(await judge("assert result['b']")).toMatchObject({ kind: "fails", error: "KeyError" });
  });

  test("sees JSON as python does, and may use what a check needs", async () => {
    const value = { n: null, t: true, text: "é\u{1f600}", list: [3, 1, 2], deep: { x: [{}] } };
    const code = [
      "def twice(n):",
      "    return n * 2",
      "assert result == {'n': None, 't': True, 'text': 'é😀', 'list': [3, 1, 2], 'deep': {'x': [{}]}}",
      "assert sorted(result['list']) == [twice(n) // 2 for n in range(1, 4)]",
      "for key, value in result.items():",
      "    assert isinstance(key, str) and (value or value is None)",
      "try:",
      "    int('x')",
      "except ValueError as error:",
      "    assert 'invalid' in str(error)",
      "assert type(result['n']) is type(None) and result['text'].encode('ascii', 'ignore') == b''",
    ].join("\n");
    expect(await pool.judge(code, value)).toEqual({ kind: "holds", checks: 3 });
  });

  test("that cannot fail, or never comes to its check, is refused", async () => {
    for (const lines of [
      ["assert True"],
      ["x = result"],
      ["for result in [1]: assert result"],
      ["assert [result for result in [1]]"],
      ["assert (result, 'it is there')"],
      ["assert result or True"],
      ["try:", "    assert result['b']", "except Exception:", "    assert 1"],
      ["for x in result['list']: assert x"],
      ["if result['list']: assert False"],
    ]) {
      expect([lines, (await judge(...lines)).kind]).toEqual([lines, "refused"]);
    }
  });
});

describe("what is not let in is refused by its name:", () => {
  const CASES: [string, string][] = [
    ["import os; assert result", "imports nothing"],
    ["from os import path\nassert result", "imports nothing"],
    ["assert __import__('os') or result", "__import__"],
    ["assert open('/etc/passwd') or result", "open"],
    ["assert eval('1') or exec('1') or result", "eval"],
    ["assert getattr(result, 'x') or result", "getattr"],
    ["assert ().__class__.__mro__[1].__subclasses__() or result", "__"],
    ["assert (x for x in result).gi_frame.f_back or result", "f_back"],
    ["assert '{0.__class__}'.format(result)", "f-string"],
    ["assert str.format_map('{a}', result)", "format_map"],
    ["class A:\n    x = 1\nassert result", "ClassDef"],
    ["assert type('A', (), {}) or result", "type_of"],
    ["match result:\n    case object(__class__=c): assert c", "Match"],
    ["with result: assert 1", "With"],
    ["async def f(): assert result", "AsyncFunctionDef"],
    ["def f():\n    yield result\nassert f()", "Yield"],
    ["global x\nassert result", "Global"],
    ["try:\n    assert result\nexcept* ValueError: pass", "TryStar"],
    ["def __getattr__(n): pass\nassert result", "__getattr__"],
    ["assert (lambda __x: result)(1)", "__x"],
    ["assert result == 'unfinished", "no Python"],
    ["assert result\0", "no Python"],
    ["result = {'a': 1}\nassert result['a'] == 1", "result is what it judges"],
    ["assert (lambda result: result)(1)", "the name result"],
    [`assert 1${"0".repeat(5_000)} and result`, "no Python"],
    [`assert ${"f'{".repeat(9)}result${"}'".repeat(9)}`, "no Python"],
  ];

  for (const [code, name] of CASES) {
    test(code.replaceAll("\n", " ⏎ ").slice(0, 100), async () => {
      const word = await pool.judge(code, { a: 1 });
      expect(word.kind).toBe(code.includes("type(") ? "fails" : "refused");
      expect(word).toHaveProperty("why", expect.stringContaining(name) as string);
    });
  }
});

describe("what does not end by itself is ended, by name, within a second:", () => {
  const CASES: [string, string, string[]][] = [
    ["an endless loop", "time", ["while result: pass", "assert 1"]],
    ["a loop in C that no signal interrupts", "time", ["assert result and 9 ** 9 ** 9"]],
    ["a sort that never ends", "time", ["assert sorted(result for x in iter(int, 1))"]],
    ["a list of ten thousand million", "memory", ["assert [result] * 10 ** 10"]],
    ["a list that grows", "memory or time", ["x = [result]", "while True: x += x", "assert x"]],
    ["text that grows", "memory", ["assert f\"{result['a']:>9999999999}\""]],
    ["a codec that would be loaded from a file", "call", ["assert result and ''.encode('cp1252')"]],
  ];
  test("each of them, several at a time", async () => {
    const began = performance.now();
    const ends = CASES.map(async ([title, , lines]) => {
      const word = await judge(...lines);
      return [
        title,
        word.kind === "ended" ? word.by : word.kind,
        performance.now() - began,
      ] as const;
    });
    for (const [at, [title, by, ms]] of (await Promise.all(ends)).entries()) {
      expect([title, CASES[at]?.[1].split(" or ")]).toEqual([title, expect.arrayContaining([by])]);
      expect(ms).toBeLessThan(NAMED_WITHIN_MS);
    }
  });

  test("recursion, nesting and long words come to a word of their own", async () => {
    const words = await Promise.all([
      judge("def f(n): return f(n + 1)", "assert f(0) or result"),
      pool.judge(`assert ${"(".repeat(5_000)}result${")".repeat(5_000)}`, 1),
      pool.judge(`assert ${"-".repeat(60_000)}result`, 1),
      pool.judge(`assert result${"[0]".repeat(20_000)}`, 1),
      pool.judge(`assert result${" + 1".repeat(15_000)}`, 1),
      pool.judge(`assert ${"not ".repeat(15_000)}result`, 1),
      pool.judge(`# ${"x".repeat(70_000)}\nassert result`, 1),
      pool.judge("assert result", "x".repeat(2_000_000)),
    ]);
    for (const word of words) expect(["refused", "ended"]).toContain(word.kind);
  });

  test("a long complaint is cut, and an answer is never longer than its room", async () => {
    const word = await judge("assert not result, 'x' * 10 ** 7");
    expect(word).toMatchObject({ kind: "fails" });
    expect(JSON.stringify(word).length).toBeLessThan(10_000);
    const wide = await judge("assert not result, '\\U0001f600' * 10 ** 6");
    expect(wide.kind).toBe("fails");
  });
});

describe("the pool", () => {
  test("answers many at a time, each with its own word, and goes on after every kind of end", async () => {
    const ask = (at: number): Promise<PythonWord> => {
      if (at % 10 === 3) return pool.judge("while result: pass\nassert 1", at);
      if (at % 10 === 7) return pool.judge("assert [result] * 10 ** 11", at);
      return pool.judge(`assert result == ${at}`, at);
    };
    const words = await Promise.all(Array.from({ length: 10 }, (_, at) => ask(at)));
    const kinds = words.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "holds").length).toBe(8);
    expect(kinds.filter((kind) => kind === "ended").length).toBe(2);
    expect(await judge("assert result")).toEqual({ kind: "holds", checks: 1 });
  });
});
