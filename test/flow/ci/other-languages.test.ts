import { expect, test } from "vitest";
import { RequestStage } from "./request-stage.ts";

const NOTHING = "ci: { checks: [{ name: nothing, argv: ['true'], tests: false }] }\n";
const GO = "func TestA(t *testing.T) {\n}\nfunc TestB(t *testing.T) {\n}\n";
const KEPT = [
  ...["No tests were removed.", "No test files were modified.", "Existing tests are unchanged."],
  "No tests were weakened.",
];

test("tests of Go lie beside the program, and who denies what was done to them is refuted", async () => {
  const stage = new RequestStage({ "sworn.yaml": NOTHING, "pkg/calc_test.go": GO });
  const head = stage.change({ "pkg/calc_test.go": GO.slice(0, GO.indexOf("func TestB")) });
  const { claims, weakened, put_back } = await stage.judge(head, KEPT.join("\n\n"));
  expect(claims.map(({ verdict }) => verdict)).toEqual(Array(4).fill("refuted"));
  expect(weakened).toMatchObject([{ severity: "weakened", path: "pkg/calc_test.go", line: 3 }]);
  expect(put_back).toEqual(["pkg/calc_test.go"]);
});

test("tests of Rust stand in the program: what was done to them is never confirmed as nothing", async () => {
  const rust = "pub fn a() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n";
  const stage = new RequestStage({ "sworn.yaml": NOTHING, "src/lib.rs": rust });
  const judge = async (text: string) => {
    const head = stage.change({ "src/lib.rs": text });
    const { claims } = await stage.judge(head, KEPT.join("\n\n"));
    return claims.map(({ verdict }) => verdict);
  };
  const gone = await judge(rust.replace("    #[test]\n", ""));
  expect(gone).toEqual(Array(4).fill("refuted"));
  const emptied = rust.replace("fn b() {}", "fn b() { /* nothing */ }");
  expect(await judge(emptied)).toEqual(Array(4).fill("unverified"));
});

test("tests of a shell or of Perl are put back where they were deleted", async () => {
  const files = { "sworn.yaml": NOTHING, "t/add.sh": "true\n", "t/add.t": "ok(1);\nok(2);\n" };
  const stage = new RequestStage(files);
  const head = stage.change({ "add.sh": "true\n", "t/add.t": "ok(1);\n" }, ["t/add.sh"]);
  const { claims, put_back } = await stage.judge(head, "No tests were removed.");
  expect(put_back.toSorted()).toEqual(["t/add.sh", "t/add.t"]);
  expect(claims).toMatchObject([{ verdict: "refuted" }]);
});

test("a runner that never says how many tests ran is no lie of whoever says that they pass", async () => {
  const checks = "ci: { checks: [{ name: tests, argv: [sh, run.sh] }] }\n";
  const stage = new RequestStage({ "sworn.yaml": checks, "run.sh": "echo fine\n" });
  const body = "All tests pass.\n\nAdded 2 tests.";
  const report = await stage.judge(stage.change({ "a.sh": "true\n" }), body);
  expect(report.checks).toMatchObject([
    { status: "fail", shows: expect.stringMatching(/^no count of tests/) },
  ]);
  expect(report.claims.map(({ verdict }) => verdict)).toEqual(["unverified", "unverified"]);
  const counts = new RequestStage({
    "sworn.yaml": checks,
    "run.sh": 'echo "OK (2 tests, 2 assertions)"\n',
  });
  const silent = await counts.judge(counts.change({ "run.sh": "echo fine\n" }), body);
  expect(silent.checks).toMatchObject([
    { status: "fail", shows: "ran no test on head; base ran 2" },
  ]);
  expect(silent.claims[0]).toMatchObject({ verdict: "refuted" });
});

test("what may be another program to run the tests is told, whatever pins, starts or holds it", async () => {
  const stage = new RequestStage({ "sworn.yaml": NOTHING, "src/a.rs": "" });
  const noted = async (path: string) => {
    const { notes } = await stage.judge(stage.change({ [path]: "other\n" }), "Faster.");
    return notes;
  };
  const paths = [
    ...["Cargo.lock", "vendor/_pytest/python.py", "gradlew", ".mvn/maven.config"],
    ".yarn/releases/yarn-4.cjs",
  ];
  for (const path of paths) {
    const words = `the change has another ${path}: what runs the tests may be another program`;
    expect(await noted(path)).toEqual([words]);
  }
  expect(await noted("src/a.rs")).toEqual([]);
});
