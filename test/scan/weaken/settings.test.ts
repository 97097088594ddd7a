import { describe, expect, test } from "vitest";
import { type Case, check, messages } from "./judging.ts";

const json = (value: unknown) => JSON.stringify(value, null, 2);
const LESS = "weakened config";
const scripted = (test?: string) =>
  json({ name: "a", scripts: { build: "tsc", ...(test ? { test } : {}) } });

describe("package.json", () => {
  check(
    [
      ["the script does nothing", scripted("vitest run"), scripted("true"), `${LESS} 5`],
      ["the script only talks", scripted("vitest run"), scripted("echo tests pass"), `${LESS} 5`],
      ["the script leaves", scripted("vitest run"), scripted("exit 0"), `${LESS} 5`],
      ["the script forgives", scripted("vitest run"), scripted("vitest run || true"), `${LESS} 5`],
      [
        "the script ends well in any case",
        scripted("vitest run"),
        scripted("vitest run; exit 0"),
        `${LESS} 5`,
      ],
      ["no test is enough", scripted("jest"), scripted("jest --passWithNoTests"), `${LESS} 5`],
      [
        "some tests are left out",
        scripted("jest"),
        scripted("jest --testPathIgnorePatterns slow"),
        `${LESS} 5`,
      ],
      ["the script is gone", scripted("jest"), scripted(), LESS],
      ["results are rewritten", scripted("jest"), scripted("jest -u"), `${LESS} 5`],
      ["another runner", scripted("jest"), scripted("vitest run")],
      ["another build", scripted("jest"), scripted("jest").replace("tsc", "esbuild || true")],
      ["one more option", scripted("jest"), scripted("jest --verbose")],
      [
        "jest leaves out more",
        json({ jest: { testPathIgnorePatterns: ["a"] } }),
        json({ jest: { testPathIgnorePatterns: ["a", "bcd"] } }),
        `${LESS} 3`,
      ],
      [
        "less has to be covered",
        json({ jest: { coverageThreshold: { global: { lines: 90 } } } }),
        json({ jest: { coverageThreshold: { global: { lines: 50 } } } }),
        `${LESS} 5`,
      ],
      [
        "more has to be covered",
        json({ jest: { coverageThreshold: { global: { lines: 50 } } } }),
        json({ jest: { coverageThreshold: { global: { lines: 90 } } } }),
      ],
      ["no JSON", scripted("jest"), "{", "note config"],
    ],
    "package.json",
  );
});

describe("vitest.config.ts", () => {
  const config = (inner: string) => `export default defineConfig({ test: { ${inner} } });\n`;
  check(
    [
      [
        "more is left out",
        config('exclude: ["a"]'),
        config('exclude: ["a", "slow/**"]'),
        `${LESS} 1`,
      ],
      ["something is left out", config(""), config('exclude: ["slow/**"]'), `${LESS} 1`],
      ["less is left out", config('exclude: ["a", "b"]'), config('exclude: ["a"]')],
      ["less is taken", config('include: ["a", "slow/**"]'), config('include: ["a"]'), `${LESS} 1`],
      ["more is taken", config('include: ["a"]'), config('include: ["a", "b"]')],
      ["no test is enough", config(""), config("passWithNoTests: true"), `${LESS} 1`],
      [
        "less has to be covered",
        config("coverage: { thresholds: { lines: 90 } }"),
        config("coverage: { thresholds: { lines: 20 } }"),
        `${LESS} 1`,
      ],
      [
        "nothing has to be covered",
        config("coverage: { thresholds: { lines: 90 } }"),
        config(""),
        LESS,
      ],
      [
        "not all is counted as covered",
        config(""),
        config('coverage: { exclude: ["gen/**"] }'),
        "note config 1",
      ],
      [
        "a longer timeout",
        config("testTimeout: 1000"),
        config("testTimeout: 90_000"),
        "note config 1",
      ],
      ["more retries", config(""), config("retry: 3"), "note config 1"],
      ["no program", config(""), "export default {{{", LESS],
    ],
    "vitest.config.ts",
  );
});

describe("pytest's settings", () => {
  const ini = (line: string) => `[pytest]\n${line}\n`;
  check(
    [
      [
        "tests are chosen by word",
        ini("addopts = -q"),
        ini('addopts = -q -k "not slow"'),
        `${LESS} 2`,
      ],
      [
        "a test is left out",
        ini("addopts = -q"),
        ini("addopts = -q --deselect tests/test_a.py::test_b"),
        `${LESS} 2`,
      ],
      ["a file is left out", ini(""), ini("addopts = --ignore=tests/test_a.py"), `${LESS} 2`],
      [
        "marks need not be known",
        ini("addopts = --strict-markers"),
        ini("addopts = -q"),
        `${LESS} 2`,
      ],
      [
        "other names are tests",
        ini("python_files = test_*.py"),
        ini("python_files = check_*.py"),
        `${LESS} 2`,
      ],
      [
        "a folder is not looked at",
        ini("testpaths = unit slow"),
        ini("testpaths = unit"),
        `${LESS} 2`,
      ],
      ["an expected failure may pass", ini("xfail_strict = true"), ini(""), LESS],
      ["an option more", ini("addopts = -q"), ini("addopts = -q -x")],
    ],
    "pytest.ini",
  );
  check(
    [
      [
        "in pyproject.toml",
        '[tool.pytest.ini_options]\naddopts = "-q"\n',
        '[tool.pytest.ini_options]\naddopts = "-q --ignore=slow"\n',
        `${LESS} 2`,
      ],
      [
        "what other tools leave out",
        '[tool.ruff]\nexclude = ["a"]\n',
        '[tool.ruff]\nexclude = ["a", "b"]\n',
      ],
      [
        "what has to be covered",
        "[tool.coverage.report]\nfail_under = 90\n",
        "[tool.coverage.report]\nfail_under = 10\n",
        `${LESS} 2`,
      ],
    ],
    "pyproject.toml",
  );
  check(
    [
      ["files are not collected", "", 'collect_ignore = ["test_slow.py"]\n', `${LESS} 1`],
      [
        "a hook takes tests out",
        "",
        "def pytest_collection_modifyitems(items):\n    items[:] = []\n",
        `${LESS} 1`,
      ],
      ["a fixture", "", "@pytest.fixture\ndef thing():\n    return 1\n"],
    ] satisfies Case[],
    "tests/conftest.py",
  );
});

describe("a pipeline", () => {
  const steps = (...lines: string[]) => `jobs:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  check(
    [
      [
        "forgives a failure",
        steps("- run: npm test"),
        steps("- run: npm test || true"),
        `${LESS} 2`,
      ],
      [
        "goes on after an error",
        steps("- run: npm test"),
        steps("- run: npm test", "continue-on-error: true"),
        `${LESS} 3`,
      ],
      [
        "never takes a step",
        steps("- run: npm test"),
        steps("- if: false", "run: npm test"),
        `${LESS} 2`,
      ],
      [
        "leaves tests out",
        steps("- run: pytest"),
        steps("- run: pytest --ignore slow"),
        `${LESS} 2`,
      ],
      ["runs no test any more", steps("- run: npm test"), steps("- run: npm run lint"), LESS],
      [
        "runs one less",
        steps("- run: npm test", "- run: pytest"),
        steps("- run: npm test"),
        "note config",
      ],
      ["runs more", steps("- run: npm test"), steps("- run: npm test", "- run: pytest")],
      [
        "runs them on another machine",
        steps("runs-on: a", "- run: npm test"),
        steps("runs-on: b", "- run: npm test"),
      ],
    ],
    ".github/workflows/ci.yml",
  );
});

test("a new conftest.py that takes tests out is found as well", () => {
  const after = "def pytest_collection_modifyitems(items):\n    items.clear()\n";
  expect(messages([{ path: "conftest.py", after }])).toEqual([
    expect.stringContaining("pytest_collection_modifyitems is new and decides which tests run"),
  ]);
});
