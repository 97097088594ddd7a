import { expect, test } from "vitest";
import { readAssertion } from "../../../src/plan/gate/assertion.ts";
import { verifies } from "../../verifies.ts";
import { broken, subtaskOf } from "./a-plan.ts";

const problems = (text: string): readonly string[] => readAssertion(text).problems;

test.each([
  'assert isinstance(result["count"], int), "count must be integer"',
  'assert result["count"] >= 0, "count cannot be negative"',
  'assert result["blocked"] == True, "11th message must be blocked"',
  "assert result['a'] is not None",
  "assert not result['errors']",
  "assert all(item['ok'] for item in result['items'])",
  "assert (result['a'] == 1 and\n        result['b'] == 2), 'both'",
  "assert len(result['items']) > 0",
  "assert result['text'] == \"import os; x = 1 # no\"",
  "assert sorted(result['a'], key=str) == ['x']",
  "assert result.get('open') == 1 or result.get('closed') == 1",
  "assert result['a'] == (1 if result['b'] else 2)",
])("is an assertion: %s", (text) => {
  expect(problems(text)).toEqual([]);
});

test.each([
  ["result['a'] == 1", "it is not an assertion"],
  ["", "it is not an assertion"],
  ["import os\nassert result", "it is not an assertion"],
  ["assert __import__('os').system('x') == result", "it imports"],
  ["assert subprocess.run(['x']).returncode == result['x']", "it uses subprocess"],
  ["assert os.path.exists(result['path'])", "it uses os"],
  ["assert open(result['path']).read()", "it uses open"],
  ["assert result.__class__.__mro__[1] != 3", "it uses __class__"],
  ["assert result['a'] == 1; x = 2", "it is more than one assert"],
  ["assert result['a'] == 1\nassert result['b'] == 2", "it is more than one assert"],
  ["assert (lambda: result)()", "it is more than one assert"],
  ["assert (result := True)", "it assigns"],
  ["assert result = 1", "it assigns"],
  ["assert 1 == 2", "it says nothing about result"],
  ["assert 'result' == x", "it says nothing about result"],
  ["assert", "nothing stands after assert"],
  ["assert result['a' == 1", "it cannot be read"],
  ["assert result['a]", "it cannot be read"],
  ["assert result) == (1", "it cannot be read"],
  ["assert result # nothing", "it cannot be read"],
])("is refused: %s", (text, why) => {
  expect(problems(text).join("; ")).toContain(why);
});

test.each([
  "assert True",
  "assert 1",
  "assert 'result'",
  "assert not False",
  "assert not None, 'x'",
  "assert (True)",
  "assert ((((True))))",
  "assert result == result",
  "assert result['a'] == result['a']",
  "assert result is result",
  "assert result >= result",
  "assert result or True",
  "assert True or result['a'] == 1",
  "assert result['a'] or not result['a']",
  "assert result is None or result is not None",
  "assert result['a'] == 1 or result['a'] != 1",
  "assert (result['a'] == 1, 'message')",
  "assert [result]",
  "assert {'a': result}",
  "assert (result,)",
  "assert len(result['a']) >= 0",
  "assert isinstance(result, object)",
  "assert bool(True) and result == result",
  "assert True if result else True",
  "assert not (result != result)",
  "assert any([True, result])",
  "assert all([])",
  "assert 1 < 2 or result",
  "assert result in [result]",
  "assert result['a'] in (3, result['a'])",
  "assert str(result) + 'x'",
  "assert isinstance(result, (dict, object))",
  "assert result['a'] == result.get(\"a\")",
  `assert ${"(".repeat(60)}True${")".repeat(60)} or result`,
])("cannot fail: %s", (text) => {
  expect(problems(text).join("; ")).toContain("it cannot fail");
});

test.each([
  "assert [item for item in result['items'] if item['bad']] == []",
  "assert result and True",
  "assert result['a'] == 1 or result['b'] == 2",
  "assert result['a'] if result['b'] else True",
  "assert not result['a'] or result['b']",
  "assert len(result['a']) >= 1",
  "assert any([result['a'] == 1, result['b']])",
  "assert any(item == 1 for item in result['a'])",
  "assert result['a'] + 'x' == 'bx'",
  "assert result['a'] in [1, result['b']]",
  "assert isinstance(result['object'], dict)",
])("can fail: %s", (text) => {
  expect(problems(text)).toEqual([]);
});

verifies("001-34", "assertions are import-free, about result, and able to fail", () => {
  const found = broken((plan) => {
    subtaskOf(plan, 0).verification_functions.python_assertions = [
      "assert result or True",
      "import json",
      'assert result["speed"] > 3',
    ];
  });
  expect(found).toEqual([
    "tool-05 subtasks[0].verification_functions.python_assertions[0]",
    "tool-05 subtasks[0].verification_functions.python_assertions[1]",
    "tool-05 subtasks[0].verification_functions.python_assertions[1]",
    "tool-05 subtasks[0].verification_functions.python_assertions[2]",
  ]);
});

test("long and deep assertions are judged in a moment", () => {
  const began = performance.now();
  problems(`assert ${"(".repeat(30_000)}result${")".repeat(30_000)}`);
  problems(`assert ${"not ".repeat(15_000)}result`);
  problems(`assert ${"result or ".repeat(6_000)}result`);
  problems(`assert "${"a".repeat(60_000)}`);
  problems(`assert ${"result if ".repeat(6_000)}result`);
  expect(performance.now() - began).toBeLessThan(5_000);
});
