import { expect, test } from "vitest";
import type { ChosenAgent } from "../../../src/flow/agent/choose-agent.ts";
import { agentJudge } from "../../../src/flow/work/agent-judge.ts";
import { agentReplanner } from "../../../src/flow/work/agent-replanner.ts";
import { agentReview, builtInReview } from "../../../src/flow/work/reviewer-gate.ts";
import { SealedProver } from "../../../src/flow/work/sealed-prover.ts";
import { testGate } from "../../../src/flow/work/test-gate.ts";
import type { Seen } from "../../../src/flow/work/work-parts.ts";
import type { Try } from "../../../src/flow/work/work-state.ts";
import { AgentConfig } from "../../../src/schema/agent.ts";
import { AgentWorld, shellAgent } from "../agent/agent-world.ts";
import { planOf, subtask } from "./work-world.ts";

const { signal } = new AbortController();
const onStep = () => {};

/** A shell script in a seat. */
function seated(world: AgentWorld, script: string) {
  const config = AgentConfig.parse({ driver: "command", argv: ["sh", "-c", script] });
  const program = {
    path: "/bin/sh",
    argv: ["/bin/sh"] as [string],
    version: undefined,
    folders: [],
  };
  const driver = shellAgent(script);
  const chosen: ChosenAgent = { name: "seat", config, driver, program, service: undefined };
  return { runner: world.runner, chosen, task: "seats", onStep };
}

/** A change of the world's project, as the gates see it. */
function seenOf(world: AgentWorld, files: Record<string, string>): Seen {
  const before = world.project.git("rev-parse", "HEAD");
  const after = world.project.commit(files);
  return { before, after, plan: planOf([subtask("ST-01")]), signal, onStep };
}

test("a reviewer sees the change and the criteria alone, and only a plain yes is one", async () => {
  const world = await AgentWorld.open();
  const seen = seenOf(world, { "a.txt": "changed here\n" });
  const { repository } = world.runner.scene;
  const review = (script: string) => agentReview(seen, repository, seated(world, script));
  const verdict = (yes: string) =>
    `[ "$(ls -A | wc -l)" = 0 ] && grep -q 'changed here' - && echo '{"verdict":"${yes}","reasons":[]}'`;
  expect(await review(verdict("accept"))).toMatchObject({ verdict: "pass" });
  const unread = await review("echo 'Looks good to me, I accept it.'");
  expect(unread).toMatchObject({
    verdict: "fail",
    reasons: [
      expect.stringMatching(/^inconclusive, asked 3 times: seat gave no answer that can be read/),
    ],
  });
  const crashed = await review(
    `echo '{"verdict":"accept","reasons":[]}'; echo 'no tools/critic.mjs' >&2; exit 3`,
  );
  expect(crashed).toMatchObject({
    verdict: "fail",
    reasons: [
      expect.stringMatching(
        /^inconclusive, asked 3 times: seat gave no answer: exit code 3; its last words on stderr: no tools\/critic\.mjs \(it sees no file of the project/,
      ),
    ],
  });
});

/** Here, in the source, there is no built thread to start, so that reviewers of long files fail. */
test("without a reviewer the built-in ones take the seat and say so; who could not look said no yes", async () => {
  const world = await AgentWorld.open();
  const seen = seenOf(world, {
    "src/run.ts": `export const run = 1;\n${"// more\n".repeat(5_000)}`,
  });
  const found = await builtInReview({ ...seen, repository: await world.project.open() });
  expect(found.by).toContain("no agent is configured as reviewer");
  expect(found.verdict).toBe("unproven");
  expect(found.reasons).not.toEqual([]);
});

test("a judge is asked in a fresh context, and another plan goes through the gate", async () => {
  const world = await AgentWorld.open();
  const word = { points: 90, pass: false, reason: "It is not." };
  const judge = agentJudge({ ...seated(world, `echo '${JSON.stringify(word)}'`), signal });
  expect(await judge("It reads well.", undefined, "text")).toEqual(word);
  // It sees the files that the work began with, and not what was committed beside it since.
  const { before: start } = seenOf(world, { "a.txt": "later\n" });
  const script = 'printf \'{"seen":"%s"}\' "$(cat a.txt)"';
  const replanner = agentReplanner(seated(world, script), "team");
  const failed = { order: { subtask: "ST-01" }, why: "no" } as Try;
  const value = await replanner.replan(
    { plan: planOf([subtask("ST-01")]), start, failed, finished: [] },
    signal,
  );
  expect(value).toEqual({ seen: "one" });
  expect(await replanner.check(value)).toMatchObject({
    why: expect.stringMatching(/the gate does not let it through/),
  });
});

test("all tests are run by the runtime: red is a no, and no tests are no yes", async () => {
  const world = await AgentWorld.open();
  const { repository } = world.runner.scene;
  const prover = new SealedProver(world.runner.scene, undefined);
  const gate = (seen: Seen) => testGate(seen, { prover, repository, argv: undefined });
  try {
    expect(await gate(seenOf(world, { "a.txt": "2\n" }))).toMatchObject({ verdict: "unproven" });
    const green = 'require("node:test")("fine", () => {});\n';
    expect(await gate(seenOf(world, { "test/a.test.js": green }))).toMatchObject({
      verdict: "pass",
    });
    const red = 'require("node:test")("broken", () => { throw new Error("no"); });\n';
    expect(await gate(seenOf(world, { "test/a.test.js": red }))).toMatchObject({ verdict: "fail" });
    // A script that was changed along with the work may do anything.
    const script = JSON.stringify({ scripts: { test: "echo ok" } });
    const told = await gate(seenOf(world, { "package.json": script }));
    expect(told).toMatchObject({
      verdict: "unproven",
      reasons: ["npm test counted no test", "what npm test does was changed by the work"],
    });
    const green2 = { "test/a.test.js": green };
    const calm = { scripts: { test: "npm run unit", unit: "node --test" } };
    seenOf(world, { ...green2, "package.json": JSON.stringify(calm) });
    // So may one that npm runs before it, or settings of npm's own.
    const sly = { scripts: { ...calm.scripts, preunit: "rm -f test/failing.test.js" } };
    expect(await gate(seenOf(world, { "package.json": JSON.stringify(sly) }))).toMatchObject({
      reasons: ["what npm test does was changed by the work"],
    });
    expect(await gate(seenOf(world, { ".npmrc": "script-shell=./fake\n" }))).toMatchObject({
      reasons: expect.arrayContaining(["what npm test does was changed by the work"]),
    });
  } finally {
    await prover.close();
  }
});

test("a command of the settings that the work changed shows nothing, nor do tests that it silenced", async () => {
  const world = await AgentWorld.open();
  const { repository } = world.runner.scene;
  const prover = new SealedProver(world.runner.scene, undefined);
  const gate = (seen: Seen, argv: string[]) => testGate(seen, { prover, repository, argv });
  const script = (test: string) => JSON.stringify({ scripts: { test } });
  const adds =
    'const { add } = require("../add.js");\nrequire("node:test")("adds", () => { if (add(1, 1) !== 2) throw new Error(); });\n';
  try {
    seenOf(world, {
      "package.json": script("node --test"),
      "add.js": "exports.add = (a, b) => a + b;\n",
      "test/add.test.js": adds,
      "tools/all.js": "require('../test/add.test.js');\n",
    });
    // It ends its runner before any test begins: the file counts as one that went well.
    const silenced = seenOf(world, {
      "add.js": "process.exit(0);\n",
      "test/new.test.js": 'require("node:test")("new", () => {});\n',
    });
    for (const argv of [undefined, ["npm", "test"]]) {
      expect(await testGate(silenced, { prover, repository, argv })).toMatchObject({
        verdict: "fail",
        reasons: [
          'test "adds" of test/add.test.js passed before the work, and did not run after it',
        ],
      });
    }
    // The test is there under another name: whether it may be is asked elsewhere.
    seenOf(world, { "add.js": "exports.add = (a, b) => a + b;\n" });
    const renamed = seenOf(world, { "test/add.test.js": adds.replace('"adds"', '"sums"') });
    expect(await gate(renamed, ["npm", "test"])).toMatchObject({ verdict: "pass" });
    const fake = seenOf(world, { "package.json": script("echo '# pass 9'") });
    expect(await gate(fake, ["npm", "test"])).toMatchObject({
      reasons: expect.arrayContaining(["what npm test does was changed by the work"]),
    });
    // What npm runs a script with is not the script's, and decides all the same.
    seenOf(world, { "package.json": script("node --test") });
    const shell = seenOf(world, { ".npmrc": "script-shell=/bin/true\n" });
    expect(await gate(shell, ["npm", "test"])).toMatchObject({
      reasons: expect.arrayContaining(["what npm test does was changed by the work"]),
    });
    seenOf(world, { ".npmrc": "" });
    const other = seenOf(world, { "tools/all.js": "console.log('# pass 9');\n" });
    expect(await gate(other, ["node", "./tools/all.js"])).toMatchObject({
      reasons: expect.arrayContaining(["what node ./tools/all.js does was changed by the work"]),
    });
  } finally {
    await prover.close();
  }
});

test("tests that were silenced are missed by their names, however much is printed beside a number", async () => {
  const world = await AgentWorld.open();
  const { repository } = world.runner.scene;
  const prover = new SealedProver(world.runner.scene, undefined);
  const adds =
    'const { add } = require("../add.js");\nrequire("node:test")("adds", () => { if (add(1, 1) !== 2) throw new Error(); });\n';
  try {
    const add = "exports.add = (a, b) => a + b;\n";
    seenOf(world, { "add.js": add, "test/add.test.js": adds });
    const flood =
      'require("node:fs").writeSync(1, "noise\\n".repeat(9000) + "# pass 9\\n"); process.exit(0);\n';
    const argv = ["node", "--test", "test/add.test.js"];
    const seen = seenOf(world, { "add.js": flood });
    expect(await testGate(seen, { prover, repository, argv })).toMatchObject({
      verdict: "fail",
      reasons: ['test "adds" of test/add.test.js passed before the work, and did not run after it'],
    });
  } finally {
    await prover.close();
  }
});
