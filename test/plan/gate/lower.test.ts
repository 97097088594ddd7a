import { expect, test } from "vitest";
import { readFixedSentence } from "../../../src/plan/gate/fixed-sentences.ts";
import { findStartCommand } from "../../../src/plan/gate/start-command.ts";
import { checkPlan } from "../../../src/plan/index.ts";
import { Plan, type PlanSubtask, type Verimap } from "../../../src/schema/plan.ts";
import { aPlan, broken, planWith, subtaskOf, told } from "./a-plan.ts";

const proofsAt = (at: number, change: (plan: Verimap) => void = () => {}) =>
  checkPlan(planWith(change)).plan?.subtasks[at]?.proofs;
const stateOf = (text: string) => {
  const fixed = readFixedSentence(text);
  return fixed !== undefined && "proofs" in fixed ? fixed.proofs : fixed;
};

test("a lowered plan has the shape of our own form", () => {
  expect(Plan.safeParse(checkPlan(aPlan()).plan).success).toBe(true);
});

test("a CODE subtask is proven by its test, its assertions and a judge", () => {
  const name = "test_limit_blocks_11th_message_in_60s";
  expect(proofsAt(0)).toEqual([
    { kind: "test", name, file: "tests/test_limit.py" },
    { kind: "python", assertion: expect.stringContaining('isinstance(result["limit"], int)') },
    { kind: "python", assertion: expect.stringContaining('result["blocked"] is True') },
    { kind: "judge", criterion: expect.stringContaining("GIVEN a sender") },
  ]);
  expect(checkPlan(aPlan()).plan?.subtasks[0]?.test).toEqual({ name, file: "tests/test_limit.py" });
});

test("a check whose outcome is the named test needs no judge", () => {
  const proofs = proofsAt(0, (plan) => {
    subtaskOf(plan, 0).verification_functions.natural_language_checks = [
      "GIVEN the sources WHEN the tests run THEN test_limit_blocks_11th_message_in_60s() passes",
    ];
  });
  expect(proofs?.map(({ kind }) => kind)).toEqual(["test", "python", "python"]);
});

test("a file with its field becomes a file and a JSON proof", () => {
  expect(proofsAt(1)?.slice(1, 3)).toEqual([
    { kind: "file", path: "config/limits.json", present: true },
    { kind: "json", path: "config/limits.json", pointer: "/messages/per_minute", equals: 10 },
  ]);
});

test.each([
  ["File a.json exists at path config/ with field x = value 1.", { pointer: "/x", equals: 1 }],
  ["The file `config/a.json` has field `x.y[0]` = `true`", { pointer: "/x/y/0", equals: true }],
  ['File a.json exists at path config/a.json with field x = "1"', { pointer: "/x", equals: "1" }],
  ["File a.json at path config/a.json has field x set to on", { pointer: "/x", equals: "on" }],
  [
    "File a.json exists at path config/a.json with field /a~1b = 1.5",
    { pointer: "/a~1b", equals: 1.5 },
  ],
  [
    "File a.json exists at path config/a.json with field x = [1, 2]",
    { pointer: "/x", equals: [1, 2] },
  ],
])("reads %s", (text, field) => {
  expect(stateOf(text)).toEqual([
    { kind: "file", path: "config/a.json", present: true },
    { kind: "json", path: "config/a.json", ...field },
  ]);
});

test("several fields are several proofs, and a file may have to be absent", () => {
  expect(
    stateOf("File a.json exists at path a.json with field x = 1 and field y = 2"),
  ).toMatchObject([{ kind: "file" }, { pointer: "/x", equals: 1 }, { pointer: "/y", equals: 2 }]);
  expect(stateOf("File old.json does not exist at path config/old.json.")).toEqual([
    { kind: "file", path: "config/old.json", present: false },
  ]);
});

test("a setting of one line is found by a pattern that takes nothing for more than it is", () => {
  const proofs = stateOf("File .env exists at path .env with field MAX.SIZE = value 1");
  expect(proofs).toMatchObject({ problem: expect.stringContaining("MAX.SIZE") });
  const read = stateOf("File a exists at path conf/a.yaml with field limit = value 1.5");
  const proof = Array.isArray(read) ? read[1] : undefined;
  const found = new RegExp(proof?.kind === "pattern" ? proof.pattern : "(?!)");
  expect(
    ["limit: 1.5", '  limit: "1.5" # why', "limit=1.5"].filter((one) => found.test(one)),
  ).toHaveLength(3);
  expect(
    ["limit: 1x5", "limits: 1.5", "limit: 1.55", "# limit: 1.5"].filter((one) => found.test(one)),
  ).toEqual([]);
});

test.each([
  "File a.json exists at path /etc/a.json with field x = 1",
  "File a.json exists at path ../a.json with field x = 1",
  "File a.json exists at path a.json with field x",
  "File a.xml exists at path a.xml with field x = 1",
  "Document guide contains sections A, B in order",
  "Document docs/guide.md contains sections A, B",
  "Service rooms responds to PING with status 200",
  "Service rooms responds to POST /x with status 200",
  "Service rooms responds to /x with success",
])("says what is wrong with: %s", (text) => {
  expect(stateOf(text)).toMatchObject({ problem: expect.any(String) });
  const found = told("unprovable", (plan) => {
    subtaskOf(plan, 1).verification_functions.natural_language_checks.push(text);
  });
  expect(found).toHaveLength(1);
});

test("a service becomes an HTTP proof with what starts it", () => {
  expect(proofsAt(2)?.[1]).toEqual({
    kind: "http",
    start: ["npm", "start"],
    ...{ port: 8080, path: "/health", status: 200, seconds: 30 },
  });
  const at = "http://localhost:9000/health";
  const [, proof] =
    proofsAt(2, (plan) => {
      const subtask = subtaskOf(plan, 2);
      subtask.instruction = "Start it with `node 'my server.js' --quiet`.";
      subtask.verification_functions.natural_language_checks = [
        `Service rooms responds to GET ${at} with status 204 and a body containing "ok".`,
      ];
    }) ?? [];
  expect(proof).toMatchObject({
    start: ["node", "my server.js", "--quiet"],
    port: 9000,
    status: 204,
    body: "ok",
  });
});

test("a service that nothing starts is refused, with what to write", () => {
  const silent = told("unprovable", (plan) => {
    subtaskOf(plan, 2).instruction = "Serve GET /health.";
  });
  expect(silent).toEqual([expect.stringContaining("start it with `npm start` on port 8080")]);
  const portless = told("unprovable", (plan) => {
    subtaskOf(plan, 2).instruction = "Start it with `npm start`.";
  });
  expect(portless).toEqual([expect.stringContaining("on which port")]);
});

test.each(["a | b", "a && b", "a > b", "PORT=1 a", "a $HOME", "a `b`", "$(a)", "a; b"])(
  "no shell is made out of a start command: %s",
  (command) => {
    const found = findStartCommand(`start it with \`${command}\` on port 80`);
    if (typeof found !== "string") expect(found.argv).toEqual(["a"]);
    else expect(found).toContain("shell");
  },
);

test("sections become a proof, with commas inside quotes", () => {
  expect(proofsAt(3)?.[0]).toEqual({
    kind: "sections",
    path: "docs/limits.md",
    headings: ["Limit", "Answers", "Settings"],
  });
  expect(
    stateOf(
      'Document a/b.md contains the sections "Install, then run", Use, and Limits in this order',
    ),
  ).toEqual([
    { kind: "sections", path: "a/b.md", headings: ["Install, then run", "Use", "Limits"] },
  ]);
});

test("the fixed sentences count in an instruction as well", () => {
  const found = broken((plan) => {
    const subtask = subtaskOf(plan, 1);
    subtask.verification_functions.natural_language_checks.shift();
    subtask.instruction +=
      " File limits.json exists at path config/limits.json with field messages.per_minute = value 10.";
  });
  expect(found).toEqual([]);
});

test("other sentences of an instruction are prose, whatever they begin with", () => {
  const prose =
    " File uploads are limited. The file config/a.json has fields for it. The service restarts. Document everything. The document /etc/x contains sections.";
  const found = broken((plan) => {
    for (const subtask of plan.subtasks) subtask.instruction += prose;
  });
  expect(found).toEqual([]);
});

/** The example in our own form, with something of its first subtask changed. */
function ownPlan(change: (first: PlanSubtask) => void): Plan {
  const { plan } = checkPlan(aPlan());
  const own = structuredClone(plan);
  const [first] = own?.subtasks ?? [];
  if (!own || !first) throw new Error("the example is no plan any more");
  change(first);
  return own;
}
const kindsOf = (plan: Plan) => checkPlan(plan).plan?.subtasks[0]?.proofs.map(({ kind }) => kind);
const faultsOf = (plan: Plan) =>
  checkPlan(plan).violations.map(({ rule, path }) => `${rule} ${path}`);
const NPM_TEST = { kind: "command", argv: ["npm", "test"], exit: 0 } as const;

test("in our own form the proofs stay, and assertions, the test and checks in words join them", () => {
  const own = ownPlan((first) => {
    first.proofs = [structuredClone(NPM_TEST) as never];
  });
  expect(kindsOf(own)).toEqual(["test", "python", "python", "command", "judge"]);
});

test("lowering a plan that was lowered changes nothing", () => {
  const { plan } = checkPlan(aPlan());
  expect(checkPlan(plan).plan).toEqual(plan);
});

test("a check in words of our own form that no proof can check is refused", () => {
  const own = ownPlan((first) => {
    first.verification_functions.natural_language_checks.push("Senders are told of the limit.");
  });
  expect(faultsOf(own)).toEqual([
    "unprovable subtasks[0].verification_functions.natural_language_checks[1]",
  ]);
  expect(checkPlan(own).violations[0]?.message).toContain("`covers`");
});

test("a proof that covers a check in words takes its place, wherever the proof stands", () => {
  const text = "Senders are told of the limit.";
  const places: ((first: PlanSubtask) => void)[] = [
    (first) => first.proofs.push({ ...NPM_TEST, argv: [...NPM_TEST.argv], covers: [text] }),
    (first) => {
      if (first.test) first.test.covers = [text];
    },
    (first) => {
      const proof = first.proofs.find(({ kind }) => kind === "python");
      if (proof?.kind === "python") proof.covers = [text];
    },
  ];
  for (const place of places) {
    const own = ownPlan((first) => {
      first.verification_functions.natural_language_checks.push(text);
      place(first);
    });
    const { plan, violations } = checkPlan(own);
    expect(violations).toEqual([]);
    // What covers it says so in the plan that is worked on, also where two places name one proof.
    const covering = plan?.subtasks[0]?.proofs.filter(
      (one) => one.kind !== "judge" && one.covers?.includes(text),
    );
    expect(covering).toHaveLength(1);
  }
});

test("a judge who is asked the same, with a rubric, is asked once", () => {
  const own = ownPlan((first) => {
    const judge = first.proofs.find(({ kind }) => kind === "judge");
    if (judge?.kind === "judge") judge.rubric = "Look at the text of the refusal.";
  });
  expect(kindsOf(own)).toEqual(["test", "python", "python", "judge"]);
});

test("a judge does not take the place of what a machine can tell", () => {
  const text = "File a.json exists at path a.json with field x = 1.";
  const own = ownPlan((first) => {
    first.verification_functions.natural_language_checks.push(text);
    first.proofs.push({ kind: "judge", criterion: text });
  });
  expect(kindsOf(own)).toEqual(["test", "python", "python", "judge", "judge", "file", "json"]);
});

test("a proof that covers what its subtask does not say is refused", () => {
  const own = ownPlan((first) => {
    first.proofs.push({ ...NPM_TEST, argv: [...NPM_TEST.argv], covers: ["GIVEN a WHEN b THEN 1"] });
    if (first.test) first.test.covers = ["something else"];
  });
  expect(faultsOf(own)).toEqual([
    "unknown-check subtasks[0].test.covers[0]",
    "unknown-check subtasks[0].proofs[4].covers[0]",
  ]);
});

test("a service that a proof of our own form asks already needs no start command in words", () => {
  const { plan } = checkPlan(aPlan());
  const service = plan?.subtasks[2];
  if (!service) throw new Error("the example is no plan any more");
  service.instruction = "Serve GET /health.";
  expect(checkPlan(plan).violations).toEqual([]);
  const [, http] = service.proofs;
  if (http?.kind === "http") http.path = "/other";
  expect(faultsOf(plan as Plan)).toEqual([
    "unprovable subtasks[2].verification_functions.natural_language_checks[0]",
  ]);
});

test("an outcome that names a test and demands more is more than the test", () => {
  const name = "test_limit_blocks_11th_message_in_60s()";
  const kinds = (outcome: string) =>
    proofsAt(0, (plan) => {
      subtaskOf(plan, 0).verification_functions.natural_language_checks = [
        `GIVEN the sources WHEN the tests run THEN ${outcome}`,
      ];
    })?.map(({ kind }) => kind);
  const bare = ["test", "python", "python"];
  expect(kinds(`the test ${name} in tests/test_limit.py passes`)).toEqual(bare);
  expect(kinds(`${name} passes within 150 ms`)).toEqual([...bare, "judge"]);
});

test("a test that only a check in words of our own form names is a proof as well", () => {
  const own = ownPlan((first) => {
    first.verification_functions.natural_language_checks.push(
      "GIVEN the sources WHEN the tests run THEN test_limit_forgets_after_60s() passes",
    );
  });
  expect(checkPlan(own).plan?.subtasks[0]?.proofs.at(-1)).toEqual({
    kind: "test",
    name: "test_limit_forgets_after_60s",
  });
});

test("a subtask of our own form that nothing proves is refused", () => {
  const own = ownPlan((first) => {
    first.proofs = [];
    delete first.test;
    first.instruction = "Write it.";
    first.verification_functions = { python_assertions: [], natural_language_checks: [] };
  });
  expect(faultsOf(own)).toContain("unprovable subtasks[0]");
});

test("more proofs than a plan can hold are refused", () => {
  const own = ownPlan((first) => {
    first.proofs = Array.from({ length: 1_000 }, (_, at) => ({
      kind: "file",
      path: `src/${at}.py`,
      present: true,
    }));
  });
  expect(faultsOf(own)).toEqual(["unprovable subtasks[0]"]);
});

test.each([
  [{ kind: "command", argv: ["true"], exit: 0 }, false],
  [{ kind: "command", argv: ["/bin/true"], exit: 0 }, false],
  [{ kind: "command", argv: ["echo", "all tests pass"], exit: 0, stdout: "tests pass" }, false],
  [{ kind: "command", argv: ["false"], exit: 0 }, false],
  [{ kind: "command", argv: ["node", "check.js"], exit: 0 }, true],
  [{ kind: "pattern", path: "a.py", pattern: ".*", present: true }, false],
  [{ kind: "pattern", path: "a.py", pattern: "x?", present: true }, false],
  [{ kind: "pattern", path: "a.py", pattern: "(", present: true }, false],
  // Behind the last line's end stands an empty line, in every file.
  [{ kind: "pattern", path: "a.py", pattern: "^$", present: true }, false],
  [{ kind: "pattern", path: "a.py", pattern: "def allow", present: true }, true],
  [{ kind: "diff", contains: "  ", side: "added" }, false],
  [{ kind: "diff", contains: "def allow", side: "added" }, true],
] as const)("a proof of our own form that ends in one way is refused: %j", (proof, isFine) => {
  const { plan } = checkPlan(aPlan());
  plan?.subtasks[0]?.proofs.push(structuredClone(proof) as never);
  const found = checkPlan(plan).violations.map(({ rule, path }) => `${rule} ${path}`);
  expect(found).toEqual(isFine ? [] : ["empty-proof subtasks[0].proofs[4]"]);
});
