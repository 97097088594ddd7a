import { expect, test } from "vitest";
import { runBuiltInAgent } from "../../src/flow/agent/builtin-agent.ts";
import { AgentConfig } from "../../src/schema/agent.ts";
import { GitFolder } from "../repo/git-folder.ts";

const IMPORTS = 'import { expect, test } from "vitest";\n';
const ADDS = 'test("adds", () => {\n  expect(sum(1, 2)).toBe(3);\n});\n';
const MORE = 'test("more", () => {\n  expect(sum(2, 2)).toBe(4);\n});\n';

async function reviewed(git: GitFolder) {
  const config = AgentConfig.parse({ driver: "builtin", reviewers: ["tests"] });
  if (config.driver !== "builtin") throw new Error("expected the built-in reviewers");
  const { signal } = new AbortController();
  const wanted = { kind: "change", range: "HEAD~1..HEAD" } as const;
  const asked = { config, repository: await git.open(), wanted, threads: 1, signal };
  const { report } = await runBuiltInAgent(asked);
  const found = report.findings.map(({ finding, verdict }) => [
    verdict,
    finding.priority,
    finding.category,
    `${finding.citations[0]?.file}:${finding.citations[0]?.line ?? ""}`,
  ]);
  return { report, found };
}

test("weakened tests of a change are findings, each with the place that shows it", async () => {
  const git = new GitFolder();
  git.commit({
    "test/a.test.ts": IMPORTS + ADDS + MORE,
    "test/b.test.ts": IMPORTS + ADDS,
    "test/c.test.ts": IMPORTS + ADDS + MORE,
    "test/d.test.ts": IMPORTS + ADDS,
    "test/e.test.ts": IMPORTS + MORE,
  });
  git.git("rm", "--quiet", "test/e.test.ts");
  git.commit({
    "test/a.test.ts": IMPORTS + ADDS,
    "test/b.test.ts": IMPORTS + ADDS.replace("toBe(3)", "toBeTruthy()"),
    "test/c.test.ts": IMPORTS + ADDS + MORE.replaceAll(/^/gm, "// "),
    "test/d.test.ts": IMPORTS + ADDS.replace("toBe(3)", "toBe(4)"),
  });
  const { report, found } = await reviewed(git);
  expect(found.toSorted()).toEqual([
    ["CONFIRMED", "P2", "test-loosened", "test/b.test.ts:3"],
    ["CONFIRMED", "P2", "test-removed", "test/a.test.ts:"],
    ["CONFIRMED", "P2", "test-removed", "test/c.test.ts:5"],
    ["CONFIRMED", "P2", "test-removed", "test/e.test.ts:2"],
    ["CONFIRMED", "P3", "test-rewritten", "test/d.test.ts:3"],
  ]);
  expect(report.reviewers.map(({ name, status }) => [name, status])).toEqual([
    ["tests", "complete"],
  ]);
  const loose = report.findings.find(({ finding }) => finding.category === "test-loosened");
  expect(loose?.finding.issue).toBe(
    'Test "adds": it demanded "expect(sum(1, 2)).toBe(3)" before and demands "expect(sum(1, 2)).toBeTruthy()" now: it demands less now',
  );
});

test("a change that only adds and strengthens is clean, and a test that cannot be read is a gap", async () => {
  const git = new GitFolder();
  git.commit({ "test/a.test.ts": IMPORTS + ADDS, "src/sum.ts": "export const sum = 1;\n" });
  git.commit({ "test/a.test.ts": IMPORTS + ADDS + MORE, "src/sum.ts": "export const sum = 2;\n" });
  const clean = await reviewed(git);
  expect([clean.found, clean.report.gaps.filter(({ who }) => who === "tests")]).toEqual([[], []]);
  git.commit({
    "test/a.test.ts": `${IMPORTS}test("adds", () => {\n  expect((sum(1, 2).toBe(3);\n`,
  });
  const { report } = await reviewed(git);
  expect(report.gaps.filter(({ who }) => who === "tests")).toEqual([
    {
      what: "test/a.test.ts",
      who: "tests",
      why: expect.stringContaining("could not be read in full: not judged"),
    },
  ]);
});
