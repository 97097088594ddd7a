import { expect, test } from "vitest";
import { saidWork } from "../../../src/claim/index.ts";
import { pickTestRun } from "../../../src/flow/agent/pick-test-run.ts";
import type { ObservedProcess } from "../../../src/run/observe/index.ts";
import type { Observation } from "../../../src/schema/observation.ts";

const TREE = "/workspace/data/tree";
const SAVED = { commit: "T", changed: [], ignored: [], nested: [], isUntouched: false };

function process(argv: string, more: Partial<ObservedProcess> = {}): ObservedProcess {
  return {
    ...{ pid: 1, argv: argv.split(" "), cwd: TREE, beganMs: 0, endedMs: 1, exit: 0 },
    ...{ signal: undefined, parent: undefined, ...more },
  };
}

/** What is picked of some processes, the last of which saw the tree as it is in the end. */
function picked(
  processes: readonly ObservedProcess[] | undefined,
  more: {
    says?: string;
    changed?: string[];
    ignored?: string[];
    onTree?: number;
    gaps?: string[];
    whole?: string[];
  } = {},
) {
  const { says = "All tests pass.", changed = [], gaps = [], onTree, whole, ...rest } = more;
  const seen: Observation = {
    ...{ tree: "T", changed: [], ignored: [], is_complete: gaps.length === 0, gaps },
    processes: (processes ?? []).map(({ argv }, at) => ({
      ...{ by: "run", argv: [...argv], cwd: "", exit: 0, signal: null, wall_ms: 0, cpu_ms: null },
      ...{ peak_bytes: null, tests: null, tree_before: null },
      tree_after: at === onTree ? "T" : null,
    })),
  };
  const saved = {
    ...SAVED,
    ...rest,
    changed: changed.map((path) => ({ path, how: "modified" as const })),
  };
  const run = pickTestRun({ said: saidWork(says), seen, processes, saved, whole });
  return typeof run === "object" ? `${run.argv.join(" ")} in ${run.cwd}` : run;
}

test("the last run that ended well is repeated, one on the final tree before all others", () => {
  const runs = [process("/usr/bin/npm test"), process("/usr/bin/go test"), process("/usr/bin/ls")];
  expect(picked(runs)).toBe(`/usr/bin/go test in ${TREE}`);
  expect(picked(runs, { onTree: 0 })).toBe(`/usr/bin/npm test in ${TREE}`);
  const failed = process("/usr/bin/go test", { exit: 1 });
  expect(picked([process("/usr/bin/npm test"), failed])).toBe(`/usr/bin/npm test in ${TREE}`);
  // It failed on another tree, and nobody knows whether it still would; on this one it is known.
  expect(picked([failed])).toBe(`/usr/bin/go test in ${TREE}`);
  expect(picked([failed], { onTree: 0 })).toBe(undefined);
  expect(picked([process("/usr/bin/go test", { cwd: undefined })])).toBe(undefined);
  expect(picked(runs, { says: "Done." })).toBe(undefined);
});

test("of a runner that starts another one the outer is repeated", () => {
  const runs = [
    process("/usr/bin/npm test"),
    process("/usr/bin/sh -c vitest", { parent: 0 }),
    process(`/usr/bin/node --test`, { parent: 1 }),
  ];
  expect(picked(runs)).toBe(`/usr/bin/npm test in ${TREE}`);
});

test.each([
  ["/usr/bin/npm test", { changed: ["package.json"] }, /^package.json, which says what/],
  ["/usr/bin/make check", { changed: ["Makefile"] }, /^Makefile, which says what/],
  [`${TREE}/pytest`, { changed: ["pytest"] }, /runs pytest, which is the run's own$/],
  [`${TREE}/node_modules/.bin/jest`, { ignored: ["node_modules/"] }, /which is the run's own$/],
  ["/usr/bin/node node_modules/vitest/vitest.mjs run", { ignored: ["node_modules/"] }, /own$/],
  ["/usr/bin/python3 -m pytest", { changed: ["pytest.py"] }, /runs pytest, which/],
  ["/usr/bin/python3 -m pytest", { changed: ["pytest/__main__.py"] }, /runs pytest, which/],
  [
    "/usr/bin/node vitest",
    { changed: ["vitest/index.js"] },
    /runs vitest, which is the run's own$/,
  ],
  ["/usr/bin/node vitest", { changed: ["vitest.js"] }, /runs vitest, which is the run's own$/],
  ["/usr/bin/node x/jest.js", { changed: ["x", "y/jest.js"] }, /runs x\/jest.js, which/],
  ["/usr/bin/node --import ./fake.mjs --test", { changed: ["fake.mjs"] }, /runs fake.mjs, which/],
  ["/usr/bin/node --test --test-reporter=./r.mjs", { changed: ["r.mjs"] }, /runs r.mjs, which/],
  ["/usr/bin/node --test --import=/tmp/r.mjs", {}, /is a program that the run made itself$/],
  ["/usr/bin/make -f x.mk test", { changed: ["x.mk"] }, /runs x.mk, which/],
  ["/usr/bin/make -fx.mk test", { changed: ["x.mk"] }, /runs x.mk, which/],
  ["/usr/bin/make -C sub test", { changed: ["sub/Makefile"] }, /^sub\/Makefile, which says/],
  ["/usr/bin/npm --prefix sub test", { changed: ["sub/package.json"] }, /^sub\/package.json/],
  ["/usr/bin/npm test", { changed: [".npmrc"] }, /^.npmrc, which says what/],
  ["/usr/bin/cargo test", { changed: [".cargo/config.toml"] }, /^.cargo\/config.toml, which/],
  ["/usr/bin/pytest -p fake", { changed: ["fake.py"] }, /runs fake, which/],
  ["/tmp/pytest", {}, /is a program that the run made itself$/],
  ["/workspace/data/home/bin/pytest", {}, /is a program that the run made itself$/],
])("%s proves nothing when the run made it what it is", (argv, more, why) => {
  expect(picked([process(argv)], more)).toMatch(why);
});

test("what the run did not touch, and tests that it wrote, are no reason not to", () => {
  const changed = ["src/package.json", "test/a.test.js", "README.md"];
  for (const argv of ["/usr/bin/npm test", "/usr/bin/node --test test/a.test.js"]) {
    expect(picked([process(argv)], { changed })).toBe(`${argv} in ${TREE}`);
  }
  const nested = process("/usr/bin/npm test", { cwd: `${TREE}/src` });
  expect(picked([nested], { changed })).toMatch(/^src\/package.json/);
  expect(picked([process("/usr/bin/go test", { cwd: "/usr" })])).toMatch(
    /did not run in the tree$/,
  );
});

test("all tests are run where those of one package ran, or some that may have been tests", () => {
  const whole = ["just", "test"];
  const below = process("/usr/bin/npm test", { cwd: `${TREE}/packages/a` });
  expect(picked([below], { whole })).toBe(`just test in ${TREE}`);
  expect(picked([below])).toBe(`/usr/bin/npm test in ${TREE}/packages/a`);
  expect(picked([process("/usr/bin/just test")], { whole })).toBe(`/usr/bin/just test in ${TREE}`);
  expect(picked([process("/usr/bin/earthly test")], { whole })).toBe(`just test in ${TREE}`);
  expect(picked([process("/usr/bin/ls test")], { whole })).toBe(undefined);
  expect(picked([below], { whole, changed: ["justfile"] })).toMatch(/^justfile, which says what/);
  const django = ["python3", "manage.py", "test"];
  expect(picked([below], { whole: django, changed: ["manage.py"] })).toMatch(
    /runs manage.py, which/,
  );
});

test("where one may have run unseen a named command is run, and where none can have none is", () => {
  const says = "All tests pass. I ran `npm test`.";
  const other = [process("/usr/bin/ls")];
  expect(picked(other, { says, gaps: ["the trace was cut off"] })).toBe(`npm test in ${TREE}`);
  expect(picked(other, { says })).toBe(undefined);
  const failed = [process("/usr/bin/npm test", { exit: 1 })];
  expect(picked(failed, { says, gaps: ["the trace was cut off"], onTree: 0 })).toBe(undefined);
});

test("where nobody watched, only a plain command that the agent names is run", () => {
  const said = (command: string) =>
    picked(undefined, { says: `All tests pass. I ran \`${command}\`.` });
  expect(said("npm test")).toBe(`npm test in ${TREE}`);
  for (const command of ["npm test; rm -rf x", "npm test $(id)", "git status"]) {
    expect(said(command)).toBe(undefined);
  }
});
