import { describe, expect, test } from "vitest";
import { reviewed } from "./reviewing.ts";

type Case = readonly [name: string, text: string, ...found: string[]];

const check = (cases: readonly Case[], path = "lib/file.py") =>
  test.each(cases.map(([name, text, ...found]) => ({ name, text, found })))(
    "$name",
    ({ text, found }) => expect(reviewed(text, path)).toEqual(found),
  );

const SAVE = "async def save():\n    pass\n\n";

describe("faults in Python", () => {
  check([
    [
      "a coroutine that is dropped",
      `${SAVE}async def run():\n    save()\n`,
      "P2 floating-promise 5",
    ],
    [
      "a coroutine method that is dropped",
      "class A:\n    async def save(self):\n        pass\n    async def run(self):\n        self.save()\n",
      "P2 floating-promise 5",
    ],
    ["code after return", "def f():\n    return 1\n    g()\n", "P2 unreachable-code 3"],
    ["code after raise", "def f():\n    raise A()\n    g()\n", "P2 unreachable-code 3"],
    ["code after the process ended", "import sys\nsys.exit(1)\na = 1\n", "P3 unreachable-code 3"],
    [
      "a condition that was asked before",
      "if a == 1:\n    f()\nelif b:\n    g()\nelif a == 1:\n    h()\n",
      "P2 repeated-condition 5",
    ],
    ["a key that is given again", 'a = {\n    "b": 1,\n    "b": 2,\n}\n', "P2 repeated-key 3"],
    ["except: pass", "try:\n    f()\nexcept:\n    pass\n", "P3 swallowed-error 3"],
    [
      "except Exception: pass, with a word to a tool only",
      "try:\n    f()\nexcept Exception as e:\n    pass  # noqa\n",
      "P3 swallowed-error 3",
    ],
    ["is with a text", 'if a is "b":\n    f()\n', "P2 fixed-comparison 1"],
    ["is not with a number", "b = a is not 1\n", "P2 fixed-comparison 1"],
    ["NaN", "b = a == math.nan\n", "P2 fixed-comparison 1"],
    ["the same on both sides", "b = a.c < a.c\n", "P2 fixed-comparison 1"],
    [
      "a shared default that grows",
      "def f(a, b=[]):\n    b.append(a)\n    return b\n",
      "P2 mutable-default 1",
    ],
    [
      "a shared default that is written to",
      "def f(a, b: dict = {}):\n    b[a] = 1\n",
      "P2 mutable-default 1",
    ],
    ["broken syntax", "a = = 1\n", "P3 broken-syntax 1"],
  ]);
});

describe("no faults in Python", () => {
  check([
    ["an awaited coroutine", `${SAVE}async def run():\n    await save()\n`],
    ["a coroutine given on", `${SAVE}def run():\n    asyncio.run(save())\n`],
    [
      "a decorated coroutine function",
      "@task\nasync def save():\n    pass\n\ndef f():\n    save()\n",
    ],
    ["a name that has two meanings", `${SAVE}def save():\n    pass\n\ndef f():\n    save()\n`],
    [
      "a method of another class",
      "class A:\n    async def s(self): pass\nclass B:\n    def r(self):\n        self.s()\n",
    ],
    ["a yield that makes a generator", "def f():\n    return\n    yield\n"],
    ["a branch that returns", "def f():\n    if a:\n        return 1\n    g()\n"],
    [
      "an except with a reason",
      "try:\n    f()\nexcept Exception:\n    pass  # the file may be gone\n",
    ],
    ["an except for one kind", "try:\n    f()\nexcept KeyError:\n    pass\n"],
    ["an except that answers", "try:\n    f()\nexcept Exception:\n    return False\n"],
    ["a value with another way", "try:\n    a = f()\nexcept Exception:\n    pass\n"],
    ["is with None", "if a is None or b is not True:\n    f()\n"],
    ["the old way to ask for NaN", "if a != a:\n    f()\n"],
    ["a default that is only read", "def f(a=[]):\n    return len(a)\n"],
    ["a default that is copied first", "def f(a=[]):\n    a = list(a)\n    a.append(1)\n"],
    ["a default that is a memory", "def f(a, _cache={}):\n    _cache[a] = 1\n"],
    ["keys around a spread", 'a = {"b": 1, **c, "b": 2}\n'],
    ["keys that are computed", 'a = {f"{b}": 1, f"{b}": 2, c: 1, c: 2}\n'],
    ["Python 2", 'print "a"\nexcept_ = 1\nraise A, "b"\n'],
    ["two chains", "if a:\n    f()\nif a:\n    g()\n"],
  ]);
});
