import { expect, test } from "vitest";
import { readContract } from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { CONTRACT } from "./contract-delivered.ts";

const read = (value: unknown) => readContract(JSON.stringify(value));
const problems = (value: unknown) => {
  const reading = read(value);
  return reading.kind === "problems" ? reading.problems.map(({ path }) => path) : reading.kind;
};

test("a contract of ours is read back as it was", () => {
  expect(read(CONTRACT)).toStrictEqual({
    kind: "contract",
    contract: CONTRACT,
    ignored: [],
    absent: ["context_engineering"],
  });
});

verifies(
  ["000-7", "000-64"],
  "the least a contract can be is enough, and what it lacks is said",
  () => {
    const least = {
      workflow: "rune-deep-research",
      output_dir: "tmp/research/auth-patterns/",
      teammates: ["framework", "pattern", "codebase"].map((name) => ({
        name: `${name}-researcher`,
        output_file: `${name}-researcher.md`,
        required_sections: ["Key Findings", "Recommendations", "Summary"],
        role: "Research",
      })),
      aggregator: { name: "runebinder", output_file: "TOME.md" },
      verification: { enabled: false },
    };
    expect(read(least)).toMatchObject({
      kind: "contract",
      contract: least,
      ignored: [],
      absent: ["timestamp", "nonce", "context_engineering"],
    });
  },
);

test("fields of other tools are left aside and named, at every depth", () => {
  const [forge, ward] = CONTRACT.teammates;
  const other = {
    ...CONTRACT,
    session_id: "s1",
    diff_scope: { enabled: true, ranges: { "a.ts": [1, 2] } },
    teammates: [forge, { ...ward, model: "large", task_ownership: [] }],
    verification: { ...CONTRACT.verification, layer_9: {} },
  };
  expect(read(other)).toStrictEqual({
    kind: "contract",
    contract: CONTRACT,
    ignored: [
      "teammates[1].model",
      "teammates[1].task_ownership",
      "verification.layer_9",
      "session_id",
      "diff_scope",
    ],
    absent: ["context_engineering"],
  });
});

test("a known field that is wrong is a problem with its path, beside unknown ones too", () => {
  const [forge, ward] = CONTRACT.teammates;
  const wrong = {
    ...CONTRACT,
    extra: 1,
    workflow: "review",
    teammates: [forge, { ...ward, output_file: "../ward.md", required_sections: "Summary" }],
    verification: { enabled: "yes", layer_0_circuit: { failure_threshold: 0 } },
  };
  expect(problems(wrong)).toEqual([
    "workflow",
    "teammates[1].output_file",
    "teammates[1].required_sections",
    "verification.enabled",
    "verification.layer_0_circuit.failure_threshold",
    "verification.layer_0_circuit.recovery_seconds",
  ]);
});

test("two teammates cannot owe one file or bear one name, in any case", () => {
  const [forge, ward] = CONTRACT.teammates;
  const two = (extra: object) =>
    problems({ ...CONTRACT, teammates: [forge, { ...ward, ...extra }] });
  expect(two({ output_file: "FORGE.md" })).toEqual(["teammates[1].output_file"]);
  const loud = { ...forge, output_file: "WARD.md" };
  expect(problems({ ...CONTRACT, teammates: [loud, ward] })).toEqual(["teammates[1].output_file"]);
  expect(two({ output_file: "tome.md" })).toEqual(["teammates[1].output_file"]);
  expect(two({ name: "Forge" })).toEqual(["teammates[1].name"]);
  expect(two({ name: "__proto__" })).toEqual(["teammates[1].name"]);
  expect(two({})).toBe("contract");
});

test("the output folder does not leave the project", () => {
  for (const output_dir of ["/etc/", "../x", "a/../../b", "..", "a\\..\\b", "C:\\x", "\\x"]) {
    expect(problems({ ...CONTRACT, output_dir }), output_dir).toEqual(["output_dir"]);
  }
  expect(problems({ ...CONTRACT, output_dir: "a/..b/c..d" })).toBe("contract");
});

test("what is no JSON, or not a single document, is a problem and no exception", () => {
  for (const text of [
    "",
    "{",
    "[]",
    "null",
    '"x"',
    '{"workflow":1,"workflow":2}',
    '{"__proto__":{}}',
  ]) {
    expect(readContract(text).kind, text).toBe("problems");
  }
  const huge = `{"workflow":"${"x".repeat(1_100_000)}"}`;
  expect(readContract(huge)).toMatchObject({
    problems: [{ path: "", message: expect.stringContaining("1048576 bytes") }],
  });
});

test("an answer stays short, however much is wrong or unknown", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`x${index}`, 1]));
  const reading = read({ ...CONTRACT, ...many });
  if (reading.kind !== "contract") throw new Error("expected a contract");
  expect(reading.ignored).toHaveLength(101);
  expect(reading.ignored.at(-1)).toBe("and 200 more");
  const required_sections = Array.from({ length: 50 }, () => "");
  const teammates = ["a", "b", "c"].map((name) => ({
    name,
    output_file: `${name}.md`,
    required_sections,
  }));
  const wrong = read({ ...CONTRACT, teammates });
  if (wrong.kind !== "problems") throw new Error("expected problems");
  expect(wrong.problems).toHaveLength(101);
  expect(wrong.problems.at(-1)).toEqual({ path: "", message: "and 50 more" });
});
